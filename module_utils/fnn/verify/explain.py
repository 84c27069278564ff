# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest instruction that mends wrong cables: swaps, cycles, then single moves.

Draw an arrow for each wrong cable, from the switch it is in to the switch it belongs to. Every arrow is one cable to
move, whatever we do; but arrows that close a circle can be exchanged without a free port, and two that point at each
other are one swap a person understands at a glance. So circles of two are taken out first, then of three, then longer
ones, found by walking until a switch repeats. What is left leads somewhere with a free port: a move.
"""

from __future__ import annotations

from collections import defaultdict

from .model import Cable

Arrows = dict[str, dict[str, list[Cable]]]  # from -> to -> cables


def find_circles(wrong: list[Cable]) -> tuple[list[list[Cable]], list[Cable]]:
    """(circles, each a list of cables in the order of the walk; the cables that are in no circle).

    wrong: in the order of the nodes, which the answer keeps where it can.
    """
    arrows: Arrows = defaultdict(dict)
    moves = [cable for cable in wrong if cable.seen is None]
    for cable in wrong:
        if cable.seen is not None and cable.expected is not None:
            arrows[cable.seen].setdefault(cable.expected, []).append(cable)
    circles = take_pairs(arrows) + take_triangles(arrows)
    longer, rest = take_longer(arrows)
    rank = {cable: number for number, cable in enumerate(wrong)}
    return [turn(circle, rank) for circle in circles + longer], sorted(moves + rest, key=rank.__getitem__)


def turn(circle: list[Cable], rank: dict[Cable, int]) -> list[Cable]:
    """The same circle, told from its first node on."""
    first = min(range(len(circle)), key=lambda place: rank[circle[place]])
    return circle[first:] + circle[:first]


def take(arrows: Arrows, *path: str) -> list[Cable]:
    """Takes one cable for each arrow of a closed path, which must be there."""
    taken = []
    for source, target in zip(path, (*path[1:], path[0])):
        taken.append(arrows[source][target].pop(0))
        if not arrows[source][target]:
            del arrows[source][target]
    return taken


def has(arrows: Arrows, source: str, target: str) -> bool:
    return target in arrows.get(source, {})


def take_pairs(arrows: Arrows) -> list[list[Cable]]:
    circles = []
    for a in sorted(arrows):
        for b in sorted(arrows[a]):
            while has(arrows, a, b) and has(arrows, b, a):
                circles.append(take(arrows, a, b))
    return circles


def take_triangles(arrows: Arrows) -> list[list[Cable]]:
    circles = []
    for a in sorted(arrows):
        for b in sorted(arrows[a]):
            for c in sorted(arrows.get(b, {})):
                while has(arrows, a, b) and has(arrows, b, c) and has(arrows, c, a):
                    circles.append(take(arrows, a, b, c))
    return circles


def take_longer(arrows: Arrows) -> tuple[list[list[Cable]], list[Cable]]:
    """Walks arrow by arrow. A switch met again closes a circle; a switch without arrows ends a path for good."""
    circles: list[list[Cable]] = []
    moves: list[Cable] = []
    for start in sorted(arrows):
        path = [start]
        while path:
            here = path[-1]
            if not arrows.get(here):
                path.pop()
                if path:
                    moves.append(arrows[path[-1]][here].pop(0))
                    if not arrows[path[-1]][here]:
                        del arrows[path[-1]][here]
                continue
            onward = min(arrows[here])
            if onward in path:
                circle = path[path.index(onward) :]
                circles.append(take(arrows, *circle))
                del path[path.index(onward) + 1 :]
            else:
                path.append(onward)
    return circles, moves
