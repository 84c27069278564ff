# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/views.py; whole plans are in tests/golden.

The six PCs: k00, k01 on red and blue, k02, k03 on red and green, k04, k05 on blue and green.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]


def switches_of(design: Document, name: str) -> list[str]:
    return next([link["switch"] for link in node["links"]] for node in design["nodes"] if node["name"] == name)


def shared(design: Document, one: str, other: str) -> set[str]:
    return set(switches_of(design, one)) & set(switches_of(design, other))


def test_a_route_uses_every_shared_switch_and_only_those(design: Document, macs: Document) -> None:
    views = plan_with(design, macs).views
    for name, view in views.items():
        for route in view["routes"]:
            assert {each["switch"] for each in route["via"]} == shared(design, name, route["node"])
    assert {len(route["via"]) for route in views["k00"]["routes"]} == {1, 2}  # the design has both kinds


def test_every_leg_of_a_route_has_a_neighbor_with_the_right_mac(design: Document, macs: Document) -> None:
    views = plan_with(design, macs).views
    own = {link["address"]: link["mac"] for view in views.values() for link in view["links"]}
    for view in views.values():
        known = {(each["switch"], each["address"]): each["mac"] for each in view["neighbors"]}
        legs = [(via["switch"], via["address"]) for route in view["routes"] for via in route["via"]]
        assert sorted(legs) == sorted(known)
        assert all(own[address] == mac for (_, address), mac in known.items())


def test_no_node_is_its_own_neighbor(design: Document, macs: Document) -> None:
    for name, view in plan_with(design, macs).views.items():
        assert name not in {each["node"] for each in view["neighbors"] + view["routes"]}


def test_macs_decide_which_device_is_which_nic(design: Document, macs: Document) -> None:
    nics = macs["nodes"][0]["nics"]
    nics[0]["nic"], nics[1]["nic"] = 1, 0  # adopted: the cables of k00 are crossed
    before = switches_of(design, "k00")
    links = plan_with(design, macs).views["k00"]["links"]
    assert [(link["device"], link["switch"]) for link in links] == [("nic1", before[0]), ("nic0", before[1])]


def test_a_node_without_macs_gets_no_view_and_is_unreached_by_all(design: Document, macs: Document) -> None:
    del macs["nodes"][2]
    plan = plan_with(design, macs)
    assert "k02" not in plan.views
    assert all(view["unreached"] == ["k02"] for view in plan.views.values())
    assert not any(each["node"] == "k02" for view in plan.views.values() for each in view["neighbors"])
    assert [host["name"] for host in plan.cluster["mpi"]["hosts"]] == ["k00", "k01", "k03", "k04", "k05"]
    # Its name and addresses are in the plan already, so that /etc/hosts does not change when it joins.
    assert ["k02"] in [host["names"] for host in plan.cluster["hosts"]]


def test_a_nic_without_mac_takes_its_switch_out_of_the_plan_only(design: Document, macs: Document) -> None:
    lost = macs["nodes"][0]["nics"].pop(0)
    switch = next(link["switch"] for link in design["nodes"][0]["links"] if link["nic"] == lost["nic"])
    views = plan_with(design, macs).views
    assert switch not in {link["switch"] for link in views["k00"]["links"]}
    cut_off = [name for name in views if shared(design, "k00", name) == {switch} and name != "k00"]
    assert cut_off
    assert views["k00"]["unreached"] == cut_off
    assert all("k00" in views[name]["unreached"] for name in cut_off)


def test_pairs_that_share_no_switch_are_unreached_both_ways(design: Document, macs: Document) -> None:
    design["nodes"][0]["links"] = [{"nic": 0, "switch": "red"}]
    views = plan_with(design, macs).views
    alone = [name for name in views if name != "k00" and "red" not in switches_of(design, name)]
    assert alone
    assert views["k00"]["unreached"] == alone
    assert all(views[name]["unreached"] == ["k00"] for name in alone)


def test_a_node_with_resting_nics_is_reached_over_the_uplink(design: Document, macs: Document) -> None:
    """Without red, k00 shares no switch with k02 and k03."""
    inputs = {"resting": [{"node": "k00", "nic": 0}], "over_uplink": True}
    views = plan_with(design, macs, inputs=inputs).views
    assert [link["nic"] for link in views["k00"]["links"]] == [1]
    blue = views["k00"]["links"][0]["mac"]
    assert {each["mac"] for each in views["k02"]["neighbors"] if each["node"] == "k00"} == {blue}
    assert not any(view["unreached"] for view in views.values())


@pytest.mark.parametrize(("spec_mtu", "mtu"), [(None, 1500), (9000, 9000), (1400, 1400)])
def test_the_mtu_is_that_of_the_spec_else_the_usual(
    design: Document, macs: Document, spec_mtu: int | None, mtu: int
) -> None:
    design["spec"]["mtu"] = spec_mtu
    links = plan_with(design, macs).views["k00"]["links"]
    assert {link["mtu"] for link in links} == {mtu}


def test_facts_of_nodes_have_defaults(design: Document, macs: Document) -> None:
    facts = {"identity_kind": {"k01": "veth"}, "manager": {"k01": "networkd"}}
    plan = plan_with(design, macs, facts, fnn_slots={"k01": 8})
    assert [plan.views[name]["identity"]["kind"] for name in ("k00", "k01")] == ["dummy", "veth"]
    assert [plan.views[name]["manager"] for name in ("k00", "k01")] == ["none", "networkd"]
    assert [host["slots"] for host in plan.cluster["mpi"]["hosts"]] == [1, 8, 1, 1, 1, 1]


def test_neighbors_and_routes_are_made_once_and_shared(design: Document, macs: Document) -> None:
    """Equal items of different views are one object, which keeps the plan of a thousand nodes fast."""
    views = plan_with(design, macs).views
    for part in ("neighbors", "routes"):
        everything = [each for view in views.values() for each in view[part]]
        assert len({id(each) for each in everything}) == len({str(each) for each in everything}) < len(everything)


def test_a_prefix_that_covers_where_ansible_arrives_is_refused(design: Document, macs: Document) -> None:
    arrival = {"device": "mg0", "mac": "02:f1:00:00:00:00", "address": "10.77.9.1", "rests_on": []}
    with pytest.raises(FnnError) as caught:
        plan_with(design, macs, {"arrived_on": {"k00": arrival, "k01": None}})
    assert str(caught.value).startswith("fnn_prefix: 10.77.0.0/16 covers the management address 10.77.9.1 of k00")


def test_a_connection_over_the_fabric_itself_is_allowed(design: Document, macs: Document) -> None:
    arrival = {"device": "fnn0", "mac": "02:aa:00:00:00:00", "address": "10.78.0.1", "rests_on": []}
    assert plan_with(design, macs, {"arrived_on": {"k00": arrival}}).views


# --- While cables move: resting NICs, and paths over the uplink ---


@pytest.fixture
def apart(design: Document, macs: Document) -> Document:
    """The arguments of a plan in which k00 and k01 share no switch with k02 and k03."""
    resting = [{"node": node, "nic": 0} for node in ("k00", "k01")]  # on red
    return {"design": design, "macs": macs, "inputs": {"resting": resting, "over_uplink": True}}


def list_ways(views: dict[str, Document]) -> dict[tuple[str, str], Document]:
    """(node, peer) -> the neighbor entry, for addresses that no NIC has."""
    own = {link["address"] for view in views.values() for link in view["links"]}
    return {
        (name, each["node"]): each
        for name, view in views.items()
        for each in view["neighbors"]
        if each["address"] not in own
    }


def test_a_resting_nic_is_in_no_view(apart: Document) -> None:
    rested = {node["nics"][0]["mac"] for node in apart["macs"]["nodes"][:2]}
    views = plan_with(**apart).views
    assert not rested & {each["mac"] for view in views.values() for each in view["links"] + view["neighbors"]}
    assert [len(views[name]["links"]) for name in views] == [1, 1, 2, 2, 2, 2]


def test_pairs_without_a_switch_use_the_same_nics_over_the_uplink_in_both_directions(apart: Document) -> None:
    views = plan_with(**apart).views
    ways = list_ways(views)
    assert {frozenset(pair) for pair in ways} == {
        frozenset(pair) for pair in itertools.product(("k00", "k01"), ("k02", "k03"))
    }
    assert not any(view["unreached"] for view in views.values())
    for (name, peer), way in ways.items():
        (out,) = (link for link in views[name]["links"] if link["switch"] == way["switch"])
        assert ways[peer, name]["mac"] == out["mac"], "the peer answers to the NIC that was asked from"
        assert way["mac"] in {link["mac"] for link in views[peer]["links"]}, "it is the MAC of a NIC that is there"
        assert [route["via"] for route in views[name]["routes"] if route["node"] == peer] == [
            [{"switch": way["switch"], "address": way["address"]}]
        ]


def test_an_address_over_the_uplink_belongs_to_no_other_node(apart: Document) -> None:
    for view in plan_with(**apart).views.values():
        addresses = [each["address"] for each in view["neighbors"] + view["links"]]
        assert len(set(addresses)) == len(addresses)


def test_a_neighbor_entry_over_the_uplink_is_in_one_view(apart: Document) -> None:
    """Views share other neighbors and routes. If they shared these, a change for one node would affect another."""
    views = plan_with(**apart).views
    peers = {(name, peer) for name, peer in list_ways(views)}
    for part in ("neighbors", "routes"):
        made = [each for name, view in views.items() for each in view[part] if (name, each["node"]) in peers]
        assert len({id(each) for each in made}) == len(made) == 8


@pytest.mark.parametrize("without", ["the setting", "an uplink", "a cable from their switches to it"])
def test_without_an_uplink_no_pair_is_reached_over_it(apart: Document, without: str) -> None:
    if without == "the setting":
        del apart["inputs"]["over_uplink"]
    elif without == "an uplink":
        apart["design"]["spec"]["uplink"] = None
    else:
        for switch in apart["design"]["spec"]["switches"]:
            switch["reserved"] = 0
    views = plan_with(**apart).views
    assert list_ways(views) == {}
    assert views["k00"]["unreached"] == views["k01"]["unreached"] == ["k02", "k03"]


def test_with_a_switch_for_every_pair_no_route_uses_the_uplink(design: Document, macs: Document) -> None:
    assert plan_with(design, macs, inputs={"over_uplink": True}) == plan_with(design, macs)


# --- All NICs for MPI ---


def test_with_rails_every_address_of_a_peer_is_reached_over_shared_switches(design: Document, macs: Document) -> None:
    views = plan_with(design, macs, fnn_mpi_rails=True).views
    for name, view in views.items():
        ours = set(switches_of(design, name))
        ways = {route["to"]: {via["switch"] for via in route["via"]} for route in view["routes"]}
        direct = {neighbor["address"] for neighbor in view["neighbors"]}
        for peer, other in views.items():
            for link in other["links"] if peer != name else ():
                if link["switch"] in ours:
                    assert link["address"] in direct and link["address"] not in ways
                else:
                    assert ways[link["address"]] == shared(design, name, peer)


def test_rails_show_in_the_cluster_view_and_are_off_by_default(design: Document, macs: Document) -> None:
    assert plan_with(design, macs, fnn_mpi_rails=True).cluster["mpi"]["rails"] is True
    assert plan_with(design, macs).cluster["mpi"]["rails"] is False
    assert {len(view["routes"]) for view in plan_with(design, macs).views.values()} == {5}
