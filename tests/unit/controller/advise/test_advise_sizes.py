# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/sizes.py: the fewest switches of a model for a flat neighborhood network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.advise.request import SwitchModel
from ansible.module_utils.fnn.controller.advise.sizes import (
    Attempt,
    Fewest,
    bound_switches,
    find_fewest,
    list_sizes,
    make_spec,
)
from ansible.module_utils.fnn.controller.engine import Designer


def answer(feasible: int, proved_below: int, tried: list[int]) -> Callable[[int], Attempt]:
    """An engine that finds designs from `feasible` switches on, and proves that there is none below `proved_below`."""

    def attempt(switches: int) -> Attempt:
        tried.append(switches)
        return Attempt(switches >= feasible, switches < proved_below, f"none with {switches}")

    return attempt


@pytest.mark.parametrize(
    ("nodes", "ports", "switches"),
    [(16, 8, 6), (64, 32, 6), (40, 12, 14), (6, 4, 3)],  # the engine's certificates have the same numbers
)
def test_the_bound_counts_ports_for_every_meeting(nodes: int, ports: int, switches: int) -> None:
    assert bound_switches(nodes, ports) == switches


def test_a_design_at_the_bound_is_the_fewest_and_proved() -> None:
    tried: list[int] = []
    assert find_fewest(16, 3, 8, answer(6, 6, tried)) == Fewest(6, True)
    assert tried == [6]


@pytest.mark.parametrize(("proved_below", "proved"), [(16, True), (15, False)])
def test_the_fewest_is_proved_if_one_switch_less_is_infeasible(proved_below: int, proved: bool) -> None:
    tried: list[int] = []
    assert find_fewest(40, 5, 12, answer(16, proved_below, tried)) == Fewest(16, proved)
    assert 15 in tried and len(tried) < 7


def test_without_any_design_the_reason_is_that_of_the_most_switches() -> None:
    assert find_fewest(16, 3, 8, answer(99, 99, [])) == Fewest(None, True, "none with 7")
    assert find_fewest(16, 3, 8, answer(99, 7, [])) == Fewest(None, False, "none with 7")


def test_every_nic_gets_a_port_in_the_larger_size() -> None:
    assert list_sizes(64, 3, 48, 3) == [3, 4]
    assert list_sizes(64, 3, 32, 6) == [6]


def test_the_fewest_switches_without_a_port_for_one_more_nic_are_left_out() -> None:
    assert list_sizes(64, 4, 32, 6) == [8]
    assert list_sizes(24, 2, 16, 3) == [3]


def test_a_spec_is_one_that_the_engine_reads(engine: Designer, tmp_path: Path) -> None:
    spec = engine.normalize(make_spec(16, 3, 1000, SwitchModel(8, 10000, 380.0, 20.0), 6), tmp_path)
    assert [len(spec["nodes"]), len(spec["nodes"][0]["nics"]), len(spec["switches"])] == [16, 3, 6]
    switch = spec["switches"][5]
    assert (switch["price"], switch["internal_gbps"]) == (380.0, 20.0)
    assert switch["ports"] == [{"count": 8, "speed_mbps": 10000, "media": "osfp"}]
