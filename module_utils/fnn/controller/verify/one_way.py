# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables that pass frames in one direction only, or in none although they have carrier.

NICs share a switch if each hears the other. If a NIC is heard but hears none, its cable, port or the NIC itself only
sends. If it hears others but is not heard, the link only receives. A third NIC shows which end is at fault:

    RED: k00 k01 k02 hear each other and k03; k03 hears none      k03 receives nothing: k01 receives k00, so k00 sends
    RED: k00 hears k01, k01 hears nothing, no other is there      one of the two: the finding names both

Frames in one direction therefore join no groups. Such a cable belongs to the group of most of its neighbors, and the
neighbors are not accused. A NIC that another group hears, but that hears none of it, is not there: a device repeats its
frames. In a loop, a NIC stops at its first returning frame, before all NICs hear it, so there one direction counts.

A NIC with carrier that neither hears nor is heard is `silent`: its port may be blocked by spanning tree, filtered, in
another VLAN or dead, or the cable may lead elsewhere. The evidence is the same, so the finding suggests no move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .bridged import find_heard_over_bridges
from .model import Cable, Finding, Wiring
from .words import name_some

Pairs = list[tuple[Cable, Cable]]  # of each, only the first hears the second
Graph = Any  # sparse matrix: row hears column


def read_graph(live: list[Cable]) -> Graph:
    """Which of these cables hears which other, as a directed graph."""
    place = {cable.mac: index for index, cable in enumerate(live)}
    over = find_heard_over_bridges(live)
    heard = [
        [
            place[mac]
            for mac in cable.hears
            if mac in place and (cable.mac, mac) not in over and not is_stale(cable, live[place[mac]])
        ]
        for cable in live
    ]
    rows = np.repeat(np.arange(len(live)), [len(each) for each in heard])
    columns = np.array([index for each in heard for index in each], dtype=np.int64)
    ones = np.ones(len(rows), dtype=np.int8)
    return coo_array((ones, (rows, columns)), shape=(len(live), len(live))).tocsr()


def is_stale(hearing: Cable, heard: Cable) -> bool:
    """Whether the heard frame may be old. A frame in a loop over the uplinks keeps circulating after they are pulled.
    A NIC that is really in the loop hears itself, or at least the other NIC."""
    return hearing.loop and not heard.loop and hearing.mac not in heard.hears


def mark_directions(live: list[Cable]) -> None:
    """Sets `passes` of each cable that certainly has a fault."""
    graph = read_graph(live)
    receives, is_received = np.diff(graph.indptr) > 0, np.diff(graph.tocsc().indptr) > 0
    _, labels = connected_components(graph, directed=False)
    members = defaultdict(list)
    for index, label in enumerate(labels):
        members[int(label)].append(index)
    for group in members.values():
        if any(live[index].loop for index in group):
            continue
        senders, receivers = sum(is_received[group]), sum(receives[group])
        for index in group:
            if not receives[index] and not is_received[index]:
                live[index].passes = "none"
            elif not receives[index] and senders > 1:
                live[index].passes = "out"
            elif not is_received[index] and receivers > 1:
                live[index].passes = "in"


def find_components(live: list[Cable]) -> tuple[list[int], Pairs]:
    """The number of the component of each cable, and the pairs of which only the first hears the second."""
    graph = read_graph(live)
    one_way = (graph - graph.T).tocoo()
    arcs = sorted((int(i), int(j)) for i, j, one in zip(one_way.row, one_way.col, one_way.data) if one > 0)
    looped = [pair for pair in arcs if any(live[each].loop for each in pair)]
    labels = label_components(graph.multiply(graph.T) + make_graph(len(live), looped))
    sizes = Counter(labels)
    alone = {index for index, label in enumerate(labels) if sizes[label] == 1}
    neighbors: dict[int, Counter[int]] = defaultdict(Counter)
    for i, j in arcs:
        for one, other in ((i, j), (j, i)):
            if one in alone and other not in alone:
                neighbors[one][labels[other]] += 1
    for index, near in neighbors.items():
        labels[index] = near.most_common(1)[0][0]
    left = [(i, j) for i, j in arcs if {i, j} <= alone - neighbors.keys()]
    together = label_components(make_graph(len(live), left))
    first: dict[int, int] = {}
    for index in sorted({each for pair in left for each in pair}):
        labels[index] = first.setdefault(together[index], labels[index])
    return labels, [(live[i], live[j]) for i, j in arcs]


def make_graph(size: int, edges: list[tuple[int, int]]) -> Graph:
    rows = np.array([i for i, _ in edges], dtype=np.int64)
    columns = np.array([j for _, j in edges], dtype=np.int64)
    return coo_array((np.ones(len(edges), dtype=np.int8), (rows, columns)), shape=(size, size)).tocsr()


def label_components(graph: Graph) -> list[int]:
    return [int(label) for label in connected_components(graph, directed=False)[1]]


# --- Findings ---


def find_one_way(wiring: Wiring, cables: list[Cable], pairs: Pairs) -> Iterator[Finding]:
    """One finding per NIC and direction; then pairs of which either may be at fault; then repeated frames."""
    for cable in cables:
        if cable.expected is not None and cable.passes in ("in", "out"):
            if cable.seen is None or cable.expected in cable.among:
                cable.state = "faulty"
            yield describe_one_way(wiring, cable, cables)
    open_pairs = [
        (hearing, heard)
        for hearing, heard in pairs
        if not (hearing.loop or heard.loop) and hearing.passes == heard.passes == "both"
    ]
    for hearing, heard in open_pairs:
        if hearing.group == heard.group:
            yield describe_pair(hearing, heard, cables)
    yield from find_repeated(wiring, [pair for pair in open_pairs if pair[0].group != pair[1].group])


def describe_one_way(wiring: Wiring, cable: Cable, cables: list[Cable]) -> Finding:
    where = wiring.color(cable.seen or cable.expected)
    if cable.passes == "out":
        what = f"{cable.device} is received by the others on {where} but receives nothing"
        near = name_some([each.name for each in cables if cable.mac in each.hears])
        evidence = f"beacons: {cable.name} hears nothing, and is heard by {near}"
    else:
        what = f"{cable.device} receives the others on {where} but none of them receives it"
        near = name_some([each.name for each in cables if each.mac in cable.hears])
        evidence = f"beacons: {cable.name} hears {near}, and none of them hears it"
    action = (
        f"{cable.node}: {what}: replace the cable, then try another port of {where}, then the NIC; a filter at the "
        "port or on the node looks the same"
    )
    return Finding("one-way", [cable], action, evidence)


def describe_pair(hearing: Cable, heard: Cable, cables: list[Cable]) -> Finding:
    """A fault if the two NICs have no third on their switch; otherwise, a frame may be lost."""
    evidence = f"beacons: {hearing.name} hears {heard.name}, but not the other way round"
    if sum(each.group == hearing.group for each in cables) > 2:
        action = f"check the cables of {hearing.name} and {heard.name}: frames pass in one direction only"
        return Finding("unknown", [hearing, heard], action, evidence, breaks=False)
    for cable in (hearing, heard):
        cable.state = "faulty" if cable.state == "ok" else cable.state
    action = f"frames pass from {heard.name} to {hearing.name} only: replace the cable of one, then of the other"
    return Finding("one-way", [hearing, heard], action, evidence)


def find_repeated(wiring: Wiring, pairs: Pairs) -> Iterator[Finding]:
    """Frames of one group that another group hears, with none in the other direction."""
    heard_in: dict[tuple[int | None, int | None], dict[str, Cable]] = defaultdict(dict)
    hearing_of: dict[tuple[int | None, int | None], dict[str, Cable]] = defaultdict(dict)
    for hearing, heard in pairs:
        heard_in[heard.group, hearing.group][heard.mac] = heard
        hearing_of[heard.group, hearing.group][hearing.mac] = hearing
    for key, senders in heard_in.items():
        names = name_some([cable.name for cable in senders.values()])
        near = list(hearing_of[key].values())
        where = wiring.color(near[0].seen)
        action = (
            f"find the device that repeats frames of {names} on {where}: a host that replays them, a port that "
            "mirrors, or a cable that passes one direction only"
        )
        evidence = f"beacons: {name_some([cable.name for cable in near])} hear {names}, but not the other way round"
        yield Finding("unknown-frames", near, action, evidence, breaks=False)


def describe_silent(wiring: Wiring, cable: Cable) -> Finding:
    """For a cable that passes no frames and is on no planned switch."""
    cable.state = "faulty"
    where = wiring.color(cable.expected)
    action = (
        f"{cable.node}: {cable.device} has carrier, but no frames pass in either direction: if its cable is in "
        f"{where}, check the port (blocked by spanning tree, a filter, another VLAN, dead) and try another; if it is "
        "not, plug it in there"
    )
    evidence = f"beacons: {cable.name} has carrier; it hears no other NIC, and no other NIC hears it"
    return Finding("silent", [cable], action, evidence)
