# SPDX-License-Identifier: GPL-3.0-or-later
"""The devices of a lab that lacks nothing."""

from __future__ import annotations

from ansible.module_utils.fnn.lab.layout import Layout, mark
from ansible.module_utils.fnn.lab.wiring import Device


def make_whole(layout: Layout) -> dict[str, dict[str, Device]]:
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
