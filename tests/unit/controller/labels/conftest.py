# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs to print: the committed ones, and one at the limits of a spec."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents

ReadDesign = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="session")
def read_design(root: Path, documents: Documents) -> ReadDesign:
    """read_design("klat2"): the committed design of an inventory, read once."""

    @functools.cache
    def read(name: str) -> dict[str, Any]:
        return documents.read(root / "inventory" / name / "design.json", "fnn-design")

    return read


@pytest.fixture(scope="session")
def awkward() -> dict[str, Any]:
    """The longest names, more NICs than fit into a row, one without a cable, mixed media, a color used twice."""
    long_color = "a-very-long-name-of-a-color-that-no-jacket-has-and-that-nobody-sells"
    switches = [
        *(make_switch(f"long-switch-n{index:02}", f"{long_color}-{index}", 4) for index in range(14)),
        {**make_switch("red", "red", 2), "ports": [make_ports(2, "rj45"), make_ports(4, "sfp")]},
        {**make_switch("other-red", "red", 3), "reserved": 0, "rack": None},
    ]
    nics = [{"name": f"enp{index}s0f{index}np{index}", "speed_mbps": 1000, "media": "rj45"} for index in range(17)]
    nics[14]["media"] = "sfp"
    rack = "a rack with a name that is much too long for the corner of a label, in the cellar"
    nodes = [{"name": f"long-node-name{n}", "nics": nics, "rack": rack, "spare": False} for n in range(3)]
    # The last NIC has no cable.
    links = [{"nic": index, "switch": each["name"]} for index, each in enumerate(switches)]
    return {
        "cluster": "a-cluster-with-the-longest-name0",
        "spec_digest": "sha256:" + "0" * 64,
        "nodes": [{"name": node["name"], "links": links} for node in nodes],
        "switches": [{"name": each["name"], "nodes": [node["name"] for node in nodes]} for each in switches],
        "spec": {
            "nodes": nodes,
            "switches": switches,
            "racks": [{"name": rack, "x_m": 0, "y_m": 1.5}, {"name": "r1", "x_m": 2.25, "y_m": 0}],
            "uplink": {"name": "the-uplink-swit", "ports": 30, "spares": ["spare-machine-1"], "hosts": ["gate"]},
        },
    }


def make_switch(name: str, color: str, ports: int) -> dict[str, Any]:
    return {"name": name, "color": color, "ports": [make_ports(ports, "rj45")], "reserved": 1, "rack": "r1"}


def make_ports(count: int, media: str) -> dict[str, Any]:
    return {"count": count, "speed_mbps": 1000, "media": media}
