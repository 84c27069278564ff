# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/statistics.py: intervals of medians, warm-up and stopping."""

from __future__ import annotations

import random

import pytest
from ansible.module_utils.fnn.controller.bench.statistics import (
    find_quantile,
    find_rank,
    find_warmup,
    list_quantiles,
    measure_median,
    rank_samples,
)


@pytest.mark.parametrize(
    ("n", "rank"),
    # The table of Le Boudec, Performance Evaluation, appendix A (95 %).
    [(5, None), (6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (20, 6), (30, 10), (50, 18), (70, 27)],
)
def test_ranks_of_the_interval_are_those_of_the_table(n: int, rank: int | None) -> None:
    assert find_rank(n) == rank


def test_ranks_of_many_samples_are_those_of_the_normal_approximation() -> None:
    # floor(n / 2 - 0.98 sqrt(n)), as the same table has it from 71 on.
    assert find_rank(1000) == pytest.approx(500 - 0.98 * 1000**0.5, abs=1)


@pytest.mark.parametrize("n", [6, 13, 40])
def test_the_interval_covers_the_median_as_often_as_it_says(n: int) -> None:
    chance = random.Random(n)
    covered = 0
    for _ in range(2000):
        # The median of a lognormal variable is 1.
        found = measure_median([chance.lognormvariate(0, 1) for _ in range(n)])
        covered += found.low is not None and found.high is not None and found.low <= 1 <= found.high
    assert covered / 2000 >= 0.94


def test_few_samples_have_a_median_without_an_interval() -> None:
    found = measure_median([3.0, 1.0, 2.0])
    assert (found.n, found.value, found.low, found.high, found.settled) == (3, 2.0, None, None, False)


@pytest.mark.parametrize(("spread", "settled"), [(0.049, True), (0.051, False)])
def test_a_median_is_settled_if_its_interval_is_within_five_percent(spread: float, settled: bool) -> None:
    samples = [1 - spread, 0.99, 1.0, 1.0, 1.0, 1.01]
    assert measure_median(samples).settled == settled


def test_quantiles_lie_between_samples() -> None:
    assert find_quantile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.5
    assert list_quantiles([4.0, 1.0, 3.0, 2.0]) == {
        "0": 1.0, "5": pytest.approx(1.15), "25": 1.75, "50": 2.5, "75": 3.25, "95": pytest.approx(3.85), "100": 4.0,
    }  # fmt: skip


def test_equal_samples_share_their_ranks() -> None:
    assert rank_samples([5.0, 1.0, 5.0, 2.0]) == [3.5, 1.0, 3.5, 2.0]


@pytest.mark.parametrize("seed", range(20))
def test_a_slow_start_is_warmup(seed: int) -> None:
    chance = random.Random(seed)
    slow = [1.5 + 0.2 * (6 - at) for at in range(6)]
    samples = [each * chance.lognormvariate(0, 0.02) for each in [*slow, *[1.0] * 30]]
    assert find_warmup(samples) in range(5, 12)


def test_samples_without_a_trend_are_seldom_cut() -> None:
    chance = random.Random(1)
    cut = sum(find_warmup([chance.lognormvariate(0, 0.3) for _ in range(30)]) > 0 for _ in range(500))
    assert cut / 500 < 0.1


def test_at_most_half_of_the_samples_are_warmup() -> None:
    assert find_warmup([float(40 - at) for at in range(40)]) <= 20


def test_an_outlier_at_the_start_of_few_samples_is_no_warmup() -> None:
    assert find_warmup([9.0, *[1.0] * 8]) == 0
