# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs a pair without a common switch meets by, when it may meet over the uplink switch (controller only).

Both ends must take the same two NICs, or the switches would learn one way and carry the frames another. A satellite
has one NIC. For a node any NIC on a *raised* switch, one with a cable to the uplink switch, would do; those cables are
what gets crowded, so each satellite's nodes are spread over them as evenly as can be.

A tiny example. k00 has red and blue, k01 red alone. First come, first served gives red both; then k00 is moved to blue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Link = Mapping[str, Any]


class Crossings:
    """links: by rank, those on raised switches and on the uplink switch itself. everybody: whether nodes may meet so,
    and not only nodes and satellites."""

    def __init__(self, links: Sequence[Sequence[Link]], uplink: str | None, everybody: bool) -> None:
        self._links = links
        self._everybody = everybody
        self._satellites = [rank for rank, own in enumerate(links) if any(link["switch"] == uplink for link in own)]
        self._chosen = self._choose()

    def find(self, rank: int, to: int) -> tuple[Link, Link] | None:
        """The link of `rank` and that of `to` by which they meet; None where they may not, or cannot."""
        if (rank, to) in self._chosen:
            return self._chosen[rank, to], self._links[to][0]
        if (to, rank) in self._chosen:
            return self._links[rank][0], self._chosen[to, rank]
        mine, theirs = self._links[rank], self._links[to]
        if self._everybody and mine and theirs and not {rank, to} & set(self._satellites):
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
    """One of its options for each, so that no option is chosen more often than it must.

    A choice is the best there is when no chain of changes takes from one option and gives to another that is chosen at
    least twice less often (Harvey, Ladner, Lovasz and Tamir, Semi-matchings for bipartite graphs, 2006).
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
    """Changes (who, to what) that level the choice; none when it is level."""
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
