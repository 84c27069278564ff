# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of frames where nodes bridge: which cable the spanning tree blocks, and which nodes a frame crosses.

The spanning tree protocol (IEEE 802.1D-2004) elects the bridge with the lowest priority as the root, and blocks the
cable that is farthest from it. Among equally short paths to the root, a bridge takes that of the neighbor with the
lower priority. So priorities decide which cable is blocked. It is the one that the engine evaluates
(topology_network.cc), the last in rank order. In a ring of four that is k2 - k3, if k0 is the root and k1 comes before
k3:

    k3 --- k0 --- k1 --- k2 -x- k3      hops 0 0 0 1 1 2

With a bond no bridge blocks a cable: the bonded node does not forward, and its frames leave over both cables in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .segments import End, list_cable_ends

Document = Mapping[str, Any]
Cable = tuple[End, End]

#: Bridge priorities, multiples of 4096: of the root, of nodes between it and one end of the blocked cable, of others.
ROOT, NEAR, FAR = 4096, 8192, 32768
STP, BONDED = "stp", "bonded"


def find_blocked(design: Document) -> Cable | None:
    """The cable that the spanning tree blocks, None without spanning tree. design: a document."""
    if design["spec"].get("mode") != STP:
        return None
    ends = [(node["name"], link["nic"]) for node in design["nodes"] for link in node["links"]]
    place = {end: number for number, end in enumerate(ends)}
    return max(list_cable_ends(design), key=lambda cable: min(place[end] for end in cable))


def find_bonded(design: Document) -> str | None:
    """The node that bonds its NICs and does not forward: the last one, or None."""
    return design["nodes"][-1]["name"] if design["spec"].get("mode") == BONDED else None


def choose_priorities(design: Document) -> dict[str, int]:
    """Node -> its bridge priority; empty without spanning tree."""
    blocked = find_blocked(design)
    if blocked is None:
        return {}
    (cables,) = BridgedPaths(design).find(blocked[1][0], blocked[0][0])
    path = [blocked[1][0], *(far[0] for _, far in cables)]
    root = (len(path) - 1) // 2
    return {node: FAR if at < root else ROOT if at == root else NEAR for at, node in enumerate(path)}


class BridgedPaths:
    """The cables that frames between two nodes take."""

    def __init__(self, design: Document) -> None:
        """design: a document."""
        blocked, self._bonded = find_blocked(design), find_bonded(design)
        self.cables = [cable for cable in list_cable_ends(design) if cable != blocked]
        self._from: dict[str, list[Cable]] = {node["name"]: [] for node in design["nodes"]}
        for one, other in self.cables:
            self._from[one[0]].append((one, other))
            self._from[other[0]].append((other, one))

    def find(self, start: str, end: str) -> list[list[Cable]]:
        """Each path as its cables, (end at the nearer node, end at the farther one): one, or two from or to a bond."""
        return list(self._extend([], start, end))

    def _extend(self, path: list[Cable], at: str, end: str) -> Iterator[list[Cable]]:
        if at == end:
            yield path
        elif not path or at != self._bonded:
            crossed = {near[0] for near, _ in path}
            for cable in self._from[at]:
                if cable[1][0] not in crossed:
                    yield from self._extend([*path, cable], cable[1][0], end)
