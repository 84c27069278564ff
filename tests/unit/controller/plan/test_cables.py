# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of nodes that are joined by cables, or on a tree: subnets, routes over nodes that forward, settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with


def plan(root: Path, site: str, **variables: Any) -> Plan:
    design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
    nodes = [
        {
            "name": node["name"],
            "nics": [
                {"nic": each["nic"], "name": f"nic{each['nic']}", "mac": f"02:f0:00:00:{rank:02x}:{each['nic']:02x}"}
                for each in node["links"]
            ],
        }
        for rank, node in enumerate(design["nodes"])
    ]
    return plan_with(design, {"nodes": nodes}, **variables)


def routes(made: Plan, node: str) -> dict[str, list[tuple[str, str]]]:
    return {
        each["node"]: [(via["switch"], via["address"]) for via in each["via"]] for each in made.views[node]["routes"]
    }


def test_a_ring_routes_to_the_opposite_node_both_ways(root: Path) -> None:
    made = plan(root, "ring")
    assert routes(made, "k0") == {
        "k1": [("cable0", "10.77.0.1")],
        "k2": [("cable3", "10.77.0.7"), ("cable0", "10.77.0.1")],
        "k3": [("cable3", "10.77.0.7")],
    }
    assert [view["unreached"] for view in made.views.values()] == [[], [], [], []]
    assert [view["forwards"] for view in made.views.values()] == [True] * 4


def test_a_star_routes_over_its_center(root: Path) -> None:
    made = plan(root, "star")
    assert routes(made, "k3") == {each: [("cable2", "10.77.0.4")] for each in ("k0", "k1", "k2")}


def test_a_mesh_has_no_node_between(root: Path) -> None:
    made = plan(root, "mesh")
    assert [len({each["node"] for each in view["neighbors"]}) for view in made.views.values()] == [2, 2, 2]


def test_a_prefix_for_cables_may_be_small(root: Path) -> None:
    assert plan(root, "ring", fnn_prefix="10.77.0.0/29").cluster["prefixes"]["fabric"] == "10.77.0.0/29"
    with pytest.raises(FnnError, match=r"fnn_prefix: 10.77.0.0/30 holds 2 subnets of /31, but 4 cables need 4"):
        plan(root, "ring", fnn_prefix="10.77.0.0/30")


def test_settings_that_need_shared_switches_are_refused_together(root: Path) -> None:
    with pytest.raises(FnnError) as caught:
        plan(root, "ring", fnn_mptcp=True, fnn_mpi_rails=True)
    assert str(caught.value).splitlines() == [
        "fnn_mptcp: must be false where nodes are joined by cables",
        "fnn_mpi_rails: must be false where nodes are joined by cables",
    ]


def test_a_tree_has_one_subnet_and_no_choice_of_switches(root: Path) -> None:
    made = plan(root, "two-switches")
    assert [view["links"][0]["address"] for view in made.views.values()] == [f"10.77.0.{host}" for host in range(1, 7)]
    assert {link["switch"] for view in made.views.values() for link in view["links"]} == {"tree"}
    with pytest.raises(FnnError, match=r"^fnn_routing: must be advanced in a tree, where no pair has several switches"):
        plan(root, "two-switches", fnn_routing="basic")
