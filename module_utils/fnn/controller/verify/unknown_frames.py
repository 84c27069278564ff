# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports frames that name the cluster but are no evidence (shared/frames/envelope.py), by switch and reason.

They join no groups and accuse no cable. A loop repeats all frames and keeps frames of earlier runs circulating, so with
a loop those two reasons are not reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...shared.errors import count
from ...shared.frames.envelope import ANOTHER_RUN, FORGED, REPEATED, REWRITTEN
from .model import Cable, Finding, Wiring
from .words import name_some

_WHAT = {
    ANOTHER_RUN: "sends frames of another run",
    FORGED: "sends frames that are not authentic",
    REWRITTEN: "rewrites the source of frames",
    REPEATED: "repeats frames",
}
_CAUSE = {
    ANOTHER_RUN: "a node that still runs an earlier verify or live cabling, or a host that replays recorded frames",
    FORGED: "a host that forges them, or one of another cluster of the same name",
    REWRITTEN: "a bridge or repeater that translates MACs, or a host that replays frames",
    REPEATED: "a host that replays them, or a port that mirrors",
}


def find_unknown_frames(wiring: Wiring, cables: list[Cable]) -> Iterator[Finding]:
    looped = any(cable.loop for cable in cables)
    received: dict[tuple[str | None, str], list[Cable]] = defaultdict(list)
    for cable in cables:
        for reason in dict.fromkeys(each["reason"] for each in cable.unknown_frames):
            if not (looped and reason in (ANOTHER_RUN, REPEATED)):
                received[cable.seen, reason].append(cable)
    for (_, reason), near in received.items():
        yield describe(wiring, reason, near)


def describe(wiring: Wiring, reason: str, near: list[Cable]) -> Finding:
    frames = [each for cable in near for each in cable.unknown_frames if each["reason"] == reason]
    sources = sorted({each["source"] for each in frames})
    claims = sorted({each["claims"] for each in frames if each["claims"]})
    where = f"on {wiring.color(near[0].seen)}" if near[0].seen else f"where {near[0].name} leads"
    whose = f" in the name of {name_some(claims)}" if claims else ""
    action = f"find the device that {_WHAT[reason]}{whose} {where}: {_CAUSE[reason]}"
    number = count(
        max(sum(f["frames"] for f in cable.unknown_frames if f["reason"] == reason) for cable in near), "frame"
    )
    who = name_some([cable.name for cable in near])
    evidence = f"beacons: {who} received {number} from {name_some(sources)}, which do not count as evidence"
    return Finding("unknown-frames", near, action, evidence, breaks=False)
