# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the groups of tests whose values are lower than those of all other tests, by rank-sum tests.

For each group, the hypothesis is that its values are not lower than those of the others by more than a margin. The
rank-sum test (Wilcoxon 1945, Mann and Whitney 1947) needs no distribution: U counts pairs of a value of the group and
another value, with the first one greater. The margin is given to the group before: 0.95 / 0.95 of the rate counts as
1.0. So a difference that does not matter is not found, however many samples there are. p is that of the normal
approximation with correction for continuity; ties make it greater than it is.

All groups are tested at once, so p is corrected by Holm's method (Holm, *A simple sequentially rejective multiple test
procedure*, 1979): the probability that any group of a network without faults is found stays below the level. Of the
groups that are significant, the one with the greatest z explains most: the tests of a slow switch are low in all groups
of its legs as well, but each of these leaves slow tests among the others. Its tests are removed, and the rest is tested
again, as in forward selection: a network may have several faults.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .groups import Group, Numbers
from .statistics import find_tail

#: Probability that anything is found in a network without faults.
LEVEL = 0.05
#: Tests that a group needs.
_LEAST = 4


@dataclass(frozen=True)
class Deviation:
    """A group of lower values. p: corrected. low, others: medians of the group and of the tests beside it."""

    group: Group
    p: float
    z: float
    low: float
    others: float


def find_deviations(
    values: Numbers, usable: NDArray[np.bool_], groups: Sequence[Group], raise_values: Callable[[Numbers], Numbers]
) -> Iterator[Deviation]:
    """The groups with lower values, the one that explains most first.

    usable: which tests count. raise_values: adds the margin.
    """
    left = usable & ~np.isnan(values)
    while True:
        found = _find_next(values, left, groups, raise_values)
        if found is None:
            return
        yield found
        left = left.copy()
        left[found.group.tests] = False


def correct(p: Sequence[float]) -> list[float]:
    """Holm's corrected p of each test."""
    order = sorted(range(len(p)), key=p.__getitem__)
    corrected, most = [0.0] * len(p), 0.0
    for place, at in enumerate(order):
        most = max(most, min(1.0, (len(p) - place) * p[at]))
        corrected[at] = most
    return corrected


def _find_next(
    values: Numbers, left: NDArray[np.bool_], groups: Sequence[Group], raise_values: Callable[[Numbers], Numbers]
) -> Deviation | None:
    raised, ordered = raise_values(values), np.sort(values[left])
    below = _count_below(ordered, raised)
    scores, tested = [], 0
    for group in groups:
        tests = group.tests[left[group.tests]]
        if len(tests) < _LEAST or len(tests) == len(ordered):
            continue
        tested += 1
        z = _find_z(values[tests], raised[tests], float(below[tests].sum()), len(ordered))
        if z > 0:
            scores.append((z, group, tests))
    p = [find_tail(z) for z, _, _ in scores]
    # The groups that were not scored have a p of 1/2 or more.
    corrected = correct([*p, *[1.0] * (tested - len(p))])
    significant = [at for at in range(len(p)) if corrected[at] <= LEVEL]
    if not significant:
        return None
    chosen = max(significant, key=lambda at: (scores[at][0], len(scores[at][2])))
    z, group, tests = scores[chosen]
    others = left.copy()
    others[tests] = False
    return Deviation(group, corrected[chosen], z, float(np.median(values[tests])), float(np.median(values[others])))


def _find_z(own: Numbers, raised: Numbers, below: float, total: int) -> float:
    """How many deviations U of a group is below its mean; at most 0 where it certainly is not.

    below: pairs of a raised value and any value, also of the group, with the first one greater.
    """
    n, others = len(own), total - len(own)
    deviation = math.sqrt(n * others * (total + 1) / 12)
    mean = n * others / 2
    # Within the group there are at most n * n pairs, so most groups need no exact count.
    if (mean - (below - n * n) - 0.5) / deviation < 1:
        return 0.0
    u = below - float(_count_below(np.sort(own), raised).sum())
    return (mean - u - 0.5) / deviation


def _count_below(ordered: Numbers, values: Numbers) -> Numbers:
    """How many of the ordered values are less than each value; equal ones count half."""
    counts = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return counts / 2.0
