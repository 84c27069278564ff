# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the group frames (broadcast, multicast) that each NIC may send, besides beacons (controller only).

A switch floods a group frame to all its ports, and the uplink switch floods it to all switches. So a fabric NIC sends
only those that the plan needs. node/net/egress.py has the filter, and describes the frames that each word lets pass:

    broadcast    NICs of the switches that `fnn_broadcast` gives a broadcast address or its route
    multicast    NICs on switches with a cable to the uplink switch, where `fnn_broadcast` is on
    dhcp         satellites: a head serves addresses while nodes are powered on in order

ARP of the access device follows from the plan of that device and needs no word.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any


def plan_egress(
    links: Sequence[Mapping[str, Any]], cast: Mapping[str, Any] | None, uplinked: Collection[str], satellite: bool
) -> list[dict[str, Any]]:
    """[{"switch", "sends": words}] in the order of the links, without links that have no word.

    links: of one node. cast: its part in broadcast and multicast (cast.py), None without. uplinked: names of the uplink
    switch and of the switches with a cable to it.
    """
    rows = []
    for link in links:
        switch = link["switch"]
        words = ["dhcp"] if satellite else []
        if cast is not None:
            subnets = {each["switch"] for each in cast["subnets"]}
            words += ["broadcast"] if switch in uplinked or switch in subnets else []
            words += ["multicast"] if switch in uplinked else []
        if words:
            rows.append({"switch": switch, "sends": words})
    return rows
