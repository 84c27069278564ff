# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of repeated measurements, which are neither normal nor symmetric: medians, with intervals by ranks.

Times of messages have a floor, a long tail and often several modes. So nothing here assumes a distribution, as Hoefler
and Belli recommend (*Scientific Benchmarking of Parallel Computing Systems*, SC 2015, rules 5, 6 and 8).

Interval of the median
    The number of samples below the median is binomial (n, 1/2). So the median is between the k-th least and the k-th
    greatest of n samples with probability 1 - 2 P(B < k) (David and Nagaraja, *Order Statistics*, 7.1; Le Boudec,
    *Performance Evaluation*, theorem 2.1). The greatest k for which that is at least the confidence is used: with
    95 %, six samples give their least and greatest, nine the second least and second greatest.

Warm-up
    1. The nodes do not record the first repetitions: in these, MPI opens its connections, TCP is in slow start, and
       pages are touched for the first time.
    2. Of the rest, a beginning is cut that is slower: the one with the greatest statistic of a one-sided rank-sum test
       against all samples after it, at most half of them (a maximally selected rank statistic; Lausen and Schumacher,
       Biometrics 48, 1992). It is cut if that is significant at 5 %, corrected by Bonferroni for the cuts tried: so
       samples without a trend stay, and one outlier weighs no more than another.

Stopping
    A cell is *settled* if both ends of the interval are within a share of the median, 5 % by default (rule 8 there).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
#: The interval of a settled median ends within this share of it.
SHARE = 0.05
#: Quantiles of a cell, in percent.
QUANTILES = (0, 5, 25, 50, 75, 95, 100)
#: Level of the test that a beginning is slower than the rest.
_WARMUP_LEVEL = 0.05
#: Samples from which on a beginning is looked for.
_LEAST_FOR_CUT = 10


@dataclass(frozen=True)
class Median:
    """low, high: the interval; None where there are too few samples. settled: whether it is within the share."""

    n: int
    value: float
    low: float | None
    high: float | None
    settled: bool


@functools.cache
def find_rank(n: int, confidence: float = CONFIDENCE) -> int | None:
    """The greatest k for which the k-th least and k-th greatest of n samples enclose the median with this confidence.

    None if even the least and the greatest do not.
    """
    below, rank = 0.0, 0
    while rank < n // 2:
        below += math.exp(_log_choose(n, rank) - n * math.log(2))
        if 1 - 2 * below < confidence:
            break
        rank += 1
    return rank or None


def measure_median(samples: Sequence[float], confidence: float = CONFIDENCE, share: float = SHARE) -> Median:
    """The median of samples, at least one, with its interval."""
    ordered = sorted(samples)
    value, rank = find_quantile(ordered, 0.5), find_rank(len(ordered), confidence)
    if rank is None:
        return Median(len(ordered), value, None, None, False)
    low, high = ordered[rank - 1], ordered[-rank]
    settled = max(high - value, value - low) <= share * abs(value)
    return Median(len(ordered), value, low, high, settled)


def find_quantile(ordered: Sequence[float], part: float) -> float:
    """The quantile of sorted samples, linear between two of them (type 7 of Hyndman and Fan)."""
    place = part * (len(ordered) - 1)
    lower = int(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (place - lower) * (ordered[upper] - ordered[lower])


def list_quantiles(samples: Sequence[float]) -> dict[str, float]:
    """The quantiles of a cell by percent."""
    ordered = sorted(samples)
    return {str(percent): find_quantile(ordered, percent / 100) for percent in QUANTILES}


def find_warmup(samples: Sequence[float]) -> int:
    """How many times at the start are warm-up, as they are longer than all after them; 0 if they are not."""
    n, most = len(samples), len(samples) // 2
    if n < _LEAST_FOR_CUT:
        return 0
    total, cut, best = 0.0, 0, 0.0
    for number, rank in enumerate(rank_samples(samples)[:most], 1):
        total += rank
        deviation = math.sqrt(number * (n - number) * (n + 1) / 12)
        z = (total - number * (n + 1) / 2 - 0.5) / deviation
        if z > best:
            cut, best = number, z
    return cut if most * find_tail(best) < _WARMUP_LEVEL else 0


def rank_samples(samples: Sequence[float]) -> list[float]:
    """Ranks from 1 on, equal samples with the mean of theirs."""
    _, places, counts = np.unique(np.asarray(samples), return_inverse=True, return_counts=True)
    ranks: list[float] = (np.cumsum(counts) - (counts - 1) / 2)[places].tolist()
    return ranks


def find_tail(z: float) -> float:
    """Probability that a standard normal variable is greater than z."""
    return math.erfc(z / math.sqrt(2)) / 2


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
