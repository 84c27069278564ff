# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the NIC over which each node sends and receives broadcast and multicast (controller only).

A switch floods such a frame to all its ports, and the uplink switch floods it to all other switches. So a node sends
it once, over a NIC on an uplinked switch, and it reaches all nodes. A node with two NICs on uplinked switches receives
it on both. The kernel accepts multicast only on the NIC where a program joined the group. The route of all groups
selects that NIC, so each node accepts it once. For broadcast the kernel has no such filter (docs/reference/routing.md).

The nodes are spread over the uplinked switches, because all these frames cross the cables to the uplink switch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netaddr import IPNetwork

from ...shared.errors import problem
from .addresses import Addresses
from .over_uplink import Link, spread
from .settings import PlanSettings


def check_cast(settings: PlanSettings, design: Mapping[str, Any]) -> None:
    """Raises FnnError where broadcast cannot reach all nodes."""
    if not settings.fnn_broadcast:
        return
    if design["spec"]["uplink"] is None:
        raise problem("fnn_broadcast", "needs fnn_uplink, the switch over which frames reach all nodes")
    if not any(switch["reserved"] for switch in design["spec"]["switches"]):
        raise problem("fnn_broadcast", "no switch has a cable to the uplink switch (reserved is 0 everywhere)")


def plan_cast(
    uplinked: Sequence[Sequence[Link]], links: Mapping[str, Sequence[Link]], addresses: Addresses
) -> dict[str, dict[str, Any]]:
    """Node -> {"switch": to send over, "subnets": [{"switch", "address"}], the broadcast addresses of its NICs}.

    uplinked: by rank, the links on uplinked switches. links: of each node, in rank order.
    """
    senders = [(name, own) for name, own in zip(links, uplinked, strict=True) if own]
    chosen = spread([[link["switch"] for link in own] for _, own in senders])
    return {
        name: {"switch": switch, "subnets": _list_subnets(links[name], addresses)}
        for (name, _), switch in zip(senders, chosen, strict=True)
    }


def _list_subnets(links: Sequence[Link], addresses: Addresses) -> list[dict[str, str]]:
    if not addresses.numbered:
        return []
    return [
        {"switch": link["switch"], "address": str(IPNetwork(f"{link['address']}/{link['length']}").broadcast)}
        for link in links
    ]
