# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast and multicast for all: over which NIC each node sends them, and takes part (controller only).

Such a frame goes to every port of its switch, and over the uplink switch to every port of all others. So it must be
sent once, over a NIC on a raised switch, and reaches everybody there is; a node with two NICs on raised switches gets
it on both. Multicast is taken where a program joined the group, and that is the NIC to which the route of all groups
leads, so each node takes it once. Nothing like that can be said to the kernel of broadcast (docs/reference/routing.md).

The nodes are spread over the raised switches, as what all of them send goes through the cables to the uplink switch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netaddr import IPNetwork

from ...shared.errors import problem
from .addresses import Addresses
from .over_uplink import Link, spread


def check_cast(settings: Mapping[str, Any], design: Mapping[str, Any]) -> None:
    """Raises FnnError where there is no way to everybody."""
    if not settings.get("broadcast"):
        return
    if design["spec"]["uplink"] is None:
        raise problem("fnn_broadcast", "needs fnn_uplink, the switch over which frames reach everybody")
    if not any(switch["reserved"] for switch in design["spec"]["switches"]):
        raise problem("fnn_broadcast", "no switch has a cable to the uplink switch (reserved is 0 everywhere)")


def plan_cast(
    raised: Sequence[Sequence[Link]], links: Mapping[str, Sequence[Link]], addresses: Addresses
) -> dict[str, dict[str, Any]]:
    """Node -> {"switch": over which it sends, "subnets": [{"switch", "address"}], the broadcast addresses of its NICs}.

    raised: by rank, links over which everybody is reached. links: of each node, in rank order.
    """
    senders = [(name, own) for name, own in zip(links, raised, strict=True) if own]
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
