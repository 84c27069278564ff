# SPDX-License-Identifier: GPL-3.0-or-later
"""The legs of a design: a NIC of a node on a segment, with the device and the speed that the plan gives it.

A *leg* is everything between a node and its switch: a NIC, its cable and the port of the switch. Tests cannot
distinguish these, so they have one name: `k03:1-red` is NIC 1 of k03 on red.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from ..segments import join_segments
from ..twins import split_twins
from ..verify.model import list_speeds

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Leg:
    """segment: whose address the NIC has. switch: the one that its cable ends in; the cable, where there is none.

    device: as in macs.json. mbps: of the link, the lower of NIC and port.
    """

    node: str
    nic: int
    device: str
    segment: str
    switch: str
    mbps: float


def list_legs(
    design: Document, macs: Document | None = None, nodes: Container[str] | None = None
) -> dict[str, list[Leg]]:
    """Segment -> its legs in rank order. nodes: those that take part; all by default.

    A NIC without a name in macs.json is `nic` and its number. Two devices of one plug are two legs of half its speed.
    """
    joined, bound = split_twins(join_segments(design), macs or {"nodes": ()})
    devices = {(node["name"], nic["nic"]): nic["name"] for node in bound["nodes"] for nic in node["nics"]}
    plugs = {node["name"]: len(node["nics"]) for node in design["spec"]["nodes"]}
    speeds = list_speeds(design)
    homes = {(node["name"], link["nic"]): link["switch"] for node in design["nodes"] for link in node["links"]}
    legs: dict[str, list[Leg]] = {each["name"]: [] for each in joined["switches"]}
    for node in joined["nodes"]:
        for link in node["links"] if nodes is None or node["name"] in nodes else ():
            at, segment = (node["name"], link["nic"]), link["switch"]
            plug = node["name"], link["nic"] % plugs[node["name"]]
            # Where nodes bridge, NIC 0 stands for all NICs of its node, also if it has no cable.
            home, mbps = homes.get(plug, segment), float(speeds.get(plug) or min(speeds.values()))
            mbps /= sum(each["nic"] % plugs[node["name"]] == plug[1] for each in node["links"])
            legs[segment].append(Leg(*at, devices.get(at, f"nic{link['nic']}"), segment, home, mbps))
    return legs
