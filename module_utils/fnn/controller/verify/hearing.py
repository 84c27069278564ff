# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch: those that hear each other in a directed graph, or the groups of the relearn probe.

A cable that passes frames in one direction only joins no groups: it belongs to the group of most of its neighbors. In a
loop, a NIC stops at its first returning frame, before all NICs hear it, so there one direction counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bridged import find_heard_over_bridges
from .cables import Key, ObservedCable
from .components import Graph, label_components, make_graph

Pairs = Sequence[tuple[Key, Key]]  # of each, only the first hears the second


@dataclass(frozen=True)
class Grouping:
    """numbers: cable -> number of its group. passes: of each cable that certainly has a fault. unsure: cables whose
    switch cannot be determined. one_way: see `Pairs`. uplinked: groups from which a NIC reaches the head of the relearn
    probe."""

    numbers: Mapping[Key, int]
    passes: Mapping[Key, str]
    unsure: frozenset[Key]
    one_way: Pairs
    uplinked: frozenset[int] = frozenset()


def group_cables(observed: Sequence[ObservedCable], relearn: Mapping[str, Any] | None) -> Grouping:
    """Without the result of the relearn probe, beacons show the groups."""
    live = [cable for cable in observed if cable.carrier and not cable.is_duplicate]
    graph = read_graph(live)
    directions = find_directions(live, graph)
    if relearn is None:
        numbers, one_way = find_components(live, graph)
        return Grouping(numbers, directions, frozenset(), one_way)
    numbers, unsure, one_way = take_probed(live, relearn)
    heads = {numbers[cable.key] for cable in live if cable.key in numbers and cable.mac in relearn["reaches_head"]}
    return Grouping(numbers, directions, unsure, one_way, frozenset(heads))


def take_probed(
    live: Sequence[ObservedCable], relearn: Mapping[str, Any]
) -> tuple[dict[Key, int], frozenset[Key], Pairs]:
    """The groups of the relearn probe, the NICs that it could not place, and one-way pairs. Beacons are the evidence
    for NICs that it did not place if neither they nor any NIC that they hear reach the head: their switch has no
    uplink."""
    probed = {mac: number for number, group in enumerate(relearn["groups"]) for mac in group}
    reaching = find_reaching(live, relearn)
    left = [cable for cable in live if cable.mac not in probed]
    apart = [
        cable for cable in left if not cable.hears or (reaching and reaching.isdisjoint([cable.mac, *cable.hears]))
    ]
    beyond, one_way = find_components(apart, read_graph(apart))
    numbers = {cable.key: probed[cable.mac] for cable in live if cable.mac in probed}
    numbers |= {key: len(relearn["groups"]) + label for key, label in beyond.items()}
    return numbers, frozenset(cable.key for cable in left) - beyond.keys(), one_way


def find_reaching(cables: Iterable[ObservedCable], relearn: Mapping[str, Any]) -> set[str]:
    """MACs of NICs that reach the head of the relearn probe. A loop stops the probe before it receives a frame, but a
    NIC that hears itself over the uplink switch reaches that switch."""
    return {*relearn["reaches_head"], *(cable.mac for cable in cables if cable.loop)}


def read_graph(live: Sequence[ObservedCable]) -> Graph:
    """Which of these cables hears which other, as a directed graph."""
    place = {cable.mac: index for index, cable in enumerate(live)}
    over = find_heard_over_bridges(live)
    heard = [[place[mac] for mac in cable.hears if mac in place] for cable in live]
    if over or any(cable.heard_before or cable.loop for cable in live):  # seldom, and large clusters take long
        for cable, indexes in zip(live, heard):
            near = [index for index in indexes if not is_stale(cable, live[index])]
            indexes[:] = [index for index in near if (cable.mac, live[index].mac) not in over]
    rows = np.repeat(np.arange(len(live)), [len(each) for each in heard])
    return make_graph(len(live), np.column_stack([rows, [index for each in heard for index in each]]))


def is_stale(hearing: ObservedCable, heard: ObservedCable) -> bool:
    """Whether the heard frame may be old. A NIC that was moved during the run was heard at its former place: by NICs
    that it heard there, or by such as hear these, and none that it hears now. A frame in a loop over the uplinks keeps
    circulating after they are pulled: a NIC that is really in the loop hears itself, or at least the other NIC."""
    former, near = set(heard.heard_before), {hearing.mac, *hearing.hears}
    if hearing.mac in former or (former & near and near.isdisjoint(heard.hears)):
        return True
    return hearing.loop and not heard.loop and hearing.mac not in heard.hears


def find_directions(live: Sequence[ObservedCable], graph: Graph) -> dict[Key, str]:
    """`passes` of each cable that certainly has a fault. graph: that of the cables."""
    receives, is_received = np.diff(graph.indptr) > 0, np.diff(graph.tocsc().indptr) > 0
    labels = label_components(graph)
    senders, receivers = (np.bincount(labels, each) for each in (is_received, receives))
    looped = {label for label, cable in zip(labels, live) if cable.loop}
    passes = {}
    for index, (cable, label) in enumerate(zip(live, labels)):
        if label in looped:
            continue
        if not receives[index] and not is_received[index]:
            passes[cable.key] = "none"
        elif not receives[index] and senders[label] > 1:
            passes[cable.key] = "out"
        elif not is_received[index] and receivers[label] > 1:
            passes[cable.key] = "in"
    return passes


def find_components(live: Sequence[ObservedCable], graph: Graph) -> tuple[dict[Key, int], Pairs]:
    """The number of the component of each cable, and the pairs of which only the first hears the second."""
    one_way = (graph - graph.T).tocoo()
    arcs = sorted((int(i), int(j)) for i, j, one in zip(one_way.row, one_way.col, one_way.data) if one > 0)
    looped = [pair for pair in arcs if any(live[each].loop for each in pair)]
    joined = graph.multiply(graph.T) + make_graph(len(live), looped)
    labels = label_components(joined)
    sizes = Counter(labels)
    alone = {index for index, label in enumerate(labels) if sizes[label] == 1}
    near: dict[int, dict[int, int]] = defaultdict(dict)  # a cable alone -> label of a group -> a neighbor in it
    for i, j in arcs:
        for one, other in ((i, j), (j, i)):
            if one in alone and other not in alone and not live[other].heard_before:
                near[one][labels[other]] = other
    # A NIC with neighbors in two groups was moved in the run itself, or a device repeats its frames.
    beside = [(index, other) for index, groups in near.items() if len(groups) == 1 for other in groups.values()]
    between = [(i, j) for i, j in arcs if {i, j} <= alone - near.keys()]
    labels = label_components(joined + make_graph(len(live), [*beside, *between]))
    numbers = {cable.key: label for cable, label in zip(live, labels)}
    return numbers, [(live[i].key, live[j].key) for i, j in arcs]
