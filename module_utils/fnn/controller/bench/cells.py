# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of a run: which combinations of kind, group, together and octets are measured in the time there is.

Groups are 2, 4, 8 and so on, and all ranks. The cheapest cells come first, by their predicted time; those that do not
fit into the budget are listed. So a cluster with slow links measures fewer sizes, and says which.

Kinds take turns, each by the size of its messages. So all kinds have results when the time is over before the last
cells, because nodes that share processors, as in a lab, take longer than predicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..numbers import round_digits
from .flows import ALL, ALLTOALL, BARRIER, BISECTION, EXCHANGE, ONE, PINGPONG
from .paths import Paths
from .predict import Calibration, Predictor
from .statistics import CONFIDENCE, SHARE

#: Octets of a message.
SIZES = (0, 64, 1024, 8192, 65536, 262144, 1048576, 4194304)
_BISECTION_SIZES = (1024, 65536, 1048576)
WARMUP, LEAST, MOST, PAIRINGS = 2, 6, 1000, 20
#: Random choices of paths for an estimate.
_DRAWS = 20
#: Most ranks of an all-to-all exchange, whose phases grow with the square of ranks.
_MOST_PHASED = 128
#: Least seconds of a message: the latency of two processors and a switch.
_LATENCY = 50e-6
#: Time limit of a cell in seconds: at least the first number, and this multiple of the time of its fewest repetitions.
_LEAST_SECONDS, _FACTOR = 0.5, 2.0


@dataclass(frozen=True)
class PlannedCell:
    """seconds: one repetition at the full rate of all links; None for a barrier. direction: of a bisection."""

    kind: str
    group: int
    together: str
    octets: int
    direction: str | None
    seconds: float | None

    @property
    def most_seconds(self) -> float:
        """When the nodes stop measuring the cell in any case; also its cost in the budget."""
        messages = {ALLTOALL: self.group - 1, EXCHANGE: 2}.get(self.kind, 1)
        repetitions = WARMUP + (PAIRINGS if self.kind == BISECTION else LEAST)
        least = repetitions * ((self.seconds or 0) + messages * _LATENCY)
        return round(max(_LEAST_SECONDS, _FACTOR * least), 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "group": self.group,
            "together": self.together,
            "bytes": self.octets,
            **({"direction": self.direction} if self.direction else {}),
            "expected_seconds": round_digits(self.seconds),
            "most_seconds": self.most_seconds,
        }


def list_cells(paths: Paths, sizes: Sequence[int] = SIZES) -> list[PlannedCell]:
    """All cells that a cluster can have, in the order of kinds, groups and sizes."""
    ranks, predictor = len(paths.nodes), Predictor(paths, draws=_DRAWS)
    return [_estimate(cell, ranks, predictor) for cell in _combine(ranks, sizes)]


def fit_cells(cells: Sequence[PlannedCell], budget: float) -> tuple[list[PlannedCell], list[PlannedCell]]:
    """(measured, in the order in which they run; left out): the cheapest cells whose most seconds together are at most
    the budget in seconds. Of cells that cost the same, kinds take turns."""
    turns = _take_turns(cells)
    cheapest = sorted(range(len(turns)), key=lambda at: turns[at].most_seconds)
    fitting, spent = set(), 0.0
    for at in cheapest:
        spent += turns[at].most_seconds
        if spent > budget:
            break
        fitting.add(at)
    return [turns[at] for at in sorted(fitting)], [each for at, each in enumerate(turns) if at not in fitting]


def list_group_sizes(ranks: int) -> list[int]:
    """2, 4, 8 and so on, and all ranks."""
    powers = [1 << exponent for exponent in range(1, ranks.bit_length()) if 1 << exponent < ranks]
    return [*powers, ranks]


def describe_sampling() -> dict[str, Any]:
    """How often a cell is repeated, for the nodes."""
    return {
        "warmup": WARMUP,
        "least": LEAST,
        "most": MOST,
        "pairings": PAIRINGS,
        "confidence": CONFIDENCE,
        "share": SHARE,
    }


def _combine(ranks: int, sizes: Sequence[int]) -> Iterator[tuple[str, int, str, int, str | None]]:
    groups = [(group, each) for group in list_group_sizes(ranks) for each in _list_together(ranks, group)]
    yield from ((BARRIER, group, each, 0, None) for group, each in groups)
    yield from ((PINGPONG, 2, each, size, None) for each in _list_together(ranks, 2) for size in sizes)
    yield from ((EXCHANGE, group, each, size, None) for group, each in groups for size in sizes)
    phased = [(group, each) for group, each in groups if group <= _MOST_PHASED]
    yield from ((ALLTOALL, group, each, size, None) for group, each in phased for size in sizes)
    for size in (each for each in _BISECTION_SIZES if each in sizes):
        yield from ((BISECTION, ranks, ALL, size, direction) for direction in ("uni", "sym"))


def _take_turns(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    """The cells in the order in which they run. When a share of them is over, so is this share of each kind."""
    shares: list[tuple[float, PlannedCell]] = []
    for kind in dict.fromkeys(each.kind for each in cells):
        of_kind = sorted((each for each in cells if each.kind == kind), key=lambda each: each.octets)
        shares += ((at / len(of_kind), each) for at, each in enumerate(of_kind))
    return [each for _, each in sorted(shares, key=lambda share: share[0])]


def _list_together(ranks: int, group: int) -> list[str]:
    """One group, and all if there are several."""
    return [ONE, ALL] if ranks // group > 1 else [ONE]


def _estimate(cell: tuple[str, int, str, int, str | None], ranks: int, predictor: Predictor) -> PlannedCell:
    kind, group, together, size, _ = cell
    flows = [[(rank, rank + 1) for rank in range(0, ranks - 1, 2)]]
    asked = {"kind": kind, "group": group, "together": together, "bytes": size, "flows": flows}
    # At a rate of 1 Mbit/s: 8e-6 seconds for an octet.
    found = predictor.predict(asked, Calibration(0.0, {size: 8e-6 * size}, 1.0))
    return PlannedCell(*cell, found.seconds if found else None)
