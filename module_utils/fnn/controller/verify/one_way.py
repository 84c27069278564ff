# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables that pass frames in one direction only, or in none although they have carrier, and ports kept apart.

NICs share a switch if each hears the other. If a NIC is heard but hears none, its cable, port or the NIC itself only
sends. If it hears others but is not heard, the link only receives. A third NIC shows which end is at fault:

    RED: k00 k01 k02 hear each other and k03; k03 hears none      k03 receives nothing: k01 receives k00, so k00 sends
    RED: k00 hears k01, k01 hears nothing, no other is there      one of the two: the finding names both

Frames in one direction therefore join no groups. Such a cable belongs to the group of most of its neighbors, and the
neighbors are not accused. A NIC that another group hears, but that hears none of it, is not there: a device repeats its
frames. In a loop, a NIC stops at its first returning frame, before all NICs hear it, so there one direction counts.

A NIC with carrier that neither hears nor is heard is `silent`: its port may be blocked by spanning tree, filtered, in
another VLAN or dead, or the cable may lead elsewhere. The evidence is the same, so the finding suggests no move.

A switch may pass no frames between some of its ports: port isolation, protected ports, private VLANs. Two NICs that a
third one hears, and that hear it, are on its switch. If neither of the two hears the other, the switch keeps them
apart. Example, with the ports of k00, k01 and k02 isolated on a switch of five:

    k00 hears k03 k04      k01 hears k03 k04      k02 hears k03 k04      k03, k04 hear all
    silent pairs: k00-k01, k00-k02, k01-k02       one finding, with the three NICs

If all ports are isolated, no NIC hears another, and the switch is reported as dead (fabric.py).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations

from .cables import JudgedCable, Key, list_probable_groups
from .components import group_linked
from .hearing import Pairs
from .instructions import Instruction
from .model import Finding, Notice
from .words import name_cables

Pair = tuple[JudgedCable, JudgedCable]
CablePairs = list[Pair]  # of each, only the first hears the second
_OFTEN = 5  # beacons


def find_one_way(cables: Sequence[JudgedCable], pairs: Pairs) -> Iterator[Finding]:
    """One finding per NIC and direction; then pairs of which either may be at fault; then repeated frames."""
    for cable in cables:
        if is_one_way(cable):
            yield report_one_way(cable, cables)
    open_pairs = list_open_pairs(cables, pairs)
    for hearing, heard in open_pairs:
        if hearing.group == heard.group:
            yield report_pair(hearing, heard, cables)
    yield from find_repeated([pair for pair in open_pairs if pair[0].group != pair[1].group])


def find_faulty(cables: Sequence[JudgedCable], pairs: Pairs) -> set[Key]:
    """Cables that lead to their switch, as far as is known, and pass frames in one direction only."""
    one_way = [cable for cable in cables if is_one_way(cable)]
    faulty = [cable for cable in one_way if cable.seen is None or cable.expected in cable.among]
    sizes = Counter(cable.group for cable in cables)
    for hearing, heard in list_open_pairs(cables, pairs):
        if hearing.group == heard.group and sizes[hearing.group] == 2:
            faulty += [cable for cable in (hearing, heard) if cable.state == "ok"]
    return {cable.key for cable in faulty}


def is_one_way(cable: JudgedCable) -> bool:
    return cable.expected is not None and cable.passes in ("in", "out")


def list_open_pairs(cables: Sequence[JudgedCable], pairs: Pairs) -> CablePairs:
    """Pairs whose direction no fault of a single cable and no loop explains."""
    by_key = {cable.key: cable for cable in cables}
    both = [(by_key[hearing], by_key[heard]) for hearing, heard in pairs]
    return [pair for pair in both if not any(cable.loop or cable.passes != "both" for cable in pair)]


def report_one_way(cable: JudgedCable, cables: Sequence[JudgedCable]) -> Finding:
    if cable.passes == "out":
        near = name_cables(each for each in cables if cable.mac in each.hears)
        evidence = f"beacons: {cable.name} hears nothing, and is heard by {near}"
        return Finding("one-way", [cable], Instruction.RECEIVES_NOTHING, evidence)
    near = name_cables(each for each in cables if each.mac in cable.hears)
    evidence = f"beacons: {cable.name} hears {near}, and none of them hears it"
    return Finding("one-way", [cable], Instruction.SENDS_NOTHING, evidence)


def report_pair(hearing: JudgedCable, heard: JudgedCable, cables: Sequence[JudgedCable]) -> Finding:
    """A fault if the two NICs have no third on their switch; otherwise, a frame may be lost."""
    pair = (hearing, heard)
    evidence = f"beacons: {hearing.name} hears {heard.name}, but not the other way round"
    if sum(each.group == hearing.group for each in cables) > 2:
        return Notice("unknown", pair, Instruction.CHECK_PAIR, evidence)
    return Finding("one-way", pair, Instruction.ONE_WAY_PAIR, evidence)


def find_repeated(pairs: CablePairs) -> Iterator[Finding]:
    """Frames of one group that another group hears, with none in the other direction."""
    between: dict[tuple[int | None, int | None], CablePairs] = defaultdict(list)
    for pair in pairs:
        between[pair[1].group, pair[0].group].append(pair)
    for both in between.values():
        near, senders = (tuple(dict.fromkeys(each)) for each in zip(*both))
        heard = name_cables(senders)
        evidence = f"beacons: {name_cables(near)} hear {heard}, but not the other way round"
        places = [near[0].seen]
        yield Notice("unknown-frames", near, Instruction.FIND_REPEATER, evidence, places, values={"heard": heard})


# --- Ports kept apart ---


def find_isolated(cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable]) -> Iterator[Finding]:
    """One finding per set of ports that are kept apart. unsteady: cables that lose frames."""
    for group in list_probable_groups(cables).values():
        if len(group) > 2:
            pairs = find_silent_pairs([cable for cable in group if cable not in unsteady])
            yield from (report_isolated(cables, each) for each in group_linked(pairs))


def find_silent_pairs(group: list[JudgedCable]) -> Iterator[Pair]:
    """Pairs of which neither hears the other, although a third hears both and both hear it.

    Only a third NIC that was heard often counts: while people plug cables, some NICs have not heard each other yet.
    Without counts there are no pairs.
    """
    hears = {cable.mac: set(cable.hears) for cable in group}
    often = {
        cable.mac: {mac for mac, (_, sent) in cable.counts.get("received", {}).items() if sent >= _OFTEN}
        for cable in group
    }
    mutual = {own: {mac for mac in heard if own in often.get(mac, ())} for own, heard in often.items()}
    for one, other in combinations([cable for cable in group if mutual[cable.mac]], 2):
        silent = one.mac not in hears[other.mac] and other.mac not in hears[one.mac]
        if silent and mutual[one.mac] & mutual[other.mac]:
            yield one, other


def report_isolated(cables: Sequence[JudgedCable], pairs: list[Pair]) -> Finding:
    silent = {*chain(*pairs)}
    affected = [cable for cable in cables if cable in silent]
    common = set.intersection(*(set(cable.hears) for cable in affected))
    witness = next((each.name for each in cables if each.mac in common), "others")
    where = affected[0].seen or affected[0].expected
    names = name_cables(affected)
    is_each = len(pairs) == len(affected) * (len(affected) - 1) // 2
    between = names if is_each else "; ".join(f"{one.name} and {other.name}" for one, other in pairs[:3])
    evidence = f"beacons: {names} are heard by {witness} and hear it, but never each other"
    return Finding("isolated", affected, Instruction.ISOLATED, evidence, [where], values={"between": between})
