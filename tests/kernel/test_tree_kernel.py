# SPDX-License-Identifier: GPL-3.0-or-later
"""The same wiring as a flat neighborhood network and as a tree: frames of every pair on the ports of real bridges."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.prove.tree import UplinkTree
from eight import ALL, SATELLITES, Eight
from namespaces import Cables
from six_pcs import SIX

#: The switch of NIC 0 of each node; the NIC of a satellite is on the uplink switch itself.
HOMES = {**{node: switches[0] for node, switches in SIX.items()}, **dict.fromkeys(SATELLITES, "uplink")}
TREE = UplinkTree("uplink", HOMES)
PAIRS = {(one, other) for one in ALL for other in ALL if one != other}


@pytest.fixture
def eight(cables: Cables, tmp_path: Path) -> Eight:
    return Eight(cables, tmp_path)


def watch(eight: Eight, plan: str) -> dict[str, Any]:
    """The capture while all pairs talk, once the switches have learned all MACs; no datagram may be lost."""
    with eight.conversation(eight.identities(plan)) as lost:
        eight.wait_until_learned()
        with eight.capture() as seen:
            time.sleep(1)  # each pair talks fifty times a second
    assert lost == {name: {} for name in ALL}
    return seen


def list_flows(eight: Eight, plan: str, seen: dict[str, Any]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    names = {address: name for name, address in eight.identities(plan).items()}
    flows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for flow in seen["flows"]:
        flows.setdefault((names[flow["src"]], names[flow["dst"]]), []).append(flow)
    return flows


def list_uplinks(flow: dict[str, Any]) -> list[str]:
    return [port for port in (*flow["in"], *flow["out"]) if "up" in port.split(".")]


@pytest.mark.parametrize("addressing", ["subnets", pytest.param("unnumbered", marks=pytest.mark.long)])
def test_over_the_tree_frames_cross_uplinks_and_on_shared_switches_none_does(eight: Eight, addressing: str) -> None:
    eight.plan("flat", fnn_addressing=addressing)
    eight.plan("tree", fnn_addressing=addressing, fnn_routing="tree")
    eight.apply("flat")
    flows = list_flows(eight, "flat", watch(eight, "flat"))
    between_nodes = [flow for pair, own in flows.items() if not {*pair} & {*SATELLITES} for flow in own]
    assert len(between_nodes) >= len(SIX) * (len(SIX) - 1)
    assert not any(list_uplinks(flow) for flow in between_nodes)

    eight.apply("tree", "prepare", "switch", "clean")
    seen = watch(eight, "tree")
    assert set(seen["arp"].values()) == {0}
    flows = list_flows(eight, "tree", seen)
    assert flows.keys() == PAIRS
    for pair, own in flows.items():
        assert all(TREE.is_path(flow, pair, seen["ports"]) for flow in own), own
        assert all(bool(list_uplinks(flow)) is TREE.crosses(pair) for flow in own), own


def test_nodes_of_both_routings_reach_each_other(eight: Eight) -> None:
    """As after a controller that failed between two nodes, or while leases end one after another."""
    eight.plan("flat")
    eight.plan("tree", fnn_routing="tree")
    eight.apply("flat")
    build = eight.directory / "tree"
    with eight.conversation(eight.identities("flat")) as lost:
        for node in ("k00", "k03", "head"):
            for at in ("prepare", "switch", "clean"):
                answer = eight.begin(build, node, at).finish()
                assert not answer.get("failed"), answer
        time.sleep(0.5)
    assert lost == {name: {} for name in ALL}
