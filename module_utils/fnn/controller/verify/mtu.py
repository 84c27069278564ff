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
from itertools import chain

from .cables import JudgedCable, list_groups
from .instructions import Instruction
from .model import Finding, Notice, Wiring
from .words import name_cables

Direction = tuple[JudgedCable, JudgedCable]  # from, to


def find_mtu_faults(
    wiring: Wiring, cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable]
) -> Iterator[Finding]:
    """NICs, cables and switches that do not carry the MTU; if there are none, NICs that still have another.

    unsteady: cables that lose frames, long ones among them.
    """
    asked = [cable for cable in list_planned(cables) if cable.tried_mtu is not None]
    if wiring.mtu is None:
        steady = [cable for cable in asked if cable.tried_mtu and cable not in unsteady and not cable.loop]
        for group in list_groups(steady).values():
            yield from find_small(group)
    else:
        yield from [*find_unsupported(wiring, asked), *find_failed_links(wiring, asked)] or find_other(wiring, asked)


def is_proved(wiring: Wiring, cables: Sequence[JudgedCable]) -> bool:
    """Whether every link of the design carried frames of the designed MTU in both directions."""
    legs = {(cable.node, cable.expected): cable for cable in list_planned(cables) if cable.tried_mtu == wiring.mtu}
    groups = list_groups(legs.values())
    for (node, _), switch in wiring.wanted.items():
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
            evidence = f"links: the driver of {cable.name} refuses this MTU"
            yield Notice("mtu", [cable], Instruction.MTU_REFUSED, evidence, values={"mtu": wiring.mtu})


def find_failed_links(wiring: Wiring, asked: list[JudgedCable]) -> Iterator[Finding]:
    for group in list_groups(cable for cable in asked if cable.tried_mtu).values():
        if is_switch(group):
            yield report_switch(group, Instruction.MTU_OF_SWITCH, wiring.mtu, breaks=False)
        else:
            yield from (report_link(wiring, leg, failed) for leg, failed in explain_legs(list_failed(group)))


def is_switch(group: list[JudgedCable]) -> bool:
    """Whether no long frame passes between any two of these cables."""
    return len(group) > 1 and len(list_failed(group)) == len(group) * (len(group) - 1)


def report_switch(group: list[JudgedCable], instruction: Instruction, mtu: int | None, breaks: bool) -> Finding:
    evidence = f"beacons: each of {name_cables(group)} hears only short beacons of the others"
    return Finding("mtu", group, instruction, evidence, breaks=breaks, values={"mtu": mtu})


def explain_legs(failed: list[Direction]) -> Iterator[tuple[JudgedCable, list[Direction]]]:
    """Few cables that explain every failed direction, the one with the most first (a greedy vertex cover)."""
    while failed:
        most, _ = Counter(chain(*failed)).most_common(1)[0]
        yield most, [direction for direction in failed if most in direction]
        failed = [direction for direction in failed if most not in direction]


def report_link(wiring: Wiring, leg: JudgedCable, failed: list[Direction]) -> Finding:
    out = [receiver for sender, receiver in failed if sender is leg]
    back = [sender for sender, receiver in failed if receiver is leg]
    ways = [way for way in (("to", "by", out), ("from", "from", back)) if way[2]]
    ends = " and ".join(f"{word} {name_cables(near)}" for _, word, near in ways)
    evidence = f"beacons: those of {wiring.mtu} bytes are not heard {ends}, short ones are ({leg.name})"
    directions = tuple(direction for direction, _, _ in ways)
    link = Instruction.MTU_OF_LINK
    return Notice("mtu", [leg], link, evidence, values={"mtu": wiring.mtu, "directions": directions})


def find_other(wiring: Wiring, asked: list[JudgedCable]) -> Iterator[Finding]:
    """One finding per MTU that differs from the spec."""
    others: dict[int, list[JudgedCable]] = defaultdict(list)
    for cable in asked:
        mtu = cable.facts.get("mtu")
        if mtu and mtu != wiring.mtu:
            others[mtu].append(cable)
    for mtu, cables in sorted(others.items()):
        evidence = f"links: {name_cables(cables)} have an MTU of {mtu}"
        yield Notice("mtu", cables, Instruction.MTU_TO_SET, evidence, values={"mtu": mtu, "planned": wiring.mtu})


# --- Without fnn_mtu ---


def find_small(group: list[JudgedCable]) -> Iterator[Finding]:
    counts = Counter(int(cable.tried_mtu or 0) for cable in group)
    common = max(counts, key=lambda mtu: (counts[mtu], mtu))
    for cable in group:
        if cable.tried_mtu != common:
            evidence = f"links: {cable.name} has an MTU of {cable.tried_mtu}"
            values = {"mtu": common, "own": cable.tried_mtu}
            yield Finding("mtu", [cable], Instruction.MTU_OF_ONE, evidence, values=values)
    same = [cable for cable in group if cable.tried_mtu == common]
    if is_switch(same):
        yield report_switch(same, Instruction.SMALL_MTU_OF_SWITCH, common, breaks=True)
        return
    for leg, _ in explain_legs(list_failed(same)):
        evidence = f"beacons: those of {common} bytes do not pass {leg.name}, short ones do"
        yield Finding("mtu", [leg], Instruction.SMALL_MTU_OF_LINK, evidence, values={"mtu": common})
