# SPDX-License-Identifier: GPL-3.0-or-later
"""How a cost grows with the number of nodes: an exponent, and the cost at a number that was not measured.

A cost of c n^k is a line of slope k in log n and log c. Start-up adds a constant, which lowers the slope at small n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping


def fit_exponent(costs: Mapping[int, float]) -> float:
    """The slope of the least-squares line through (log n, log cost); nan below two sizes or with a cost of zero."""
    if len(costs) < 2 or min(costs.values()) <= 0:
        return math.nan
    xs, ys = [math.log(n) for n in costs], [math.log(cost) for cost in costs.values()]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def extrapolate(costs: Mapping[int, float], n: int) -> float:
    """The cost at n on the line through the two largest measured numbers, for a cost of a + b n. Raises ValueError."""
    if len(costs) < 2:
        raise ValueError("a line needs two points")
    (first, low), (second, high) = sorted(costs.items())[-2:]
    return high + (high - low) / (second - first) * (n - second)


def format_exponent(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"
