# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast and multicast on a node that has them: one route each, and neighbor entries with the broadcast MAC.

    broadcast red red=10.77.0.255 blue=10.77.1.255      the line in /etc/fnn/node; without it there is neither

Linux resolves a broadcast address on a NIC with ARP off to the NIC's own MAC, so the entries are needed (measured).
The routes use one NIC; when it fails, they use another one on a switch with an uplink.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .plan import Broadcast, Leg, Neighbor, Plan, Route

BROADCAST_MAC = "ff:ff:ff:ff:ff:ff"
BROADCAST, GROUPS = "255.255.255.255", "224.0.0.0/4"
NO_NODE = "-"


def add_broadcast(plan: Plan, unusable: Collection[str] = (), uplinked: Collection[str] = ()) -> Plan:
    """The plan with neighbors and routes for broadcast and multicast. unusable: MACs of NICs that failed."""
    if plan.broadcast is None:
        return plan
    switch = _choose(plan, plan.broadcast, unusable, uplinked)
    neighbors = [Neighbor(where, address, BROADCAST_MAC, NO_NODE) for where, address in plan.broadcast.subnets]
    neighbors.append(Neighbor(switch, BROADCAST, BROADCAST_MAC, NO_NODE))
    routes = [Route(each, (Leg(switch, ""),), NO_NODE) for each in (BROADCAST, GROUPS)]
    return replace(plan, neighbors=(*plan.neighbors, *neighbors), routes=(*plan.routes, *routes))


def _choose(plan: Plan, broadcast: Broadcast, unusable: Collection[str], uplinked: Collection[str]) -> str:
    macs: Mapping[str, str] = {link.switch: link.mac for link in plan.links}
    if macs.get(broadcast.switch) not in unusable:
        return broadcast.switch
    others = (link.switch for link in plan.links if link.switch in uplinked and link.mac not in unusable)
    return next(others, broadcast.switch)
