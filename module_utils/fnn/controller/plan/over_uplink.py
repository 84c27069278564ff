# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the NICs for pairs without a common switch that may use the uplink switch (controller only).

Both ends must use the same two NICs: otherwise the switches learn MACs on one path and forward frames on another. A
satellite has one NIC. A node may use any NIC on an *uplinked* switch, one with a cable to the uplink switch. These
cables are the bottleneck, so the pairs of nodes and satellites are spread over them as evenly as possible.

An example. k00 has NICs on red and blue, k01 only on red. A greedy choice gives red to both; then k00 moves to blue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Link = Mapping[str, Any]


class Crossings:
    """The links over which a node and a satellite, or two nodes, meet through the uplink switch.

    links: by rank, those on uplinked switches and on the uplink switch itself. between_nodes: whether two nodes may use
    the uplink switch, and not only a node and a satellite.
    """

    def __init__(self, links: Sequence[Sequence[Link]], uplink: str | None, between_nodes: bool) -> None:
        self._links = links
        self._between_nodes = between_nodes
        self._satellites = [rank for rank, own in enumerate(links) if any(link["switch"] == uplink for link in own)]
        self._chosen = self._choose()

    def find(self, rank: int, to: int) -> tuple[Link, Link] | None:
        """The links of `rank` and of `to` that the pair uses; None where it may not use the uplink, or cannot."""
        if (rank, to) in self._chosen:
            return self._chosen[rank, to], self._links[to][0]
        if (to, rank) in self._chosen:
            return self._links[rank][0], self._chosen[to, rank]
        mine, theirs = self._links[rank], self._links[to]
        if self._between_nodes and mine and theirs and not {rank, to} & set(self._satellites):
            return mine[to % len(mine)], theirs[rank % len(theirs)]
        return None

    def _choose(self) -> dict[tuple[int, int], Link]:
        """(node, satellite) -> the node's link."""
        nodes = [rank for rank, own in enumerate(self._links) if own and rank not in self._satellites]
        pairs = [(node, satellite) for satellite in self._satellites for node in nodes]
        switches = spread([[link["switch"] for link in self._links[node]] for node, _ in pairs])
        return {
            pair: next(link for link in self._links[pair[0]] if link["switch"] == switch)
            for pair, switch in zip(pairs, switches, strict=True)
        }


def spread(options: Sequence[Sequence[str]]) -> list[str]:
    """The chosen option of each entry, with the load spread as evenly as possible over the options.

    A choice is optimal when no chain of changes moves one unit of load from an option to another whose load is lower
    by at least two (Harvey, Ladner, Lovasz and Tamir, Semi-matchings for bipartite graphs, 2006).
    """
    load: Counter[str] = Counter()
    chosen: list[str] = []
    for each in options:
        best = min(each, key=lambda option: load[option])
        load[best] += 1
        chosen.append(best)
    while chain := _find_chain(options, chosen, load):
        load[chosen[chain[0][0]]] -= 1
        load[chain[-1][1]] += 1
        for index, option in chain:
            chosen[index] = option
    return chosen


def _find_chain(options: Sequence[Sequence[str]], chosen: list[str], load: Counter[str]) -> list[tuple[int, str]]:
    """A chain of changes (index, new option) that spreads the load more evenly; empty when there is none."""
    moves: dict[str, dict[str, int]] = {}
    for index, each in enumerate(options):
        for option in each:
            moves.setdefault(chosen[index], {}).setdefault(option, index)
    for start in sorted(moves, key=lambda option: -load[option]):
        came: dict[str, tuple[int, str]] = {start: (-1, "")}
        queue = [start]
        for at in queue:
            if load[at] <= load[start] - 2:
                return _walk_back(at, start, came)
            for option, index in moves.get(at, {}).items():
                if option not in came:
                    came[option] = (index, at)
                    queue.append(option)
    return []


def _walk_back(end: str, start: str, came: Mapping[str, tuple[int, str]]) -> list[tuple[int, str]]:
    chain = []
    while end != start:
        index, before = came[end]
        chain.append((index, end))
        end = before
    return chain[::-1]
