# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets of the stages, and their figure."""

from __future__ import annotations

from bench import cases_ansible as case
from bench.process_tree import Usage
from bench.report import Table

NAMES = (case.FLOOR, *case.LIMITS)


def make_usages(seconds: float, exponent: float) -> case.Usages:
    """Every stage takes `seconds` at 64 nodes, and 200 MB."""
    sizes = (64, 256, 1024)
    return {name: {n: Usage(0, seconds * (n / 64) ** exponent, 1.0, 200 << 20) for n in sizes} for name in NAMES}


def list_targets(usages: case.Usages, octets: dict[int, int]) -> dict[str, bool | None]:
    table = Table("ansible-stages", "Stages", [])
    case.expect_limits(table, usages, octets)
    return {target.words: target.met for target in table.targets}


def test_stages_below_all_limits_meet_every_target() -> None:
    targets = list_targets(make_usages(1.0, 0.25), {64: 1 << 20, 256: 9 << 20, 1024: 100 << 20})
    assert len(targets) == len(case.LIMITS) + 2 + 3  # two have a limit of memory; ratio, build directory, exponent
    assert set(targets.values()) == {True}


def test_a_stage_that_grows_faster_than_the_number_of_pairs_is_named() -> None:
    usages = make_usages(0.001, 1.0)
    usages[case.LABELS] = make_usages(0.001, 2.5)[case.LABELS]
    targets = list_targets(usages, {64: 0, 256: 0, 1024: 0})
    assert targets["no stage grows faster than the number of pairs (labels: 2.50)"] is False


def test_each_missed_limit_is_reported_with_its_value() -> None:
    targets = list_targets(make_usages(1.0, 1.0), {64: 0, 256: 0, 1024: 464 << 20})
    assert targets["1024 nodes, design, first: at most 12 s (16.0 s)"] is False
    assert targets["1024 nodes, evaluate with alternatives: at most 20 s (16.0 s)"] is True
    assert targets["1024 nodes: a build directory of at most 110 MB (464 MB)"] is False


def test_small_sizes_alone_have_no_limits() -> None:
    assert list_targets(make_usages(99.0, 1.0), {64: 1}) == {}


def test_the_figure_names_every_curve() -> None:
    svg = case.draw(make_usages(1.0, 1.0))
    assert all(name in svg for names in case.PANELS.values() for name in names)
