# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast and multicast on a node that has them: one route each, and neighbor entries with the address of everybody.

    broadcast red red=10.77.0.255 blue=10.77.1.255      the line in /etc/fnn/node; without it there is neither

A NIC without ARP takes its own MAC for that of a broadcast address, so the entries are needed (measured).
The routes lead over one NIC; when that one fails, over another of a switch that is raised as well.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .plan import Cast, Neighbor, Plan, Route

EVERYBODY = "ff:ff:ff:ff:ff:ff"
BROADCAST, GROUPS = "255.255.255.255", "224.0.0.0/4"
NOBODY = "-"


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
