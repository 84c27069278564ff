# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab of three nodes on three switches that tests/lab boots; k02 has a third NIC that the design leaves free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.lab.layout import Layout, make_layout, mark
from ansible.module_utils.fnn.lab.wiring import Device
from plan_settings import make_settings


@pytest.fixture
def design(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = read_json(root / "tests/lab/site/design.json")
    return document


@pytest.fixture
def layout(design: dict[str, Any]) -> Layout:
    return make_layout(design, "lbt", make_settings())


@pytest.fixture
def whole(layout: Layout) -> dict[str, dict[str, Device]]:
    """A lab as `complete` leaves it."""
    found: dict[str, dict[str, Device]] = {
        name: {"lo": Device("lo", up=True, alias=mark("lbt"))} for name in layout.namespaces()
    }
    switches, management = found["lbt-sw"], found["lbt-mg"]
    for bridge in layout.bridges():
        switches[bridge] = Device(bridge, up=True)
    for cable in layout.cables:
        switches[cable.port] = Device(cable.port, up=cable.switch is not None, master=cable.switch)
        found[f"lbt-{cable.node}"][cable.device] = Device(cable.device, mac=cable.mac)
    for uplink in layout.uplinks:
        switches[uplink.port] = Device(uplink.port, up=True, master=uplink.switch)
        switches[uplink.far] = Device(uplink.far, up=True, master=uplink.to)
    management["mg"] = Device("mg", up=True, addresses=("10.79.255.254/16",))
    for node in layout.nodes:
        management[node.management] = Device(node.management, up=True, master="mg")
        found[f"lbt-{node.name}"]["mg0"] = Device("mg0", up=True)
    return found
