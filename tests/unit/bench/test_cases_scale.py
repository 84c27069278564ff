# SPDX-License-Identifier: GPL-3.0-or-later
"""The clusters of the table `scale`, and how verdicts of two programs compare."""

from __future__ import annotations

import json
import random

import pytest

from bench import cases_scale
from bench.traffic import pairs_of


@pytest.mark.parametrize("nodes", cases_scale.MIXED_NODES)
def test_mixed_clusters_have_a_port_for_each_nic_within_the_limits(nodes: int) -> None:
    document = cases_scale.mixed(nodes, random.Random(nodes))
    nics = [node["nics"] for node in document["nodes"]]
    ports = [switch["ports"] for switch in document["switches"]]
    assert len(nics) == nodes
    assert min(nics) >= 2 and max(nics) <= 5
    assert min(ports) >= 5 and max(ports) <= 48
    assert max(ports) <= 0.75 * nodes
    assert sum(ports) >= sum(nics) > sum(ports[:-1])


def test_the_same_lot_gives_the_same_cluster() -> None:
    first, second = (json.dumps(cases_scale.mixed(24, random.Random(3))) for _ in range(2))
    assert first == second != json.dumps(cases_scale.mixed(24, random.Random(4)))


def test_weighted_clusters_have_1024_nodes_and_a_goal_that_their_base_lacks() -> None:
    for case in cases_scale.weighted_cases():
        assert len(case.spec["nodes"]) == 1024
        assert {**case.base, "goals": case.spec["goals"]} == case.spec
        assert "goals" not in case.base
        assert case.spec["goals"] == {"shared_switches": 1}
        assert len({pattern["weight"] for pattern in case.spec["patterns"]}) > 1
        assert len(pairs_of(case.spec)) > 1024 * 31


@pytest.mark.parametrize(
    ("ours", "theirs", "behind", "contradict"),
    [
        ("found", "found", False, False),
        ("found", "open", False, False),
        ("open", "open", False, False),
        ("open", "found", True, False),
        ("open", "infeasible", True, False),
        ("found", "infeasible", False, True),
        ("infeasible", "found", False, True),
        ("not valid", "open", False, True),
    ],
)
def test_a_program_is_behind_where_only_the_other_decides(
    ours: str, theirs: str, behind: bool, contradict: bool
) -> None:
    answers = cases_scale.Answers(ours, theirs)
    assert answers.behind is behind
    assert answers.contradict is contradict


def test_verdicts_are_counted_in_a_fixed_order() -> None:
    verdicts = ["open", "not valid", "found", "open", "infeasible"]
    assert cases_scale.count_words(verdicts) == "1 found, 1 infeasible, 2 open, 1 not valid"
