# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/rounds.py: all pair tests of the committed designs, and the rate of each."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.rounds import ALONE_ROUNDS, LEAST_ROUNDS, PairTest, plan_rounds
from ansible.module_utils.fnn.controller.documents import Documents

SITES = ["lab", "eight", "sixteen", "klat2", "kasy0", "homelab16/ports16", "one-switch", "two-switches-30", "mesh",
         "ring", "star", "ring-stp", "star-bridged", "ring-bonded"]  # fmt: skip


def read(root: Path, documents: Documents, site: str) -> Mapping[str, Any]:
    return documents.read(root / "inventory" / site / "design.json", "fnn-design")


def count_pairs(rounds: list[list[PairTest]]) -> Counter[Any]:
    return Counter((test.one, test.other) for each in rounds for test in each)


@pytest.mark.parametrize("site", SITES)
def test_every_pair_on_every_switch_is_tested_and_no_leg_twice_in_a_round(
    root: Path, documents: Documents, site: str
) -> None:
    fabric = Fabric(read(root, documents, site))
    rounds = plan_rounds(fabric)
    tested = count_pairs(rounds)
    for legs in fabric.legs.values():
        assert all(tested[pair] for pair in combinations(legs, 2))
    for each in rounds:
        legs = [(leg.node, leg.nic) for test in each for leg in (test.one, test.other)]
        assert len(legs) == len(set(legs))


@pytest.mark.parametrize("site", SITES)
def test_the_widest_switch_decides_how_many_rounds_there_are(root: Path, documents: Documents, site: str) -> None:
    fabric = Fabric(read(root, documents, site))
    widest = max(len(legs) for legs in fabric.legs.values())
    needed = widest - 1 + widest % 2
    repeats = -(-LEAST_ROUNDS // needed)
    assert len(plan_rounds(fabric)) == needed * repeats + (ALONE_ROUNDS if widest > 3 else 0)


def test_klat2_needs_31_rounds_of_up_to_126_tests(root: Path, documents: Documents) -> None:
    rounds = plan_rounds(Fabric(read(root, documents, "klat2")))[:-ALONE_ROUNDS]
    assert len(rounds) == 31
    assert max(len(each) for each in rounds) == 126


def test_the_last_rounds_test_a_pair_of_each_switch_alone(root: Path, documents: Documents) -> None:
    for each in plan_rounds(Fabric(read(root, documents, "klat2")))[-ALONE_ROUNDS:]:
        assert [test.one.segment for test in each] == [*dict.fromkeys(test.one.segment for test in each)]
        assert len(each) == 9


def test_tests_over_a_trunk_share_it_in_their_round(root: Path, documents: Documents) -> None:
    # Three nodes on each of two switches: a round has three pairs across, one across, or none.
    fabric = Fabric(read(root, documents, "two-switches"))
    for each in plan_rounds(fabric):
        across = [test for test in each if test.one.switch != test.other.switch]
        assert all(test.mbps == pytest.approx(100 / len(across)) for test in across)
        assert all(test.mbps == 100 for test in each if test not in across)


def test_tests_in_an_oversubscribed_switch_share_its_inside(root: Path, documents: Documents) -> None:
    design = copy.deepcopy(dict(read(root, documents, "one-switch")))
    design["spec"]["switches"][0]["internal_gbps"] = 0.2
    together, alone = plan_rounds(Fabric(design))[0], plan_rounds(Fabric(design))[-1]
    # Two pairs are four flows in 200 Mbit/s; one pair is two.
    assert [test.mbps for test in together] == [50, 50]
    assert [test.mbps for test in alone] == [100]


def test_the_slowest_part_of_the_path_is_what_a_test_expects(root: Path, documents: Documents) -> None:
    design = copy.deepcopy(dict(read(root, documents, "lab")))
    design["spec"]["nodes"][0]["nics"][0]["speed_mbps"] = 100
    rates = {test.mbps for each in plan_rounds(Fabric(design)) for test in each if test.one.node == "k00"}
    assert rates == {100, 1000}


def test_two_nics_of_a_node_on_one_switch_are_no_pair(root: Path, documents: Documents) -> None:
    design = copy.deepcopy(dict(read(root, documents, "lab")))
    for node in design["nodes"][:3]:
        node["links"] = [{"nic": nic, "switch": "red"} for nic in (0, 1)]
    pairs = count_pairs(plan_rounds(Fabric(design)))
    assert not [pair for pair in pairs if pair[0].node == pair[1].node]
    red = [leg for leg in Fabric(design).legs["red"] if leg.node in ("k00", "k01", "k02")]
    assert sum(pairs[pair] > 0 for pair in combinations(red, 2)) == 12


def test_nodes_with_many_nics_on_a_switch_need_fewer_rounds_than_a_complete_graph(
    root: Path, documents: Documents
) -> None:
    # Two nodes with four NICs each on one switch: 16 pairs in 4 or 5 rounds, not 7.
    design = copy.deepcopy(dict(read(root, documents, "klat2")))
    design["nodes"] = design["nodes"][:2]
    for node in design["nodes"]:
        node["links"] = [{"nic": nic, "switch": "red"} for nic in range(4)]
    rounds = plan_rounds(Fabric(design))
    assert len(rounds) // -(-LEAST_ROUNDS // len(set(map(str, rounds)))) <= 5


def test_absent_nodes_are_not_tested(root: Path, documents: Documents) -> None:
    fabric = Fabric(read(root, documents, "lab"), nodes={"k00", "k01", "k02"})
    tested = count_pairs(plan_rounds(fabric))
    assert {leg.node for pair in tested for leg in pair} == {"k00", "k01", "k02"}


def test_fewer_tests_at_once_take_more_rounds(root: Path, documents: Documents) -> None:
    fabric = Fabric(read(root, documents, "lab"))
    split = plan_rounds(fabric, at_once=2)
    assert max(len(each) for each in split) == 2
    assert count_pairs(split) == count_pairs(plan_rounds(fabric))
