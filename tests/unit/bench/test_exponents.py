# SPDX-License-Identifier: GPL-3.0-or-later
"""The exponents of costs, and costs at sizes that were not measured."""

from __future__ import annotations

import math

import pytest

from bench.exponents import extrapolate, fit_exponent, format_exponent


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found_at_any_scale(exponent: float) -> None:
    costs = {n: 0.003 * n**exponent for n in (64, 256, 1024)}
    assert fit_exponent(costs) == pytest.approx(exponent)


def test_the_exponent_is_that_of_the_least_squares_line() -> None:
    # In powers of four: (0, 0), (1, 0), (2, 3); the line has the slope 3 / 2.
    assert fit_exponent({1: 1.0, 4: 1.0, 16: 64.0}) == pytest.approx(1.5)


def test_a_constant_part_lowers_the_exponent() -> None:
    assert 0 < fit_exponent({n: 5 + 0.01 * n for n in (64, 256, 1024)}) < 1


@pytest.mark.parametrize("costs", [{}, {64: 1.0}, {64: 0.0, 256: 1.0}])
def test_without_two_costs_above_zero_there_is_no_exponent(costs: dict[int, float]) -> None:
    assert math.isnan(fit_exponent(costs))
    assert format_exponent(fit_exponent(costs)) == "-"


def test_a_cost_is_extrapolated_on_the_line_through_the_two_largest_sizes() -> None:
    assert extrapolate({2: 10.0, 8: 16.0}, 256) == pytest.approx(264.0)
    assert extrapolate({64: 99.0, 256: 20.0, 512: 30.0}, 1024) == pytest.approx(50.0)


def test_one_cost_is_not_extrapolated() -> None:
    with pytest.raises(ValueError, match="two points"):
        extrapolate({64: 1.0}, 1024)
