# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes over the uplink switch as a tree; whole plans are in tests/golden/uptree and uptree-plain.

NIC 0 of k00 to k03 is on red, of k04 and k05 on blue; all switches have a cable to the uplink switch.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.plan.render import check_views
from ansible.module_utils.fnn.controller.plan.tree import choose_tree_link
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]
ADDRESSINGS = ["subnets", "unnumbered"]


def plan_tree(design: Document, macs: Document, **variables: Any) -> dict[str, Document]:
    return plan_with(design, macs, fnn_routing="tree", **variables).views


def find_leg(views: dict[str, Document], name: str, peer: str) -> tuple[str, str]:
    """(source, destination) MAC of frames to a peer, by route and neighbor entries."""
    view = views[name]
    (route,) = (each for each in view["routes"] if each["node"] == peer)
    ((via),) = route["via"]
    (target,) = (
        each["mac"]
        for each in view["neighbors"]
        if (each["switch"], each["address"]) == (via["switch"], via["address"] or route["to"])
    )
    (source,) = (link["mac"] for link in view["links"] if link["switch"] == via["switch"])
    return source, target


@pytest.mark.parametrize("addressing", ADDRESSINGS)
def test_every_pair_uses_nic_0_of_both_nodes(
    design: Document, macs: Document, documents: Documents, addressing: str
) -> None:
    made = plan_with(design, macs, fnn_routing="tree", fnn_addressing=addressing)
    check_views(made, documents)
    nic_0 = {node["name"]: nic["mac"] for node in macs["nodes"] for nic in node["nics"] if nic["nic"] == 0}
    for name, view in made.views.items():
        peers = [peer for peer in made.views if peer != name]
        assert [route["node"] for route in view["routes"]] == peers
        assert view["unreached"] == []
        for peer in peers:
            assert find_leg(made.views, name, peer) == (nic_0[name], nic_0[peer])
    assert {name: view["tree"] for name, view in made.views.items()} == {
        **dict.fromkeys(("k00", "k01", "k02", "k03"), "red"), **dict.fromkeys(("k04", "k05"), "blue"),
    }  # fmt: skip


@pytest.mark.parametrize("addressing", ADDRESSINGS)
def test_nics_and_their_addresses_are_those_of_the_flat_network(
    design: Document, macs: Document, addressing: str
) -> None:
    flat = plan_with(design, macs, fnn_addressing=addressing)
    tree = plan_with(design, macs, fnn_addressing=addressing, fnn_routing="tree")
    for name, view in tree.views.items():
        assert view["links"] == flat.views[name]["links"]
    assert tree.cluster == flat.cluster
    assert tree.nics == flat.nics


def test_entries_of_the_flat_network_stay_so_that_routes_can_return_to_it(design: Document, macs: Document) -> None:
    flat, tree = plan_with(design, macs).views, plan_tree(design, macs)
    for name, view in tree.items():
        assert view["neighbors"][: len(flat[name]["neighbors"])] == flat[name]["neighbors"]


def test_an_address_has_one_entry_per_switch(design: Document, macs: Document) -> None:
    for view in plan_tree(design, macs, fnn_addressing="unnumbered").values():
        keys = [(each["switch"], each["address"]) for each in view["neighbors"]]
        assert len(keys) == len({*keys})


def test_a_satellite_is_reached_over_the_same_nic(root: Path) -> None:
    golden = root / "tests/golden/satellites"
    design, macs = (read_json(golden / name) for name in ("design.json", "macs.json"))
    views = plan_tree(design, macs)
    nic_0 = {node["name"]: node["nics"][0]["mac"] for node in [*macs["nodes"], *macs["satellites"]]}
    assert views["head"]["tree"] == "uplink"
    assert find_leg(views, "k04", "head") == (nic_0["k04"], nic_0["head"])
    assert find_leg(views, "head", "k04") == (nic_0["head"], nic_0["k04"])


def test_the_first_nic_on_an_uplinked_switch_is_the_nic_of_the_tree() -> None:
    links = [{"nic": 0, "switch": "red"}, {"nic": 2, "switch": "green"}, {"nic": 1, "switch": "blue"}]
    assert choose_tree_link(links, {"up", "blue", "green"}) == {"nic": 1, "switch": "blue"}
    assert choose_tree_link(links, {"up"}) is None


def test_a_node_whose_nic_of_the_tree_is_unknown_keeps_its_paths(design: Document, macs: Document) -> None:
    """NIC 1 of k00 would be on blue, so k00 is no exception; without both NICs k01 has no view."""
    macs["nodes"][0]["nics"] = [nic for nic in macs["nodes"][0]["nics"] if nic["nic"] == 1]
    macs["nodes"][1]["nics"] = []
    views = plan_tree(design, macs)
    assert views["k00"]["tree"] == "blue"
    assert "k01" not in views
    assert views["k02"]["unreached"] == ["k01"]


def test_the_gateway_leads_outside_over_a_shared_switch(design: Document, macs: Document) -> None:
    gateway = {"fnn_gateway": "k00", "fnn_gateway_interface": "eno1", "fnn_gateway_dns": ["9.9.9.9"]}
    facts = {
        "default_route": {"k00": "eno1", "k04": ""},
        "networks": {"k00": [{"device": "eno1", "address": "192.0.2.7/24"}]},
    }
    flat = plan_with(design, macs, facts, **gateway).views
    tree = plan_with(design, macs, facts, **gateway, fnn_routing="tree").views
    assert flat["k04"]["routes"][-1]["to"] == "default"
    assert tree["k04"]["routes"][-1] == flat["k04"]["routes"][-1]


def complain(design: Document, macs: Document, inputs: Document | None = None, **variables: Any) -> list[str]:
    with pytest.raises(FnnError) as caught:
        plan_with(design, macs, None, inputs, fnn_routing="tree", **variables)
    return str(caught.value).splitlines()


def test_a_design_without_an_uplink_has_no_tree(design: Document, macs: Document) -> None:
    design["spec"]["uplink"] = None
    assert complain(design, macs) == ["fnn_routing: tree needs fnn_uplink, the switch that is the root of the tree"]


def test_switches_without_a_cable_to_the_uplink_are_no_tree(design: Document, macs: Document) -> None:
    for switch in design["spec"]["switches"]:
        switch["reserved"] = 0
    assert complain(design, macs) == [
        "fnn_routing: tree needs switches with a cable to the uplink switch (reserved is 0 everywhere)"
    ]


def test_nodes_that_no_uplink_reaches_are_named(design: Document, macs: Document) -> None:
    for switch in design["spec"]["switches"]:
        switch["reserved"] = int(switch["name"] == "green")
    assert complain(design, macs) == [
        "fnn_routing: tree needs a NIC of each node on a switch with a cable to the uplink switch; none has k00, k01"
    ]


@pytest.mark.parametrize(
    ("case", "words"), [("ring", "a ring"), ("mesh", "a mesh"), ("tree", "a tree"), ("switch", "one switch")]
)
def test_other_topologies_are_refused(root: Path, case: str, words: str) -> None:
    golden = root / "tests/golden" / case
    design, macs = (read_json(golden / name) for name in ("design.json", "macs.json"))
    assert complain(design, macs) == [
        "fnn_routing: tree needs a flat neighborhood network, in which it replaces the routes over shared switches; "
        f"this is {words}"
    ]


@pytest.mark.parametrize(
    "inputs", [{"resting": [{"node": "k00", "nic": 1}]}, {"over_uplink": True}, {"joined": ["red", "blue"]}]
)
def test_during_a_rewiring_there_is_no_tree(design: Document, macs: Document, inputs: Document) -> None:
    assert complain(design, macs, inputs) == [
        "fnn_routing: tree excludes a rewiring that is under way; use advanced or basic until it is complete"
    ]


@pytest.mark.parametrize("name", ["fnn_mptcp", "fnn_mpi_rails"])
def test_programs_that_use_several_nics_are_refused(design: Document, macs: Document, name: str) -> None:
    assert complain(copy.deepcopy(design), macs, **{name: True}) == [
        f"{name}: needs fnn_addressing subnets and fnn_routing advanced"
    ]
