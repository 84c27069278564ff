# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/switch_check/stations.py"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.switch_check.stations import MOST, Station, choose_participants, find_stations
from ansible.module_utils.fnn.shared.errors import FnnError

STATIONS = [Station(f"k{number}", f"02:f0:00:00:{number:02x}:00") for number in range(4)]
BOTH = {"experimental": 3, "ip": 3}


def receive(*pairs: str, layers: Any = None) -> dict[str, Any]:
    """What all stations receive, if those of each pair, as "01", receive each other."""
    received: dict[str, Any] = {each.node: {"peers": {}} for each in STATIONS}
    for one, other in pairs:
        received[f"k{one}"]["peers"][STATIONS[int(other)].mac] = layers or BOTH
        received[f"k{other}"]["peers"][STATIONS[int(one)].mac] = layers or BOTH
    return received


ALL = ("01", "02", "03", "12", "13", "23")


@pytest.fixture
def site(root: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Design and MACs of the six."""
    documents = Documents(root / "schemas")
    design = documents.read(root / "tests/golden/six/design.json", "fnn-design")
    return design, json.loads((root / "tests/golden/six/macs.json").read_text())


def test_the_nics_of_a_switch_are_those_of_the_design_that_answer(site: Any) -> None:
    design, macs = site
    (red,) = (each for each in design["switches"] if each["name"] == "red")
    found = find_stations(design, macs, "red", red["nodes"][:3])
    assert [each.node for each in found] == red["nodes"][:3]
    bound = {node["name"]: [nic["mac"] for nic in node["nics"]] for node in macs["nodes"]}
    assert all(each.mac in bound[each.node] for each in found)
    assert len(find_stations(design, macs, "red", red["nodes"])) <= MOST


def test_an_unknown_switch_and_too_few_nodes_are_refused(site: Any) -> None:
    with pytest.raises(FnnError, match="fnn_switch_check_switch: no switch is called pink, there are: red, "):
        find_stations(*site, "pink", ["k00"])
    with pytest.raises(FnnError, match=r"red: needs two nodes that answer and have a NIC there .*: k00"):
        find_stations(*site, "red", ["k00"])


def test_nodes_that_are_joined_by_cables_have_no_switch(root: Path) -> None:
    design = Documents(root / "schemas").read(root / "inventory/ring/design.json", "fnn-design")
    with pytest.raises(FnnError, match="the nodes are joined by cables, there is no switch to check"):
        find_stations(design, {"nodes": []}, "red", ["k0"])


def test_all_stations_take_part_if_all_receive_each_other() -> None:
    participants = choose_participants(STATIONS, receive(*ALL))
    assert (list(participants.stations), participants.layer, participants.isolated, participants.absent) == (
        STATIONS,
        "experimental",
        (),
        (),
    )


def test_ip_is_used_where_the_experimental_ethertype_does_not_pass() -> None:
    participants = choose_participants(STATIONS, receive(*ALL, layers={"ip": 2}))
    assert (len(participants.stations), participants.layer) == (4, "ip")


def test_of_isolated_ports_one_takes_part() -> None:
    participants = choose_participants(STATIONS, receive("02", "03", "12", "13", "23"))
    assert [each.node for each in participants.stations] == ["k0", "k2", "k3"]
    assert participants.isolated == (("k0", "k1"),)


def test_a_node_that_no_other_receives_is_absent_and_not_isolated() -> None:
    participants = choose_participants(STATIONS, receive("12", "13", "23"))
    assert [each.node for each in participants.stations] == ["k1", "k2", "k3"]
    assert (participants.isolated, participants.absent) == ((), ("k0",))


def test_one_direction_is_no_connection() -> None:
    received = receive("12", "13", "23")
    received["k0"]["peers"] = {each.mac: BOTH for each in STATIONS[1:]}
    assert choose_participants(STATIONS, received).absent == ("k0",)


def test_a_switch_that_passes_nothing_has_no_passport() -> None:
    with pytest.raises(FnnError, match="k0, k1, k2, k3: no frame passes between any two of them"):
        choose_participants(STATIONS, {each.node: None for each in STATIONS})
