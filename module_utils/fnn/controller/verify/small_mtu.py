# SPDX-License-Identifier: GPL-3.0-or-later
"""Without `fnn_mtu`: does every link carry frames of the MTU that its NICs have?

NICs send beacons as long as their own MTU allows. A port that takes 1400 bytes passes all short beacons, but drops
large packets between nodes. Only NICs with the most common MTU of a switch, the larger of two, are compared. A NIC with
another MTU gets a finding of its own, because one NIC may not accept the frames of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from .actions import Action
from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding
from .mtu import explain_legs, group_by_switch, list_failed, list_planned
from .words import name_some


def find_small(cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable]) -> Iterator[Finding]:
    """unsteady: cables that lose frames, long ones among them."""
    asked = [cable for cable in list_planned(cables) if cable.tried_mtu and cable not in unsteady and not cable.loop]
    for group in group_by_switch(asked).values():
        counts = Counter(int(cable.tried_mtu or 0) for cable in group)
        common = max(counts, key=lambda mtu: (counts[mtu], mtu))
        for cable in group:
            if cable.tried_mtu != common:
                yield report_other(cable, common)
        same = [cable for cable in group if cable.tried_mtu == common]
        failed = list_failed(same)
        if failed and len(failed) == len(same) * (len(same) - 1):
            yield report_switch(same, common)
        else:
            yield from (report_leg(leg, common) for leg, _ in explain_legs(failed))


def report_other(cable: JudgedCable, common: int) -> Finding:
    action = Action(Instruction.MTU_OF_ONE, (cable,), values={"mtu": common, "own": cable.tried_mtu})
    return Finding("mtu", (cable,), action, f"links: {cable.name} has an MTU of {cable.tried_mtu}")


def report_switch(group: list[JudgedCable], mtu: int) -> Finding:
    action = Action(Instruction.SMALL_MTU_OF_SWITCH, tuple(group), values={"mtu": mtu})
    evidence = f"beacons: each of {name_some([cable.name for cable in group])} hears only short beacons of the others"
    return Finding("mtu", tuple(group), action, evidence)


def report_leg(leg: JudgedCable, mtu: int) -> Finding:
    action = Action(Instruction.SMALL_MTU_OF_LINK, (leg,), values={"mtu": mtu})
    return Finding("mtu", (leg,), action, f"beacons: those of {mtu} bytes do not pass {leg.name}, short ones do")
