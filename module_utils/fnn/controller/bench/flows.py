# SPDX-License-Identifier: GPL-3.0-or-later
"""The flows of a cell, and how measured or predicted times of its series become one number.

A *cell* is one combination of kind, MPI, group, together and octets. Its ranks are in groups of consecutive ranks;
one group runs alone, or all whole groups at once. What a *series* is depends on the kind, as does the sample of the
cell, which all ranks together have in one repetition:

    kind        series                                   sample of the cell
    pingpong    a pair of ranks, half of the round trip  mean over pairs
    exchange    a rank, both neighbors on the ring       mean over ranks
    alltoall    a phase, its slowest rank                sum over phases
    bisection   a random pairing, a time for each flow   of each pairing, harmonic mean of its flows
    barrier     a group, its slowest rank                greatest

The harmonic mean keeps the mean rate: octets over it are the mean over flows of octets over time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, harmonic_mean
from typing import Any

from ..numbers import round_digits

Document = Mapping[str, Any]
#: (sender, receiver), as ranks
Flow = tuple[int, int]

PINGPONG, EXCHANGE, ALLTOALL, BISECTION, BARRIER = "pingpong", "exchange", "alltoall", "bisection", "barrier"
ONE, ALL = "one", "all"


def list_groups(ranks: int, group: int, together: str) -> list[range]:
    """The ranks of each group that runs."""
    whole = ranks // group if together == ALL else min(1, ranks // group)
    return [range(first * group, (first + 1) * group) for first in range(whole)]


def list_exchange(group: range) -> list[Flow]:
    """Each rank sends to both its neighbors on the ring; in a group of two twice to the same (KLAT2, 6.2.3)."""
    many = len(group)
    return [(rank, group[(place + by) % many]) for place, rank in enumerate(group) for by in (1, -1)]


def list_phase(group: range, offset: int) -> list[Flow]:
    """The flows of a phase of the all-to-all exchange: i to i + offset."""
    return [(rank, group[(place + offset) % len(group)]) for place, rank in enumerate(group)]


def list_steps(cell: Document, ranks: int) -> list[list[Flow]]:
    """The flows of a cell that run at once, step after step; none of a barrier."""
    kind, groups = cell["kind"], list_groups(ranks, cell["group"], cell["together"])
    if kind == BARRIER:
        return []
    if kind == BISECTION:
        return [[(one, other) for one, other in each] for each in cell.get("flows", ())]
    if kind == EXCHANGE:
        return [[flow for group in groups for flow in list_exchange(group)]]
    if kind == ALLTOALL:
        return [[flow for group in groups for flow in list_phase(group, by)] for by in range(1, cell["group"])]
    return [[(group[0], group[1]) for group in groups], [(group[1], group[0]) for group in groups]]


def combine(kind: str, samples: Sequence[Sequence[float]]) -> list[float]:
    """The samples of a cell. Series of different length count up to the shortest; empty if one is empty."""
    if kind == BISECTION:
        return [_average_rates(each) for each in samples if each]
    together = list(zip(*samples))
    if kind == ALLTOALL:
        return [sum(each) for each in together]
    if kind == BARRIER:
        return [max(each) for each in together]
    return [fmean(each) for each in together]


def count_sent(cell: Document) -> int:
    """Octets that each sending rank sends in the time of a sample; 0 for a barrier."""
    messages = {PINGPONG: 1, EXCHANGE: 2, ALLTOALL: cell["group"] - 1, BISECTION: 1, BARRIER: 0}
    return int(messages[cell["kind"]] * cell["bytes"])


def find_rate(sent: int, seconds: float | None) -> float | None:
    """Mbit/s of payload; None without octets or time."""
    return round_digits(8e-6 * sent / seconds) if sent and seconds else None


def _average_rates(times: Sequence[float]) -> float:
    return harmonic_mean(times) if all(times) else 0.0
