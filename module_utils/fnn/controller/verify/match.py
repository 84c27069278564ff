# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch, and which switch that is.

Beacons, or the relearn probe, show groups: NICs that share a switch. Unmanaged switches announce no name, so each group
gets the name of a switch of the design under which the fewest faults explain all that is heard (explain.py). Switches
that were racked in another order are therefore no fault.

    design   red = k00 k01 k02    blue = k00 k01 k03
    groups   {k00.0 k01.0 k02.0}  {k00.1 k01.1 k03.0}      overlaps  red blue
                                                            group 0    3    2
                                                            group 1    2    3
Best is group 0 = red, group 1 = blue: six cables correct.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cables import JudgedCable, Key, MatchedCable, ObservedCable
from .explain import Explanation, explain
from .hearing import Grouping, Pairs, find_components, find_directions, read_graph
from .model import Wiring


@dataclass(frozen=True)
class Matching:
    """explanation: of all that is heard. one_way: see `Pairs`."""

    cables: tuple[MatchedCable, ...]
    explanation: Explanation
    one_way: Pairs


def match_cables(
    observed: Sequence[ObservedCable], wiring: Wiring, relearn: Mapping[str, Any] | None
) -> list[Matching]:
    """One for each explanation. relearn: the result of the relearn probe; without it, beacons show the groups."""
    grouping = group_by_beacons(observed) if relearn is None else group_by_relearn(observed, relearn)
    uplinked = find_uplinked(observed, grouping.numbers, relearn)
    return [
        Matching(tuple(put_in_switch(each, grouping, explanation) for each in observed), explanation, grouping.one_way)
        for explanation in explain(observed, grouping, wiring, uplinked)
    ]


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


def put_in_switch(cable: ObservedCable, grouping: Grouping, explanation: Explanation) -> MatchedCable:
    key = cable.key
    group = grouping.numbers.get(key)
    switches = explanation.among.get(group, ()) if group is not None else ()
    return MatchedCable(
        **vars(cable),
        passes=grouping.passes.get(key, "both"),
        unsure=cable.is_duplicate or key in grouping.unsure,
        group=group,
        seen=switches[0] if switches else None,
        among=switches,
    )


def find_uplinked(
    observed: Iterable[ObservedCable], numbers: Mapping[Key, int], relearn: Mapping[str, Any] | None
) -> set[int]:
    """The groups from which a NIC reaches the head of the relearn probe."""
    reaching = set(relearn["reaches_head"]) if relearn else set()
    return {numbers[cable.key] for cable in observed if cable.key in numbers and cable.mac in reaching}


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
