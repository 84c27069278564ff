# SPDX-License-Identifier: GPL-3.0-or-later
"""Does every link carry frames of the size that `fnn_mtu` requests?

The nodes sent beacons of that size besides the short ones (node/beacon/full_size.py). If a NIC hears only the short
beacons of a neighbor, a device on the path has a smaller MTU: an end of either cable, or the switch. Other neighbors
show which. Example: of four NICs on red, k02's port takes 1500 bytes. Of twelve directions six fail, all from or to
k02, so one finding explains them. If all directions fail, the cause is red.

Without `fnn_mtu`, NICs send beacons as long as their own MTU allows. A port that takes 1400 bytes passes all short
beacons, but drops large packets between nodes. Only NICs with the most common MTU of a switch, the larger of two, are
compared. A NIC with another MTU gets a finding of its own, because one NIC may not accept the frames of the other.

The network stage sets the MTU only when every link of the design carried a long frame in both directions. Until then
each NIC keeps its MTU, and the play continues.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from .actions import Action
from .cables import JudgedCable, list_groups
from .instructions import Instruction
from .model import Finding, Wiring
from .words import name_some

Direction = tuple[JudgedCable, JudgedCable]  # from, to


def find_mtu_faults(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """NICs, cables and switches that do not carry the MTU; if there are none, NICs that still have another."""
    asked = [cable for cable in list_planned(cables) if cable.tried_mtu is not None]
    if wiring.mtu is not None:
        found = [*find_unsupported(wiring, asked), *find_failed_links(wiring, asked)]
        yield from found or find_other_mtu(wiring, asked)


def is_proved(wiring: Wiring, cables: Sequence[JudgedCable]) -> bool:
    """Whether every link of the design carried frames of the designed MTU in both directions."""
    legs = {(cable.node, cable.expected): cable for cable in list_planned(cables) if cable.tried_mtu == wiring.mtu}
    groups = list_groups(legs.values())
    for node, wants in wiring.wants.items():
        for _, switch in wants:
            leg, alone = legs.get((node, switch)), len(wiring.members[switch]) == 1
            if not alone and (leg is None or not carries_both_ways(leg, groups[leg.group or 0])):
                return False
    return not any(list_failed(group) for group in groups.values())


def carries_both_ways(leg: JudgedCable, group: list[JudgedCable]) -> bool:
    heard = set(leg.carried)
    return any(other.mac in heard and leg.mac in other.carried for other in group)


def list_planned(cables: Sequence[JudgedCable]) -> list[JudgedCable]:
    """Cables that lead to their designed switch and pass at least short frames in both directions."""
    live = [cable for cable in cables if cable.is_live and cable.passes == "both" and cable.state != "faulty"]
    return [cable for cable in live if cable.expected is not None and cable.expected == cable.seen]


def list_failed(group: list[JudgedCable]) -> list[Direction]:
    """Directions in which short frames arrive and long ones do not."""
    senders = {cable.mac: cable for cable in group}
    return [
        (senders[mac], receiver)
        for receiver in group
        for mac in sorted(senders.keys() & set(receiver.hears) - set(receiver.carried) - {receiver.mac})
    ]


def find_unsupported(wiring: Wiring, asked: list[JudgedCable]) -> Iterator[Finding]:
    for cable in asked:
        if not cable.tried_mtu:
            action = Action(Instruction.MTU_REFUSED, (cable,), values={"mtu": wiring.mtu})
            yield Finding("mtu", (cable,), action, f"links: the driver of {cable.name} refuses this MTU", breaks=False)


def find_failed_links(wiring: Wiring, asked: list[JudgedCable]) -> Iterator[Finding]:
    for group in list_groups(cable for cable in asked if cable.tried_mtu).values():
        if is_switch(group):
            yield report_switch(group, Action(Instruction.MTU_OF_SWITCH, (*group,), values={"mtu": wiring.mtu}), False)
        else:
            yield from (report_link(wiring, leg, failed) for leg, failed in explain_legs(list_failed(group)))


def is_switch(group: list[JudgedCable]) -> bool:
    """Whether no long frame passes between any two of these cables."""
    return len(group) > 1 and len(list_failed(group)) == len(group) * (len(group) - 1)


def report_switch(group: list[JudgedCable], action: Action, breaks: bool) -> Finding:
    evidence = f"beacons: each of {name_some([cable.name for cable in group])} hears only short beacons of the others"
    return Finding("mtu", tuple(group), action, evidence, breaks)


def explain_legs(failed: list[Direction]) -> Iterator[tuple[JudgedCable, list[Direction]]]:
    """Few cables that explain every failed direction, the one with the most first (a greedy vertex cover)."""
    while failed:
        involved = Counter(id(cable) for direction in failed for cable in direction)
        most = max((cable for direction in failed for cable in direction), key=lambda cable: involved[id(cable)])
        yield most, [direction for direction in failed if most in direction]
        failed = [direction for direction in failed if most not in direction]


def report_link(wiring: Wiring, leg: JudgedCable, failed: list[Direction]) -> Finding:
    out = [receiver.name for sender, receiver in failed if sender is leg]
    back = [sender.name for sender, receiver in failed if receiver is leg]
    directions = (*(["to"] if out else []), *(["from"] if back else []))
    action = Action(Instruction.MTU_OF_LINK, (leg,), values={"mtu": wiring.mtu, "directions": directions})
    failed_to = [*([f"by {name_some(out)}"] if out else []), *([f"from {name_some(back)}"] if back else [])]
    evidence = f"beacons: those of {wiring.mtu} bytes are not heard {' and '.join(failed_to)}, short ones are"
    return Finding("mtu", (leg,), action, f"{evidence} ({leg.name})", breaks=False)


def find_other_mtu(wiring: Wiring, asked: list[JudgedCable]) -> Iterator[Finding]:
    """One finding per MTU that differs from the spec."""
    others: dict[int, list[JudgedCable]] = defaultdict(list)
    for cable in asked:
        mtu = cable.facts.get("mtu")
        if mtu and mtu != wiring.mtu:
            others[mtu].append(cable)
    for mtu, cables in sorted(others.items()):
        names = name_some([cable.name for cable in cables])
        action = Action(Instruction.MTU_TO_SET, tuple(cables), values={"mtu": mtu, "planned": wiring.mtu})
        yield Finding("mtu", tuple(cables), action, f"links: {names} have an MTU of {mtu}", breaks=False)


# --- Without fnn_mtu ---


def find_small(cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable]) -> Iterator[Finding]:
    """unsteady: cables that lose frames, long ones among them."""
    asked = [cable for cable in list_planned(cables) if cable.tried_mtu and cable not in unsteady and not cable.loop]
    for group in list_groups(asked).values():
        counts = Counter(int(cable.tried_mtu or 0) for cable in group)
        common = max(counts, key=lambda mtu: (counts[mtu], mtu))
        for cable in group:
            if cable.tried_mtu != common:
                yield report_other(cable, common)
        same = [cable for cable in group if cable.tried_mtu == common]
        if is_switch(same):
            yield report_switch(same, Action(Instruction.SMALL_MTU_OF_SWITCH, (*same,), values={"mtu": common}), True)
        else:
            yield from (report_leg(leg, common) for leg, _ in explain_legs(list_failed(same)))


def report_other(cable: JudgedCable, common: int) -> Finding:
    action = Action(Instruction.MTU_OF_ONE, (cable,), values={"mtu": common, "own": cable.tried_mtu})
    return Finding("mtu", (cable,), action, f"links: {cable.name} has an MTU of {cable.tried_mtu}")


def report_leg(leg: JudgedCable, mtu: int) -> Finding:
    action = Action(Instruction.SMALL_MTU_OF_LINK, (leg,), values={"mtu": mtu})
    return Finding("mtu", (leg,), action, f"beacons: those of {mtu} bytes do not pass {leg.name}, short ones do")
