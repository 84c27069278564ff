# SPDX-License-Identifier: GPL-3.0-or-later
"""Heads and spares on the uplink switch in the plan; whole plans are in tests/golden/satellites."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.plan.names import list_names
from ansible.module_utils.fnn.controller.plan.satellites import change_stand_ins, plan_seats, seat_satellites
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings, plan_with

Document = dict[str, Any]
INSTEAD = [{"node": "k02", "spare": "hot1"}]


@pytest.fixture
def design(root: Path) -> Document:
    document: Document = read_json(root / "tests/golden/satellites/design.json")
    return document


@pytest.fixture
def macs(root: Path) -> Document:
    document: Document = read_json(root / "tests/golden/satellites/macs.json")
    return document


def test_without_satellites_the_plan_is_unchanged(design: Document, macs: Document) -> None:
    del macs["satellites"]
    assert seat_satellites(design, macs) == (design, macs)


def test_a_satellite_without_mac_is_not_in_the_plan(design: Document, macs: Document) -> None:
    del macs["satellites"][0]
    views = plan_with(design, macs).views
    assert "head" not in views
    assert views["hot1"]["rank"] == 6


@pytest.mark.parametrize("addressing", ["subnets", "unnumbered"])
def test_both_ends_use_the_same_nics_and_no_switch_has_more_than_its_share(
    design: Document, macs: Document, addressing: str
) -> None:
    views = plan_with(design, macs, fnn_addressing=addressing).views
    nodes = [name for name in views if name.startswith("k")]
    used: Counter[str] = Counter()
    for satellite in ("head", "hot1"):
        back = {each["node"]: each["mac"] for each in views[satellite]["neighbors"]}
        for node in nodes:
            (there,) = [each for each in views[node]["neighbors"] if each["node"] == satellite]
            own = {link["switch"]: link["mac"] for link in views[node]["links"]}
            assert back[node] == own[there["switch"]]
            assert there["mac"] == views[satellite]["links"][0]["mac"]
            used[there["switch"]] += 1
    assert used == {"red": 4, "blue": 4, "green": 4}


def test_satellites_meet_each_other_on_the_uplink_switch(design: Document, macs: Document) -> None:
    views = plan_with(design, macs).views
    (route,) = [each for each in views["head"]["routes"] if each["node"] == "hot1"]
    assert route["via"] == [{"switch": "uplink", "address": "10.77.3.8"}]


def test_a_satellite_has_ranks_only_if_slots_are_set(design: Document, macs: Document) -> None:
    plan = plan_with(design, macs, fnn_slots={"hot1": 3})
    assert [host["name"] for host in plan.cluster["mpi"]["hosts"]][-2:] == ["k05", "hot1"]


def test_with_rails_every_address_of_a_peer_is_reached_also_over_the_uplink(design: Document, macs: Document) -> None:
    views = plan_with(design, macs, fnn_mpi_rails=True).views
    own = {name: {link["address"] for link in view["links"]} for name, view in views.items()}
    for name, view in views.items():
        known = {each["address"] for each in view["neighbors"]} | {route["to"] for route in view["routes"]}
        assert all(own[peer] <= known for peer in views if peer != name)


def test_fnn_linkd_does_not_monitor_satellites(design: Document, macs: Document) -> None:
    membership = plan_with(design, macs, fnn_linkd=True).cluster["linkd"]
    assert [each["node"] for each in membership["nodes"]] == [f"k0{rank}" for rank in range(6)]
    assert membership["raised"] == ["red", "blue", "green"]


def test_a_stand_in_has_rank_address_and_names_of_the_node(design: Document, macs: Document) -> None:
    before = plan_with(design, macs)
    plan = plan_with(design, macs, inputs={"stand_ins": INSTEAD}, fnn_slots={"k02": 4})
    spare = plan.views["hot1"]
    assert "k02" not in plan.views
    assert (spare["rank"], spare["identity"]["address"]) == (2, before.views["k02"]["identity"]["address"])
    assert spare["management"] == before.views["hot1"]["management"]
    assert {"address": "10.78.0.3", "names": ["k02", "hot1"]} in plan.cluster["hosts"]
    assert {"name": "hot1", "slots": 4} in plan.cluster["mpi"]["hosts"]
    for name, view in plan.views.items():
        assert view["unreached"] == []
        if name != "hot1":
            assert view["identity"]["address"] == before.views[name]["identity"]["address"]


def test_of_two_spares_the_other_keeps_its_address(design: Document, macs: Document) -> None:
    plan = plan_with(design, macs, inputs={"stand_ins": [{"node": "k02", "spare": "head"}]})
    assert plan.views["hot1"]["identity"]["address"] == "10.78.0.8"


def test_the_names_of_a_dead_node_are_those_of_its_stand_in(design: Document, macs: Document) -> None:
    seated, _ = seat_satellites(design, macs, INSTEAD)
    switches = [each["name"] for each in seated["switches"]]
    names = list_names(seated["nodes"], switches, plan_seats(seated, make_settings()))
    assert names["hot1"][:3] == ["hot1", "k02", "10.78.0.3"]
    assert "k02" not in names


def test_all_invalid_stand_ins_are_reported(design: Document, macs: Document) -> None:
    wrong = [{"node": "k9", "spare": "hot9"}, {"node": "k02", "spare": "hot1"}, {"node": "k02", "spare": "hot1"}]
    with pytest.raises(FnnError) as caught:
        seat_satellites(design, macs, wrong)
    assert str(caught.value).splitlines() == [
        "stand-ins.json#/stand_ins/0/node: no node is called k9, there are: k00, k01, k02, k03, k04, k05",
        "stand-ins.json#/stand_ins/0/spare: hot9 is no satellite with a known MAC, there are: head, hot1",
        "stand-ins.json#/stand_ins/2/node: k02 is named twice",
        "stand-ins.json#/stand_ins/2/spare: hot1 is named twice",
    ]


def test_a_stand_in_begins_and_ends(design: Document, macs: Document) -> None:
    one = change_stand_ins(design, macs, [], "k02", "hot1")
    assert one == INSTEAD
    both = change_stand_ins(design, macs, one, "k00", "head")
    assert [each["node"] for each in both] == ["k00", "k02"]
    assert change_stand_ins(design, macs, both, "k00", None) == INSTEAD
    with pytest.raises(FnnError, match="k04: no spare stands in for it; present stand-ins: hot1 for k02"):
        change_stand_ins(design, macs, one, "k04", None)


@pytest.mark.parametrize(("raised", "message"), [(None, "needs fnn_uplink"), (0, "no switch has a cable")])
def test_broadcast_without_a_path_to_all_nodes_is_refused(
    design: Document, macs: Document, raised: int | None, message: str
) -> None:
    if raised is None:
        design["spec"]["uplink"] = None
    for switch in design["spec"]["switches"]:
        switch["reserved"] = 0
    with pytest.raises(FnnError, match=f"fnn_broadcast: {message}"):
        plan_with(design, macs, fnn_broadcast=True)


def test_broadcast_is_sent_over_one_nic_and_the_nodes_are_spread(design: Document, macs: Document) -> None:
    views = plan_with(design, macs, fnn_broadcast=True).views
    assert Counter(view["cast"]["switch"] for view in views.values()) == {"red": 2, "blue": 2, "green": 2, "uplink": 2}
    assert views["k00"]["cast"]["subnets"] == [
        {"switch": "red", "address": "10.77.0.255"},
        {"switch": "blue", "address": "10.77.1.255"},
    ]
    views = plan_with(design, macs, fnn_broadcast=True, fnn_addressing="unnumbered").views
    assert views["k00"]["cast"]["subnets"] == []


def test_outside_addresses_stay_with_the_machine_of_a_stand_in(design: Document, macs: Document) -> None:
    outside = {"fnn_access": "nic", "fnn_outside_prefix": "192.168.7.0/24"}
    addresses = {name: view["access"]["address"] for name, view in plan_with(design, macs, **outside).views.items()}
    assert (addresses["head"], addresses["hot1"]) == ("192.168.7.7", "192.168.7.8")
    instead = plan_with(design, macs, inputs={"stand_ins": INSTEAD}, **outside).views
    assert instead["hot1"]["access"]["address"] == "192.168.7.8"
    assert "k02" not in instead
