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

    A NIC without a name in macs.json is `nic` and its number.
    """
    devices = {
        (node["name"], nic["nic"]): nic["name"] for node in (macs or {"nodes": ()})["nodes"] for nic in node["nics"]
    }
    speeds = list_speeds(design)
    homes = {(node["name"], link["nic"]): link["switch"] for node in design["nodes"] for link in node["links"]}
    joined = join_segments(design)
    legs: dict[str, list[Leg]] = {each["name"]: [] for each in joined["switches"]}
    for node in joined["nodes"]:
        for link in node["links"] if nodes is None or node["name"] in nodes else ():
            at, segment = (node["name"], link["nic"]), link["switch"]
            # Where nodes bridge, NIC 0 stands for all NICs of its node, also if it has no cable.
            home, mbps = homes.get(at, segment), float(speeds.get(at) or min(speeds.values()))
            legs[segment].append(Leg(*at, devices.get(at, f"nic{link['nic']}"), segment, home, mbps))
    return legs
