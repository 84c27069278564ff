# SPDX-License-Identifier: GPL-3.0-or-later
"""The cables between two nodes, where nodes bridge (spanning_tree.py).

In a ring of four whose cable k2 - k3 is blocked, a frame from k1 to k3 crosses k0:

    k1 -> k3   in at k1.0, out at k0.1; in at k0.0, out at k3.1

A port is named after the NIC at the other end of its cable. Bridges flood a frame whose destination they have not
learned, or not again in time, so frames may be at other ports as well. If no pair across a cable communicates, it is
the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import permutations
from typing import Any

from ..segments import End
from ..spanning_tree import BridgedPaths
from .trunks import Cut

Pair = tuple[str, str]


class FramePaths:
    """The paths of frames in a design whose nodes bridge."""

    def __init__(self, paths: BridgedPaths) -> None:
        self._paths = paths

    def list_switches(self, pair: Pair) -> list[str]:
        """None: frames pass nodes."""
        return []

    def find_cut(self, nodes: Iterable[str], silent: Set[Pair]) -> Iterator[Cut]:
        """Each cable between these nodes over which no pair communicates. Where another node gave no answer, it may be
        the cause instead. A pair with two paths crosses none for certain."""
        known = {*nodes}
        crossing: dict[Pair, list[set[frozenset[End]]]] = {
            pair: [{frozenset(cable) for cable in path} for path in self._paths.find(*pair)]
            for pair in permutations(known, 2)
        }
        for cable in (each for each in self._paths.cables if {node for node, _ in each} <= known):
            across = {pair for pair, paths in crossing.items() if all(frozenset(cable) in path for path in paths)}
            if across and across <= silent:
                one, other = (f"{node}:{nic}" for node, nic in cable)
                yield Cut("cable", (one, other), across)

    def is_path(self, flow: Mapping[str, Any], pair: Pair, ports: Mapping[str, str]) -> bool:
        """Whether a flow enters and leaves each cable on a path of its pair."""
        return any(
            {_name(near) for near, _ in path} <= set(flow["in"]) and {_name(far) for _, far in path} <= set(flow["out"])
            for path in self._paths.find(*pair)
        )


def _name(end: End) -> str:
    return f"{end[0]}.{end[1]}"
