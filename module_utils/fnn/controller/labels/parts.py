# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables as they are sold: their plugs, and the adapters and breakout cables that their sockets need.

A socket is a NIC or a group of ports of a spec. Its `media` is what a cable plugs into, its `cage` the form of the
socket where an adapter or a breakout cable is between:

    {count: 2, media: rj45, cage: sfp+}                  two RJ45 modules in SFP+ cages
    {count: 8, media: sfp28, cage: qsfp28, breakout: 4}  two breakout cables with four SFP28 plugs each
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..spec.ports import media_family

Socket = Mapping[str, Any]
#: A socket of an uplink switch and of the machines there.
COPPER: Socket = {"media": "rj45", "speed_mbps": 0}


def describe_plugs(near: Socket, far: Socket) -> str:
    """The plugs of a cable: "rj45", "qsfp28 to 4 x sfp28". The slower end decides between members of a family."""
    if "breakout" in far:
        return f"{far['cage']} to {far['breakout']} x {far['media']}"
    is_same = media_family(near["media"]) == media_family(far["media"])
    slower = near if is_same and near["media"] != far["media"] and near["speed_mbps"] < far["speed_mbps"] else far
    return str(slower["media"])


def list_adapters(near: Socket, far: Socket) -> Iterator[str]:
    """The adapters at both ends of a cable: "sfp+ to rj45"."""
    for socket in (near, far):
        if "cage" in socket and "breakout" not in socket:
            yield f"{socket['cage']} to {socket['media']}"
    if media_family(near["media"]) != media_family(far["media"]):
        yield f"{near['media']} to {far['media']}"


def list_sockets(switch: Mapping[str, Any]) -> list[Socket]:
    """The group of ports of each port of a switch, in the order of their numbers from 1."""
    return [group for group in switch["ports"] for _ in range(group["count"])]


def name_ports(switch: Mapping[str, Any]) -> list[str]:
    """The name of each port: its number, or "9/2" for the second plug of the breakout cable in port 9."""
    names: list[str] = []
    cage = 0
    for group in switch["ports"]:
        plugs = group.get("breakout", 1)
        for index in range(group["count"]):
            cage += index % plugs == 0
            names.append(str(cage) if plugs == 1 else f"{cage}/{index % plugs + 1}")
    return names
