# SPDX-License-Identifier: GPL-3.0-or-later
"""Decomposes wrong cables into swaps, longer cycles and single moves.

Each wrong cable is an arc from the switch it is in to the switch it belongs to. Every arc costs one move in any case.
Arcs that close a cycle need no free port, and a cycle of two is a swap that people understand at a glance. Cycles of
two are therefore removed first, then of three, then longer ones, each found by a breadth-first search. Each remaining
arc is a move to a free port.

Whole nodes work the same way: each is an arc from the switches it is on to the switches it should be on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

Item = TypeVar("Item", bound=Hashable)
Place = Any  # sortable: a switch, or the switches of a node


def find_cycles(ends: Mapping[Item, tuple[Place, Place]]) -> list[list[Item]]:
    """The cycles, each in the order of its arcs.

    ends: item -> its source and target; in the order of the nodes, which the result keeps where possible.
    """
    arcs: dict[Place, dict[Place, list[Item]]] = defaultdict(dict)
    for item, (source, target) in ends.items():
        arcs[source].setdefault(target, []).append(item)
    rank = {item: number for number, item in enumerate(ends)}
    cycles = []
    for longest in (2, 3, len(ends)):
        for start in sorted(arcs):
            while path := find_path(arcs, start, longest):
                cycle = [arcs[source][target].pop(0) for source, target in zip(path, [*path[1:], start])]
                first = min(range(len(cycle)), key=lambda place: rank[cycle[place]])
                cycles.append(cycle[first:] + cycle[:first])
    return cycles


def find_path(arcs: Mapping[Place, Mapping[Place, Any]], start: Place, longest: int) -> list[Place]:
    """The places of the shortest closed path from `start`; none if it has more than `longest` arcs."""
    paths = {start: [start]}
    ends = [start]
    while ends and longest:
        longest -= 1
        reached = [(place, target) for place in ends for target, items in sorted(arcs.get(place, {}).items()) if items]
        ends = []
        for place, target in reached:
            if target == start:
                return paths[place]
            if target not in paths:
                paths[target] = [*paths[place], target]
                ends.append(target)
    return []
