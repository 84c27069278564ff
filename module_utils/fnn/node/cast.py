# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast and multicast on a node that has them: one route each, and neighbor entries with the address of everybody.

    broadcast red red=10.77.0.255 blue=10.77.1.255      the line in /etc/fnn/node; without it there is neither

A NIC without ARP takes its own MAC for that of a broadcast address, so the entries are needed (measured).
The routes lead over one NIC; when that one fails, over another of a switch that is raised as well.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from .plan import Cast, Neighbor, Plan, Route

EVERYBODY = "ff:ff:ff:ff:ff:ff"
BROADCAST, GROUPS = "255.255.255.255", "224.0.0.0/4"
NOBODY = "-"
_SWITCH = re.compile(r"[a-z][a-z0-9-]{0,14}")


def check_cast(fields: list[str]) -> tuple[bool, str]:
    """Whether the rest of the line is good, and what it should be."""
    good = bool(fields) and _SWITCH.fullmatch(fields[0]) is not None
    for each in fields[1:]:
        switch, _, address = each.partition("=")
        good = good and _SWITCH.fullmatch(switch) is not None and _is_address(address)
    return good, "broadcast takes a switch, and SWITCH=ADDRESS for each subnet"


def _is_address(text: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(text)) == text
    except ValueError:
        return False


def read_cast(fields: list[str] | None) -> Cast | None:
    """fields: that passed the check; None where there is no such line."""
    if not fields:
        return None
    pairs = (each.partition("=") for each in fields[1:])
    return Cast(fields[0], tuple((switch, address) for switch, _, address in pairs))


def spell_cast(cast: Cast | None) -> list[str]:
    """The opposite, as lines."""
    if cast is None:
        return []
    return [" ".join(["broadcast", cast.switch, *(f"{switch}={address}" for switch, address in cast.subnets)])]


def add_cast(plan: Plan, unusable: Collection[str] = (), raised: Collection[str] = ()) -> Plan:
    """The plan with neighbors and routes for broadcast and multicast. unusable: MACs of NICs that failed."""
    if plan.cast is None:
        return plan
    switch = _choose(plan, plan.cast, unusable, raised)
    neighbors = [Neighbor(where, address, EVERYBODY, NOBODY) for where, address in plan.cast.subnets]
    neighbors.append(Neighbor(switch, BROADCAST, EVERYBODY, NOBODY))
    routes = [Route(each, ((switch, ""),), NOBODY) for each in (BROADCAST, GROUPS)]
    return replace(plan, neighbors=(*plan.neighbors, *neighbors), routes=(*plan.routes, *routes))


def _choose(plan: Plan, cast: Cast, unusable: Collection[str], raised: Collection[str]) -> str:
    macs: Mapping[str, str] = {link.switch: link.mac for link in plan.links}
    if macs.get(cast.switch) not in unusable:
        return cast.switch
    others = (link.switch for link in plan.links if link.switch in raised and link.mac not in unusable)
    return next(others, cast.switch)
