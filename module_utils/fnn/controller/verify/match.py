# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch, and which switch that is.

Beacons, or the relearn probe, show groups: NICs that share a switch. Unmanaged switches announce no name, so each group
gets the name of a switch of the design, such that most cables are correct (a linear assignment over the overlaps).
Switches that were racked in another order are therefore no fault.

    design   red = k00 k01 k02    blue = k00 k01 k03
    groups   {k00.0 k01.0 k02.0}  {k00.1 k01.1 k03.0}      overlaps  red blue
                                                            group 0    3    2
                                                            group 1    2    3
Best is group 0 = red, group 1 = blue: six cables correct. Only switches with enough ports for a group are candidates
(naming.py), unless the group contains a hidden switch.

Two switches that an unexpected cable joins are one group. The naming assigns it to one of them. The other is hidden in
the group if most of its nodes have a NIC there for each of the two switches that they should be on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cables import JudgedCable, Key, MatchedCable, ObservedCable
from .hearing import Pairs, find_components, find_directions, read_graph
from .model import Wiring
from .naming import ANY_SIZE, Naming


@dataclass(frozen=True)
class Matching:
    """hidden: hidden switch -> the switch whose group contains it. one_way: see `Pairs`."""

    cables: tuple[MatchedCable, ...]
    hidden: Mapping[str, str]
    one_way: Pairs


@dataclass(frozen=True)
class Grouping:
    """numbers: cable -> number of its group. passes: of each cable that certainly has a fault. unsure: cables whose
    switch cannot be determined. one_way: see `Pairs`."""

    numbers: Mapping[Key, int]
    passes: Mapping[Key, str]
    unsure: frozenset[Key]
    one_way: Pairs


def match_cables(observed: Sequence[ObservedCable], wiring: Wiring, relearn: Mapping[str, Any] | None) -> Matching:
    """relearn: the result of the relearn probe; without it, beacons show the groups."""
    grouping = group_by_beacons(observed) if relearn is None else group_by_relearn(observed, relearn)
    uplinked = find_uplinked(observed, grouping.numbers, relearn)
    among, hidden = name_groups(Naming(observed, grouping.numbers, wiring, uplinked))
    cables = tuple(put_in_switch(cable, grouping, among) for cable in observed)
    return Matching(cables, hidden, grouping.one_way)


def group_by_beacons(observed: Sequence[ObservedCable]) -> Grouping:
    """Numbers the groups of cables that hear each other."""
    live = list_live(observed)
    graph = read_graph(live)
    numbers, one_way = find_components(live, graph)
    return Grouping(numbers, find_directions(live, graph), frozenset(), one_way)


def group_by_relearn(observed: Sequence[ObservedCable], relearn: Mapping[str, Any]) -> Grouping:
    """Takes the groups of the relearn probe. NICs that it could not place are unsure, unless neither they nor any NIC
    that they hear reach the head: their switch has no uplink, so their beacons are evidence. Returns one-way pairs of
    those NICs, as `group_by_beacons` does."""
    probed = {mac: number for number, group in enumerate(relearn["groups"]) for mac in group}
    # Frames that loop over the uplink switch reach it, although the probe stopped before it received any.
    reaching = {*relearn["reaches_head"], *(cable.mac for cable in observed if cable.loop)}
    live = list_live(observed)
    left = [cable for cable in live if cable.mac not in probed]
    apart = [
        cable for cable in left if not cable.hears or (reaching and reaching.isdisjoint([cable.mac, *cable.hears]))
    ]
    unsure = frozenset(cable.key for cable in left) - {cable.key for cable in apart}
    beyond, one_way = find_components(apart, read_graph(apart))
    numbers = {cable.key: probed[cable.mac] for cable in live if cable.mac in probed}
    numbers |= {key: len(relearn["groups"]) + label for key, label in beyond.items()}
    return Grouping(numbers, find_directions(live, read_graph(live)), unsure, one_way)


def list_live(observed: Iterable[ObservedCable]) -> list[ObservedCable]:
    return [cable for cable in observed if cable.carrier and not cable.is_duplicate]


def put_in_switch(cable: ObservedCable, grouping: Grouping, among: Mapping[int, tuple[str, ...]]) -> MatchedCable:
    """among: group -> the switch it is named after, and those that are hidden in it."""
    key = cable.key
    group = grouping.numbers.get(key)
    switches = among.get(group, ()) if group is not None else ()
    return MatchedCable(
        **vars(cable),
        passes=grouping.passes.get(key, "both"),
        unsure=cable.is_duplicate or key in grouping.unsure,
        group=group,
        seen=switches[0] if switches else None,
        among=switches,
    )


def name_groups(naming: Naming) -> tuple[dict[int, tuple[str, ...]], dict[str, str]]:
    """Group -> its switches, and hidden switch -> the switch whose group contains it.

    Groups that fit no switch, or fit one less well than other groups, stay without a name.
    """
    names, overfull = naming.choose(ANY_SIZE)
    hidden = find_hidden(naming, names)
    if overfull and not is_explained(naming, names, overfull, hidden):
        names = naming.choose_feasible()
        hidden = find_hidden(naming, names)
    among = {
        group: (name, *(switch for switch, host in hidden.items() if host == name))
        for group, name in names.items()
        if name not in hidden
    }
    return among, hidden


def is_explained(
    naming: Naming, names: Mapping[int, str], overfull: Collection[int], hidden: Mapping[str, str]
) -> bool:
    """Whether every group that is larger than its switch contains a hidden switch, and every group has a name."""
    left = [group for group in naming.groups if naming.size(group) > 1 and group not in names]
    return not left and {names[group] for group in overfull} <= set(hidden.values())


def find_uplinked(
    observed: Iterable[ObservedCable], numbers: Mapping[Key, int], relearn: Mapping[str, Any] | None
) -> set[int]:
    """The groups from which a NIC reaches the head of the relearn probe."""
    reaching = set(relearn["reaches_head"]) if relearn else set()
    return {numbers[cable.key] for cable in observed if cable.key in numbers and cable.mac in reaching}


def find_hidden(naming: Naming, names: Mapping[int, str]) -> dict[str, str]:
    """Hidden switch -> the switch whose group contains its cables. names: group -> switch."""
    wiring = naming.wiring
    places = [(cable.node, names[group]) for cable, group in naming.grouped if group in names]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for node, switch in places:
        counts[node][switch] += 1
    # A single cable is no switch, although the naming may have found no better group for that name.
    sizes = Counter(switch for _, switch in places)
    hidden: dict[str, str] = {}
    for switch in wiring.members:
        if sizes[switch] > 1:
            continue
        nodes = [node for node in wiring.members[switch] if node in counts]
        host, fitting = find_host(switch, nodes, counts, wiring, hidden)
        if host is not None and sizes[host] > 1 and fitting >= 2 and 2 * fitting > len(nodes):
            hidden[switch] = host
    return hidden


def find_host(
    switch: str,
    nodes: list[str],
    counts: Mapping[str, Counter[str]],
    wiring: Wiring,
    hidden: Mapping[str, str],
) -> tuple[str | None, int]:
    """The switch whose group holds most `nodes` of `switch`, beyond the NICs planned for it, and how many it holds."""
    fitting: Counter[str] = Counter()
    for node in nodes:
        needed = Counter(hidden.get(want, want) for _, want in wiring.wants[node] if want != switch)
        fitting.update(seen for seen, number in counts[node].items() if number > needed[seen])
    return max(fitting.items(), key=lambda item: item[1]) if fitting else (None, 0)


def list_probable_groups(cables: Collection[JudgedCable]) -> dict[int, list[JudgedCable]]:
    """Like `list_groups`, with each cable that the probe could not place in the group of its designed switch."""
    groups = list_groups(cables)
    by_switch = {cable.seen: cable.group for cable in cables if cable.seen and cable.group is not None}
    for cable in cables:
        if cable.unsure and cable.carrier and cable.expected in by_switch:
            groups[by_switch[cable.expected]].append(cable)
    return groups


def list_groups(cables: Iterable[JudgedCable]) -> dict[int, list[JudgedCable]]:
    """Number -> its cables."""
    groups: dict[int, list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        if cable.group is not None:
            groups[cable.group].append(cable)
    return groups
