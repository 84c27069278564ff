# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be mended by exchanging: swaps, cycles, and what is left.

Draw an arrow for each wrong cable, from the switch it is in to the switch it belongs to. Every arrow is one cable to
move, whatever we do; but arrows that close a circle can be exchanged without a free port, and two that point at each
other are one swap a person understands at a glance. So circles of two are taken out first, then of three, then longer
ones, found by walking until a switch repeats. What is left leads somewhere with a free port: a move.

The same serves for whole nodes, each an arrow from the switches it is on to the switches it should be on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)
Place = Any  # something that sorts: a switch, or the switches of a node
Ends = tuple[Place, Place]


def find_circles(
    things: Sequence[Thing], find_ends: Callable[[Thing], Ends | None]
) -> tuple[list[list[Thing]], list[Thing]]:
    """(circles, each in the order of the walk; the things that are in no circle).

    things: in the order of the nodes, which the answer keeps where it can.
    find_ends: from where to where a thing has to go; None for one that cannot be in a circle.
    """
    arrows: Arrows[Thing] = Arrows()
    rest = []
    for thing in things:
        ends = find_ends(thing)
        if ends is None:
            rest.append(thing)
        else:
            arrows.add(ends, thing)
    circles = [*take_pairs(arrows), *take_triangles(arrows)]
    longer, left = take_longer(arrows)
    rank = {thing: number for number, thing in enumerate(things)}
    return [turn(circle, rank) for circle in circles + longer], sorted(rest + left, key=rank.__getitem__)


class Arrows(Generic[Thing]):
    """from -> to -> things, in the order they came."""

    def __init__(self) -> None:
        self.targets: dict[Place, dict[Place, list[Thing]]] = defaultdict(dict)

    def add(self, ends: Ends, thing: Thing) -> None:
        self.targets[ends[0]].setdefault(ends[1], []).append(thing)

    def has(self, *path: Place) -> bool:
        """Whether every step of a closed path has an arrow."""
        return all(target in self.targets.get(source, {}) for source, target in zip(path, (*path[1:], path[0])))

    def leads_from(self, source: Place) -> list[Place]:
        return sorted(self.targets.get(source, {}))

    def take_one(self, source: Place, target: Place) -> Thing:
        things = self.targets[source]
        taken = things[target].pop(0)
        if not things[target]:
            del things[target]
        return taken

    def take(self, *path: Place) -> list[Thing]:
        """One thing for each step of a closed path."""
        return [self.take_one(source, target) for source, target in zip(path, (*path[1:], path[0]))]


def turn(circle: list[Thing], rank: dict[Thing, int]) -> list[Thing]:
    """The same circle, told from its first node on."""
    first = min(range(len(circle)), key=lambda place: rank[circle[place]])
    return circle[first:] + circle[:first]


def take_pairs(arrows: Arrows[Thing]) -> list[list[Thing]]:
    circles = []
    for a in sorted(arrows.targets):
        for b in arrows.leads_from(a):
            while arrows.has(a, b):
                circles.append(arrows.take(a, b))
    return circles


def take_triangles(arrows: Arrows[Thing]) -> list[list[Thing]]:
    circles = []
    for a in sorted(arrows.targets):
        for b in arrows.leads_from(a):
            for c in arrows.leads_from(b):
                while arrows.has(a, b, c):
                    circles.append(arrows.take(a, b, c))
    return circles


def take_longer(arrows: Arrows[Thing]) -> tuple[list[list[Thing]], list[Thing]]:
    """Walks arrow by arrow. A switch met again closes a circle; a switch without arrows ends a path for good."""
    circles: list[list[Thing]] = []
    rest: list[Thing] = []
    for start in sorted(arrows.targets):
        path = [start]
        while path:
            onward = arrows.leads_from(path[-1])[:1]
            if not onward:
                dead_end = path.pop()
                if path:
                    rest.append(arrows.take_one(path[-1], dead_end))
            elif onward[0] in path:
                circle = path[path.index(onward[0]) :]
                circles.append(arrows.take(*circle))
                del path[path.index(onward[0]) + 1 :]
            else:
                path.append(onward[0])
    return circles, rest
