# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/cabling.py and lengths.py"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.labels.cabling import PORTS, SERIALS, make_cabling
from ansible.module_utils.fnn.controller.labels.tables import sum_meters

ReadDesign = Callable[[str], dict[str, Any]]
SITES = ["lab", "klat2", "klat2-lean", "kasy0", "eight", "homelab16/ports8-uplink", "homelab16/ports16", "two-switches"]


@pytest.mark.parametrize("name", SITES)
def test_every_link_of_the_design_is_one_cable_with_a_port_of_its_own(name: str, read_design: ReadDesign) -> None:
    design = read_design(name)
    cabling = make_cabling(design)
    wanted = {(node["name"], str(link["nic"]), link["switch"]) for node in design["nodes"] for link in node["links"]}
    made = [cable for switch in cabling.fabric for cable in switch.cables.values()]
    assert {(cable.near.device, cable.near.port, cable.far.device) for cable in made} == wanted
    assert len(made) == len(wanted)
    sockets = Counter(end for cable in cabling.cables for end in (cable.near, cable.far) if end.port)
    assert set(sockets.values()) == {1}
    ports = {each["name"]: sum(group["count"] for group in each["ports"]) for each in design["spec"]["switches"]}
    assert all(1 <= int(cable.far.port) <= ports[cable.far.device] for cable in made)


@pytest.mark.parametrize("identify", [PORTS, SERIALS])
@pytest.mark.parametrize("name", SITES)
def test_no_two_cables_have_one_identifier_and_no_two_switches_one_color(
    name: str, identify: str, read_design: ReadDesign
) -> None:
    cabling = make_cabling(read_design(name), identify=identify)
    identifiers = [cable.identifier for cable in cabling.cables]
    assert len(set(identifiers)) == len(identifiers)
    assert len({switch.color for switch in cabling.switches}) == len(cabling.switches)
    assert all(cable.color == switch.color for switch in cabling.switches for cable in switch.cables.values())


def test_nodes_take_ports_in_rank_order_and_the_uplink_the_last(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("lab"))
    red = cabling.switches[0]
    assert [str(cable.near) for cable in red.cables.values()] == ["k00:0", "k01:0", "k02:0", "k03:0"]
    assert list(red.linked) == [5]
    assert red.linked[5].identifier == "red:5/uplink:1"
    assert red.free == []


def test_spares_and_hosts_hang_on_the_uplink_switch(read_design: ReadDesign) -> None:
    uplink = make_cabling(read_design("klat2")).switches[-1]
    assert [cable.identifier for cable in uplink.cables.values()][-2:] == ["spare0/uplink:10", "spare1/uplink:11"]
    assert len(uplink.cables) == 11  # nine switches and two spares


def test_a_cluster_without_uplink_has_the_links_and_nothing_else(read_design: ReadDesign) -> None:
    design = read_design("homelab16/ports8")
    cabling = make_cabling(design)
    assert len(cabling.cables) == design["quality"]["links"]
    assert cabling.fabric == cabling.switches


def test_a_serial_number_has_the_color_and_no_port(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("lab"), identify=SERIALS)
    assert [cable.identifier for cable in cabling.switches[1].cables.values()] == ["B-001", "B-002", "B-003", "B-004"]


def test_a_nic_takes_a_port_of_its_medium(awkward: dict[str, Any]) -> None:
    red = next(each for each in make_cabling(awkward).switches if each.name == "red")
    # Ports 1 and 2 are copper, 3 to 6 are SFP. Three nodes connect by SFP, the uplink by copper.
    assert (list(red.cables), list(red.linked), red.free) == ([3, 4, 5], [2], [1, 6])


def test_lengths_are_those_of_the_designer(designer: Path, documents: Documents, tmp_path: Path) -> None:
    spec = {
        "format": "fnn-spec", "version": 1, "cluster": "racks", "topology": "fnn",
        "nodes": [{"name": f"k{n}", "nics": 2, **({"rack": f"r{n % 3}"} if n else {})} for n in range(6)],
        "switches": [{"name": color, "ports": 5, "rack": f"r{n}"} for n, color in enumerate(["red", "blue", "green"])],
        "uplink": {"name": "uplink", "ports": 5},
        "racks": [{"name": f"r{n}", "x_m": 1.25 * n, "y_m": -0.5 * n * n} for n in range(3)],
    }  # fmt: skip
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    command = [designer, "design", tmp_path / "spec.json", "-o", tmp_path / "design.json", "--seed", "1"]
    subprocess.run(command, check=True, capture_output=True)
    design = documents.read(tmp_path / "design.json", "fnn-design")
    cabling = make_cabling(design)
    assert cabling.measured
    assert sum_meters(cabling) == pytest.approx(design["quality"]["cable_length_m"], abs=1e-6)
    assert sum_meters(cabling) > 0
    # k0 and the uplink switch have no rack.
    unknown = {cable.near.device for cable in cabling.cables if cable.meters is None}
    assert unknown == {"k0", "red", "blue", "green"}


def test_a_cable_between_switches_takes_their_last_ports_and_the_color_of_the_first(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("two-switches"))
    red, blue = cabling.switches
    assert (red.linked.keys(), blue.linked.keys()) == ({4}, {4})
    trunk = red.linked[4]
    assert (trunk.identifier, trunk.color, trunk in red.own, trunk in blue.own) == (
        *("red:4/blue:4", red.color),
        *(True, False),
    )
    assert len(cabling.cables) == 7


def test_a_trunk_uses_the_fastest_ports_that_both_switches_have(read_design: ReadDesign) -> None:
    design = read_design("two-switches")
    for switch in design["spec"]["switches"]:
        switch["ports"] = [{"count": 2, "speed_mbps": 10000, "media": "sfp"}, *switch["ports"]]
    red = make_cabling(design).switches[0]
    assert list(red.linked) == [2]


def test_a_cable_takes_a_port_of_the_speed_that_the_design_states(read_design: ReadDesign) -> None:
    design = deepcopy(read_design("lab"))
    name = design["switches"][0]["name"]
    switch = design["spec"]["switches"][0]
    slow = switch["ports"][0]
    switch["ports"] = [slow, {**slow, "count": 2, "speed_mbps": 10 * slow["speed_mbps"]}]
    links = [link for node in design["nodes"] for link in node["links"] if link["switch"] == name]
    for index, link in enumerate(links):
        link["port_mbps"] = slow["speed_mbps"] * (10 if index == 0 else 1)
    cables = make_cabling(design).switches[0].cables
    assert next(iter(cables)) == slow["count"] + 1
    assert sorted(cables)[:-1] == list(range(1, len(links)))
