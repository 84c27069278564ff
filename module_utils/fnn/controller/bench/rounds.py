# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair tests of a design in rounds: every pair of legs on every segment, no leg twice in a round.

A switch with m legs needs m - 1 rounds, or m if m is odd (edge_coloring.py). Round r of one switch runs together with
round r of all others, which have other legs: the widest switch decides how many rounds there are. KLAT2's 256 legs on
nine switches need 31.

Short plans are repeated, since a test of significance needs samples: two nodes on a cable have a single pair. At the
end, a few rounds test one pair per switch alone. If that pair reaches its rate and all pairs together do not, then the
switch is oversubscribed, and its ports are not slow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import Any

from .edge_coloring import EdgeColoring, color_complete_graph
from .fabric import Fabric
from .legs import Leg

#: A plan has at least so many rounds: with 12 rounds a leg has 24 samples or more, in both directions.
LEAST_ROUNDS = 12
#: Rounds that test one pair of each switch alone.
ALONE_ROUNDS = 3


@dataclass(frozen=True)
class PairTest:
    """Two legs of a segment. mbps: what each direction should get when all tests of the round run."""

    one: Leg
    other: Leg
    mbps: float

    def to_json(self) -> dict[str, Any]:
        return {
            "from": self.one.node,
            "from_nic": self.one.device,
            "to": self.other.node,
            "to_nic": self.other.device,
            "switch": self.one.segment,
            "expected_mbps": round(self.mbps, 3),
        }


Round = list[PairTest]
Pair = tuple[Leg, Leg]


def plan_rounds(fabric: Fabric, at_once: int | None = None) -> list[Round]:
    """All rounds of a design. at_once: the most pair tests of a round, for nodes that share one processor."""
    colored = [_color(legs) for legs in fabric.legs.values()]
    merged = [[pair for part in parts for pair in part] for parts in zip_longest(*colored, fillvalue=())]
    repeats = -(-LEAST_ROUNDS // len(merged)) if merged else 0
    alone = list(_list_alone(fabric))
    pairs = [part for each in [*merged * repeats, *alone] for part in _split(each, at_once)]
    return [_expect(each, fabric) for each in pairs]


def _color(legs: Sequence[Leg]) -> list[list[Pair]]:
    """Rounds of all pairs of legs of different nodes."""
    wanted = [pair for pair in combinations(legs, 2) if pair[0].node != pair[1].node]
    degree = Counter(leg for pair in wanted for leg in pair)
    if max(degree.values(), default=0) + 1 < len(legs) - 1:
        # Nodes with several NICs on a switch: fewer rounds than those of the complete graph.
        return EdgeColoring(wanted).list_rounds()
    rounds = color_complete_graph(legs)
    return [part for each in rounds if (part := [pair for pair in each if pair[0].node != pair[1].node])]


def _list_alone(fabric: Fabric) -> Iterator[list[Pair]]:
    """Rounds with a single pair of each segment that tests several pairs at once elsewhere."""
    wide = [legs for legs in fabric.legs.values() if len({leg.node for leg in legs}) > 3]
    for number in range(ALONE_ROUNDS if wide else 0):
        yield [_choose_pair(legs, number) for legs in wide]


def _choose_pair(legs: Sequence[Leg], number: int) -> Pair:
    """Two legs of different nodes, others for each number."""
    first = legs[2 * number % len(legs)]
    return first, next(leg for leg in (*legs[legs.index(first) + 1 :], *legs) if leg.node != first.node)


def _split(pairs: Sequence[Pair], at_once: int | None) -> Iterator[Sequence[Pair]]:
    step = at_once or len(pairs)
    for start in range(0, len(pairs), step):
        yield pairs[start : start + step]


def _expect(pairs: Sequence[Pair], fabric: Fabric) -> Round:
    """The tests of a round: where pairs share a trunk or the inside of a switch, each expects its part."""
    flows = [fabric.connect(*ends)[0] for pair in pairs for ends in (pair, pair[::-1])]
    rates = fabric.share(flows)
    return [PairTest(*pair, min(rates[2 * at], rates[2 * at + 1])) for at, pair in enumerate(pairs)]
