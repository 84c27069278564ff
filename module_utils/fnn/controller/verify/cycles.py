# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes wrong cables into swaps, longer cycles and single moves.

Each wrong cable is an arc from the switch it is in to the switch it belongs to. Every arc costs one move in any case.
Arcs that close a cycle need no free port, and a cycle of two is a swap that people understand at a glance. Cycles of
two are therefore removed first, then of three, then longer ones, found by a walk until a switch repeats. Each remaining
arc is a move to a free port.

Whole nodes work the same way: each is an arc from the switches it is on to the switches it should be on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)
Place = Any  # sortable: a switch, or the switches of a node
Ends = tuple[Place, Place]


def find_cycles(items: Sequence[Item], find_ends: Callable[[Item], Ends | None]) -> tuple[list[list[Item]], list[Item]]:
    """(cycles, each in the order of the walk; the items that are in no cycle).

    items: in the order of the nodes, which the result keeps where possible.
    find_ends: source and target of an item; None for one that cannot be in a cycle.
    """
    arcs: Arcs[Item] = Arcs()
    rest = []
    for item in items:
        ends = find_ends(item)
        if ends is None:
            rest.append(item)
        else:
            arcs.add(ends, item)
    cycles = [*take_pairs(arcs), *take_triangles(arcs)]
    longer, left = take_longer(arcs)
    rank = {item: number for number, item in enumerate(items)}
    return [turn(cycle, rank) for cycle in cycles + longer], sorted(rest + left, key=rank.__getitem__)


class Arcs(Generic[Item]):
    """source -> target -> items, in the order of insertion."""

    def __init__(self) -> None:
        self.targets: dict[Place, dict[Place, list[Item]]] = defaultdict(dict)

    def add(self, ends: Ends, item: Item) -> None:
        self.targets[ends[0]].setdefault(ends[1], []).append(item)

    def has(self, *path: Place) -> bool:
        """Whether every step of a closed path has an arc."""
        return all(target in self.targets.get(source, {}) for source, target in zip(path, (*path[1:], path[0])))

    def leads_from(self, source: Place) -> list[Place]:
        return sorted(self.targets.get(source, {}))

    def take_one(self, source: Place, target: Place) -> Item:
        items = self.targets[source]
        taken = items[target].pop(0)
        if not items[target]:
            del items[target]
        return taken

    def take(self, *path: Place) -> list[Item]:
        """One item for each step of a closed path."""
        return [self.take_one(source, target) for source, target in zip(path, (*path[1:], path[0]))]


def turn(cycle: list[Item], rank: dict[Item, int]) -> list[Item]:
    """The same cycle, rotated to start with the item of lowest rank."""
    first = min(range(len(cycle)), key=lambda place: rank[cycle[place]])
    return cycle[first:] + cycle[:first]


def take_pairs(arcs: Arcs[Item]) -> list[list[Item]]:
    cycles = []
    for a in sorted(arcs.targets):
        for b in arcs.leads_from(a):
            while arcs.has(a, b):
                cycles.append(arcs.take(a, b))
    return cycles


def take_triangles(arcs: Arcs[Item]) -> list[list[Item]]:
    cycles = []
    for a in sorted(arcs.targets):
        for b in arcs.leads_from(a):
            for c in arcs.leads_from(b):
                while arcs.has(a, b, c):
                    cycles.append(arcs.take(a, b, c))
    return cycles


def take_longer(arcs: Arcs[Item]) -> tuple[list[list[Item]], list[Item]]:
    """Walks arc by arc. A repeated switch closes a cycle; a switch without outgoing arcs is a dead end."""
    cycles: list[list[Item]] = []
    rest: list[Item] = []
    for start in sorted(arcs.targets):
        path = [start]
        while path:
            onward = arcs.leads_from(path[-1])[:1]
            if not onward:
                dead_end = path.pop()
                if path:
                    rest.append(arcs.take_one(path[-1], dead_end))
            elif onward[0] in path:
                cycle = path[path.index(onward[0]) :]
                cycles.append(arcs.take(*cycle))
                del path[path.index(onward[0]) + 1 :]
            else:
                path.append(onward[0])
    return cycles, rest
