# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cable the spanning tree blocks, and the paths of frames where nodes bridge."""

from __future__ import annotations

import json
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.spanning_tree import (
    FAR,
    NEAR,
    ROOT,
    BridgedPaths,
    choose_priorities,
    find_blocked,
    find_bonded,
)


def read(root: Path, site: str) -> dict[str, Any]:
    design: dict[str, Any] = json.loads((root / "inventory" / site / "design.json").read_text())
    return design


def make_ring(nodes: int, mode: str) -> dict[str, Any]:
    """Nodes a, b, c ... of which NIC 1 leads to NIC 0 of the next."""
    names = [chr(ord("a") + number) for number in range(nodes)]

    def link(nic: int, peer: int) -> dict[str, Any]:
        return {"nic": nic, "peer": {"node": names[peer % nodes], "nic": 1 - nic}}

    links = [[link(0, rank - 1), link(1, rank + 1)] for rank in range(nodes)]
    return {
        "spec": {"topology": "ring", "mode": mode},
        "nodes": [{"name": name, "links": own} for name, own in zip(names, links)],
    }


def list_nodes(design: dict[str, Any]) -> list[str]:
    return [each["name"] for each in design["nodes"]]


def walk(design: dict[str, Any], *ends: str) -> list[list[str]]:
    return [[far[0] for _, far in path] for path in BridgedPaths(design).find(*ends)]


def elect(design: dict[str, Any]) -> set[frozenset[str]]:
    """The cables that forward, by the rules of IEEE 802.1D.

    Each bridge takes the path to the root with the least (cost, priority of the neighbor, name).
    """
    priority = choose_priorities(design)
    neighbors = {node["name"]: [link["peer"]["node"] for link in node["links"]] for node in design["nodes"]}
    cost = {name: 0 if priority[name] == ROOT else len(priority) for name in priority}
    for _ in priority:
        for name, others in neighbors.items():
            cost[name] = min([cost[name], *(cost[each] + 1 for each in others)])
    return {
        frozenset((name, min(others, key=lambda each: (cost[each], priority[each], each))))
        for name, others in neighbors.items()
        if priority[name] != ROOT
    }


def test_the_last_cable_of_a_ring_is_blocked_as_the_engine_evaluates_it(root: Path) -> None:
    design = read(root, "ring-stp")
    assert find_blocked(design) == (("k2", 1), ("k3", 0))
    assert walk(design, "k1", "k3") == [["k0", "k3"]]
    assert walk(design, "k2", "k3") == [["k1", "k0", "k3"]]


@pytest.mark.parametrize("nodes", [3, 4, 5, 6, 7, 12])
def test_spanning_tree_blocks_that_cable_whatever_the_number_of_nodes(nodes: int) -> None:
    design = make_ring(nodes, "stp")
    blocked = find_blocked(design)
    assert blocked
    assert sorted(choose_priorities(design).values()).count(ROOT) == 1
    assert set(choose_priorities(design).values()) <= {ROOT, NEAR, FAR}
    cables = {frozenset(end[0] for end in cable) for cable in BridgedPaths(design).cables}
    assert elect(design) == cables
    assert frozenset(end[0] for end in blocked) not in cables


@pytest.mark.parametrize("site", ["ring-stp", "star-bridged", "ring-bonded"])
def test_the_numbers_of_nodes_between_are_those_of_the_engine(
    root: Path, designer: Path, tmp_path: Path, site: str
) -> None:
    design, network = read(root, site), tmp_path / "network.json"
    given = root / "inventory" / site / "design.json"
    subprocess.run([designer, "evaluate", given, "-o", network], check=True, capture_output=True)
    hops = {(each["a"], each["b"]): each["nodes_between"]["value"] for each in json.loads(network.read_text())["hops"]}
    paths = {pair: BridgedPaths(design).find(*pair) for pair in combinations(list_nodes(design), 2)}
    means = {pair: sum(len(path) - 1 for path in found) / len(found) for pair, found in paths.items()}
    assert means == hops


def test_a_bonded_node_has_two_paths_and_forwards_for_none(root: Path) -> None:
    design = read(root, "ring-bonded")
    assert (find_blocked(design), choose_priorities(design), find_bonded(design)) == (None, {}, "k3")
    assert walk(design, "k0", "k2") == [["k1", "k2"]]
    assert walk(design, "k3", "k0") == [["k2", "k1", "k0"], ["k0"]]
