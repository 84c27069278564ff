# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/parts.py: five nodes with an SFP28 NIC on breakout cables and an adapter."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.labels.parts import describe_plugs, list_adapters
from ansible.module_utils.fnn.controller.labels.tables import format_bill

SFP28 = {"speed_mbps": 25000, "media": "sfp28"}
ADAPTED = {"speed_mbps": 10000, "media": "rj45", "cage": "sfp+"}
NAMES = [f"k0{rank}" for rank in range(5)]


def make_switch(name: str, *ports: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "color": name, "ports": list(ports), "reserved": 0, "rack": None}


@pytest.fixture
def design() -> dict[str, Any]:
    nics = [{"name": None, **SFP28}, {"name": None, **ADAPTED}]
    red = make_switch("red", {"count": 1, "speed_mbps": 1000, "media": "rj45"})
    red["ports"].append({"count": 8, **SFP28, "cage": "qsfp28", "breakout": 4})
    blue = make_switch("blue", {"count": 5, "speed_mbps": 10000, "media": "rj45"})
    links = [{"nic": 0, "switch": "red"}, {"nic": 1, "switch": "blue"}]
    return {
        "cluster": "c",
        "nodes": [{"name": name, "links": links} for name in NAMES],
        "switches": [{"name": name, "nodes": NAMES} for name in ("red", "blue")],
        "spec": {
            "nodes": [{"name": name, "nics": nics, "rack": None, "spare": False} for name in NAMES],
            "switches": [red, blue],
            "uplink": None,
        },
    }


def test_a_plug_of_a_breakout_cable_has_the_name_of_its_port_and_its_number(design: dict[str, Any]) -> None:
    red = make_cabling(design).switches[0]
    assert [str(cable.far) for cable in red.cables.values()] == ["red:2/1", "red:2/2", "red:2/3", "red:2/4", "red:3/1"]
    assert [red.name_port(port) for port in red.free] == ["1", "3/2", "3/3", "3/4"]


def test_the_bill_has_one_cable_for_all_plugs_of_a_breakout_and_an_adapter_for_each_nic(design: dict[str, Any]) -> None:
    table = format_bill(make_cabling(design)).decode("utf-8-sig")
    rows = [(row["switch"], row["count"], row["part"]) for row in csv.DictReader(io.StringIO(table, newline=""))]
    assert rows == [
        ("red", "2", "cable qsfp28 to 4 x sfp28"),
        ("blue", "5", "cable rj45"),
        ("", "5", "adapter sfp+ to rj45"),
    ]


def test_the_slower_end_decides_the_plugs_of_a_cable_within_a_family() -> None:
    assert describe_plugs(SFP28, {"speed_mbps": 10000, "media": "sfp+"}) == "sfp+"
    assert describe_plugs({"speed_mbps": 10000, "media": "sfp+"}, SFP28) == "sfp+"
    assert describe_plugs(SFP28, SFP28) == "sfp28"


def test_a_cable_from_a_cage_to_the_copper_of_an_uplink_switch_needs_an_adapter() -> None:
    copper = {"speed_mbps": 0, "media": "rj45"}
    assert (describe_plugs(SFP28, copper), list(list_adapters(SFP28, copper))) == ("rj45", ["sfp28 to rj45"])
