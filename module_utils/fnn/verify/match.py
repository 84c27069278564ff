# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch, and which switch that is.

Beacons show groups: NICs that hear each other hang on one switch. No unmanaged switch says its name, so a group is
named by the design: the naming under which most cables are right (a linear assignment over the overlaps). A design
whose switches were racked in another order is therefore simply right.

    design   red = k00 k01 k02    blue = k00 k01 k03
    groups   {k00.0 k01.0 k02.0}  {k00.1 k01.1 k03.0}      overlaps  red blue
                                                            group 0    3    2
                                                            group 1    2    3
Best is group 0 = red, group 1 = blue: six cables right. Within a node any NIC may serve any of its switches, so an
overlap counts nodes, not NICs; where that leaves a tie the NICs decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .model import Cable, Wiring


def find_groups(cables: list[Cable]) -> list[tuple[Cable, Cable]]:
    """Numbers the groups of cables that hear each other; returns pairs where only the first hears the second."""
    live = [cable for cable in cables if cable.carrier]
    place = {cable.mac: index for index, cable in enumerate(live)}
    heard = [(i, place[mac]) for i, cable in enumerate(live) for mac in cable.hears if mac in place]
    rows, columns = np.array(heard, dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(rows), dtype=np.int8)
    graph = coo_array((ones, (rows, columns)), shape=(len(live), len(live))).tocsr()
    _, labels = connected_components(graph, directed=False)
    for cable, label in zip(live, labels):
        cable.group = int(label)
    one_way = (graph - graph.T).tocoo()
    pairs = zip(one_way.row[one_way.data > 0], one_way.col[one_way.data > 0])
    return [(live[i], live[j]) for i, j in sorted((int(i), int(j)) for i, j in pairs)]


def name_groups(cables: list[Cable], wiring: Wiring) -> None:
    """Sets `seen` of each cable. Groups that fit no switch, or a worse one than others do, stay without a name."""
    switches = {switch: index for index, switch in enumerate(wiring.members)}
    count = 1 + max((cable.group for cable in cables if cable.group is not None), default=-1)
    if not count:
        return
    overlap = np.zeros((count, len(switches)))
    # Two NICs of one node in one group count once: only one of them can be right.
    nodes = {(cable.group, cable.node, switch) for cable, switch in find_fits(cables, wiring)}
    for group, _, switch in nodes:
        overlap[group, switches[switch]] += len(cables) + 1
    for cable, switch in find_fits(cables, wiring):
        if (cable.nic, switch) in wiring.wants[cable.node]:
            overlap[cable.group, switches[switch]] += 1
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    order = list(wiring.members)
    names = {int(row): order[column] for row, column in zip(rows, columns) if overlap[row, column] > 0}
    for cable in cables:
        if cable.group is not None:
            cable.seen = names.get(cable.group)


def find_fits(cables: list[Cable], wiring: Wiring) -> Iterator[tuple[Cable, str]]:
    """Each cable with carrier, with each switch its node should be on."""
    for cable in cables:
        if cable.group is not None:
            for _, switch in wiring.wants[cable.node]:
                yield cable, switch
