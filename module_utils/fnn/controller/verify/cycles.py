# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be mended by exchanging: swaps, cycles, and what is left.

Draw an arc for each wrong cable, from the switch it is in to the switch it belongs to. Every arc is one cable to
move, whatever we do; but arcs that close a cycle can be exchanged without a free port, and two that point at each
other are one swap a person understands at a glance. So cycles of two are taken out first, then of three, then longer
ones, found by walking until a switch repeats. What is left leads somewhere with a free port: a move.

The same serves for whole nodes, each an arc from the switches it is on to the switches it should be on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)
Place = Any  # something that sorts: a switch, or the switches of a node
Ends = tuple[Place, Place]


def find_cycles(items: Sequence[Item], find_ends: Callable[[Item], Ends | None]) -> tuple[list[list[Item]], list[Item]]:
    """(cycles, each in the order of the walk; the items that are in no cycle).

    items: in the order of the nodes, which the answer keeps where it can.
    find_ends: from where to where an item has to go; None for one that cannot be in a cycle.
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
    """from -> to -> items, in the order they came."""

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
    """The same cycle, told from its first node on."""
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
    """Walks arc by arc. A switch met again closes a cycle; a switch without arcs ends a path for good."""
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
