# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/networks.py: the networks of an evaluation, in Mb/s."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from advices import make_evaluation, make_row
from ansible.module_utils.fnn.controller.advise.networks import (
    MULTIPATH,
    NODES,
    PLAIN,
    SWITCHLESS,
    Network,
    count_ports,
    read_alternatives,
    read_design,
)
from ansible.module_utils.fnn.controller.advise.sizes import make_spec
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.engine import Designer


def read(*rows: dict[str, Any], routing: str = "basic", nics: int = 3) -> dict[str, Network]:
    return {each.kind: each for each in read_alternatives(make_evaluation(*rows), nics, 1000, routing)}


def test_numbers_are_in_mbps_and_those_of_the_routing() -> None:
    basic, advanced = (read(make_row("tree", 0.5), routing=routing)["tree"] for routing in ("basic", "advanced"))
    assert (basic.effective, basic.pairwise, basic.price, basic.per_gbps) == (500, 1000, 100, 12.5)
    assert (basic.all_to_all, advanced.all_to_all) == (500, 250)
    assert basic.lost == {"switch": 7, "nic": 3, "cable": 2}


def test_the_worst_case_of_a_design_is_that_of_the_engine() -> None:
    design = read_design(make_evaluation(), 3, 1000, "advanced")
    assert (design.kind, design.nics, design.effective, design.worst, design.proved) == ("fnn", 3, 1500, 1000, True)


def test_another_worst_case_is_at_most_the_slowest_flow_of_a_permutation() -> None:
    tree = read(make_row("tree", 0.5))["tree"]
    assert (tree.worst, tree.proved) == (250, False), "a flow of all shifts; neighbors-2d is no permutation"
    rates = {kind: {"least": 0.1} for kind in ("basic", "advanced")}
    worse = make_row("tree", 0.5, patterns=[{"pattern": "recursive-doubling", "own": False, "in_rank_order": rates}])
    assert read(worse)["tree"].worst == 100
    slow = make_row("tree", 0.5, patterns=[], aapc=None)
    assert read(slow)["tree"].worst == 500, "the mean of random pairs, where phases would take minutes"


def test_the_worst_case_is_proved_where_no_flows_of_a_permutation_meet() -> None:
    ebb = {kind: {"sym": {"mean": 1.0, "exact": "1"}} for kind in ("basic", "advanced")}
    one = read(make_row("one-switch", 1.0, ebb=ebb))["one-switch"]
    assert (one.worst, one.proved) == (1000, True)
    uneven = {"mean": {"value": 1.5}, "min": {"value": 1.0}}
    assert read(make_row("one-switch", 1.0, ebb=ebb, pairwise=uneven))["one-switch"].proved is False


def test_the_routing_of_the_highest_effective_bandwidth_counts() -> None:
    rows = [make_row("fat-tree", each, routing=name) for name, each in (("d-mod-k", 0.8), ("random", 0.9))]
    assert read(*rows)["fat-tree"].routing == "random"
    assert read(*reversed(rows))["fat-tree"].routing == "random"


def test_networks_say_what_forwards_their_frames() -> None:
    trunk = {**make_row("two-switches", 0.5)["fabric_cost"], "cables": 17}
    found = read(*(make_row(kind, 0.5) for kind in ("tree", "planes", "ring", "two-switches")))
    kinds = {kind: each.forwarding for kind, each in found.items()}
    assert kinds == {"tree": PLAIN, "planes": MULTIPATH, "ring": NODES, "two-switches": MULTIPATH}
    assert read(make_row("two-switches", 0.5, fabric_cost=trunk))["two-switches"].forwarding == PLAIN, (
        "a trunk of one cable"
    )


def test_nodes_with_a_cable_to_each_other_node_forward_nothing() -> None:
    def evaluate(kind: str, cables: int) -> Network:
        cost = {**make_row(kind, 1.0)["fabric_cost"], "cables": cables}
        return read_alternatives(make_evaluation(make_row(kind, 1.0, fabric_cost=cost), nodes=3), 2, 1000, "basic")[0]

    found = {kind: evaluate(kind, cables) for kind, cables in (("ring", 3), ("mesh", 3), ("star", 2), ("cut-ring", 3))}
    kinds = {kind: (each.forwarding, each.proved) for kind, each in found.items()}
    assert kinds == {"ring": (PLAIN, True), "mesh": (PLAIN, True), "star": (NODES, False), "cut-ring": (NODES, False)}


def test_nics_are_those_that_the_network_uses() -> None:
    found = read(*(make_row(kind, 0.5) for kind in ("one-switch", "rails", "ring")), nics=4)
    assert {kind: each.nics for kind, each in found.items()} == {"one-switch": 1, "rails": 4, "ring": 2}


def test_a_node_has_no_more_ports_than_asked_for() -> None:
    """The engine allows two NICs of two ports."""
    assert read(make_row("grid", 0.5), nics=3)["grid"].reason == "a node would need 4 ports, and has 3"
    assert read(make_row("grid", 0.5), nics=4)["grid"].reason == ""


def test_a_network_that_is_not_measured_keeps_its_reason() -> None:
    empty = dict.fromkeys(("ebb", "parts", "cost"))
    refused = read(make_row("tree", 0.5, possible=False, reason="too narrow", **empty))["tree"]
    assert (refused.reason, refused.effective, refused.mbps) == ("too narrow", None, 1000)
    large = read(make_row("tree", 0.5, reason="too many cables to be measured", **empty))["tree"]
    assert large.reason == "too many cables to be measured"


@pytest.mark.parametrize("nodes", [2, 3, 4, 5, 6, 7, 9, 12])
def test_the_engine_needs_as_many_ports_for_networks_without_switches(
    engine: Designer, nodes: int, tmp_path: Path
) -> None:
    design, evaluation = tmp_path / "design.json", tmp_path / "evaluation.json"
    design.write_text(dumps(engine.measure(make_spec(nodes, 1, 1000, None, 1), [])))
    engine.evaluate(design, evaluation, {"alternatives": ",".join(SWITCHLESS), "patterns": 2})
    needed = {
        row["alternative"]: int(row["reason"].split("need ")[1].split()[0]) if row["reason"] else 1
        for row in read_json(evaluation)["alternatives"][1:]
    }
    assert {kind: count_ports(kind, nodes) for kind in SWITCHLESS} == needed
