# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports frames that name the cluster but are no evidence (shared/frames/envelope.py), by switch and reason.

They join no groups and accuse no cable. A loop repeats all frames and keeps frames of earlier runs circulating, so with
a loop those two reasons are not reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ...shared.errors import count
from ...shared.frames.envelope import ANOTHER_RUN, FORGED, REPEATED, REWRITTEN
from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding, Notice
from .words import name_cables, name_some

_INSTRUCTIONS = {
    ANOTHER_RUN: Instruction.FIND_EARLIER_RUN,
    FORGED: Instruction.FIND_FORGER,
    REWRITTEN: Instruction.FIND_REWRITER,
    REPEATED: Instruction.FIND_REPLAYER,
}


def find_unknown_frames(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    looped = any(cable.loop for cable in cables)
    received: dict[tuple[str | None, str], list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        for reason in dict.fromkeys(each["reason"] for each in cable.unknown_frames):
            if not (looped and reason in (ANOTHER_RUN, REPEATED)):
                received[cable.seen, reason].append(cable)
    for (_, reason), near in received.items():
        yield report_frames(reason, near)


def report_frames(reason: str, near: Sequence[JudgedCable]) -> Finding:
    frames = [each for cable in near for each in cable.unknown_frames if each["reason"] == reason]
    sources = sorted({each["source"] for each in frames})
    claims = tuple(sorted({each["claims"] for each in frames if each["claims"]}))
    number = count(
        max(sum(f["frames"] for f in cable.unknown_frames if f["reason"] == reason) for cable in near), "frame"
    )
    received = f"{name_cables(near)} received {number} from {name_some(sources)}"
    evidence = f"beacons: {received}, which do not count as evidence"
    return Notice("unknown-frames", near, _INSTRUCTIONS[reason], evidence, values={"claimed": claims})
