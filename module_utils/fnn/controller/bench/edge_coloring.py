# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors edges of a graph so that no two with a common end have one color: rounds without a common leg.

The problem: each pair of legs is an edge, each round a color. n legs of which all pairs are tested are a complete
graph, which has an optimal coloring by the *circle method* of tournaments (Kirkman 1847). One leg is in the center, all
others are on a circle. In round r the center meets the leg at place r, and the legs at equal distance from that place
meet each other. Six legs in round 0:

        0              5 in the center meets 0
      1   4            1 meets 4
       2 3             2 meets 3

With an even number of legs that is n - 1 rounds, with an odd number n, as the center is empty and one leg rests.

Other graphs need D or D + 1 colors, with D the most edges of a leg (Vizing 1964). Misra and Gries, *A constructive
proof of Vizing's theorem* (Information Processing Letters 41, 1992), find D + 1 in O(nodes * edges) steps: they extend
a coloring edge by edge. An edge (x, f) takes a color that is free at both ends. If there is none, a *fan* around x is
rotated, after a path of two alternating colors from x was inverted to make one color free at x and at the fan's end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

End = TypeVar("End", bound=Hashable)


def color_complete_graph(ends: Sequence[End]) -> list[list[tuple[End, End]]]:
    """Rounds of all pairs, by the circle method: one less than ends, or as many if their number is odd.

    The ends of a pair are in the order of `ends`.
    """
    around = len(ends) - 1 + len(ends) % 2
    rounds = []
    for center in range(around if len(ends) > 1 else 0):
        apart = [((center + by) % around, (center - by) % around) for by in range(1, (around + 1) // 2)]
        met = [(center, around), *(sorted(pair) for pair in apart)]
        rounds.append([(ends[one], ends[other]) for one, other in met if other < len(ends)])
    return rounds


class EdgeColoring(Generic[End]):
    """A coloring by Misra and Gries, at most one color more than the most edges of an end."""

    def __init__(self, edges: Iterable[tuple[End, End]]) -> None:
        """edges: each once; no end is its own neighbor."""
        self._edges = list(edges)
        self._color: dict[frozenset[End], int] = {}
        degree = Counter(end for edge in self._edges for end in edge)
        self._at: dict[End, dict[int, End]] = {end: {} for end in degree}
        self._most = max(degree.values(), default=0) + 1
        for one, other in self._edges:
            self._add(one, other)

    def list_rounds(self) -> list[list[tuple[End, End]]]:
        """The edges by color, without empty rounds, each as it was given."""
        rounds: list[list[tuple[End, End]]] = [[] for _ in range(self._most)]
        for edge in self._edges:
            rounds[self._color[frozenset(edge)]].append(edge)
        return [each for each in rounds if each]

    def _add(self, x: End, f: End) -> None:
        fan = self._make_fan(x, f)
        c, d = self._find_free(x), self._find_free(fan[-1])
        if c != d:
            self._invert_path(x, c, d)
        # The inversion may have ended the fan earlier: its longest valid beginning whose end has d free.
        valid = self._trim(x, fan)
        end = next(at for at in range(valid) if d not in self._at[fan[at]])
        for at in range(end):
            self._paint(x, fan[at], self._color[frozenset((x, fan[at + 1]))])
        self._paint(x, fan[end], d)

    def _make_fan(self, x: End, f: End) -> list[End]:
        """f and neighbors of x, the edge to each with a color that is free at the one before."""
        fan, left = [f], {other: color for color, other in self._at[x].items()}
        while True:
            following = next((other for other, color in left.items() if color not in self._at[fan[-1]]), None)
            if following is None:
                return fan
            fan.append(following)
            del left[following]

    def _trim(self, x: End, fan: Sequence[End]) -> int:
        """How many of a fan still are one."""
        for at in range(1, len(fan)):
            if self._color[frozenset((x, fan[at]))] in self._at[fan[at - 1]]:
                return at
        return len(fan)

    def _invert_path(self, x: End, c: int, d: int) -> None:
        """Exchange c and d on the path from x whose edges have d, c, d and so on; then d is free at x."""
        path, color = [x], d
        while color in self._at[path[-1]]:
            path.append(self._at[path[-1]][color])
            color = c if color == d else d
        edges = list(zip(path, path[1:]))
        colors = [self._color[frozenset(edge)] for edge in edges]
        for edge in edges:
            self._erase(*edge)
        for edge, before in zip(edges, colors):
            self._paint(*edge, c if before == d else d)

    def _find_free(self, end: End) -> int:
        return next(color for color in range(self._most) if color not in self._at[end])

    def _erase(self, one: End, other: End) -> None:
        color = self._color.pop(frozenset((one, other)), None)
        for end, peer in ((one, other), (other, one)):
            if color is not None and self._at[end].get(color) == peer:
                del self._at[end][color]

    def _paint(self, one: End, other: End, color: int) -> None:
        self._erase(one, other)
        self._color[frozenset((one, other))] = color
        self._at[one][color], self._at[other][color] = other, one
