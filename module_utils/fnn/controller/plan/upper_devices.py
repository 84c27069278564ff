# SPDX-License-Identifier: GPL-3.0-or-later
"""Upper devices: the bridge or bond that joins the NICs of a node, where nodes bridge (controller only).

In a ring with spanning tree each node has a bridge over both NICs. To the plan the bridge is the one NIC of its node:

    k0  nic0 02:f0:…:00, nic1 02:f0:…:01    becomes    k0  NIC 0: fnn-bridge 0e:f0:…:00, on the switch `ring`

Its MAC is derived from that of the first NIC, so that it is no NIC's and stays the same. A node with one cable, as at
the end of a star, needs no bridge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.mac import derive_mac
from ..segments import get_document, has_bridges, join_segments
from ..spanning_tree import choose_priorities, find_bonded
from ..twins import split_twins
from .outside import View

BRIDGE, BOND = "bridge", "bond"
DEVICES = {BRIDGE: "fnn-bridge", BOND: "fnn-bond"}

Document = Mapping[str, Any]


@dataclass(frozen=True)
class UpperDevice:
    """kind: BRIDGE or BOND. priority: for spanning tree, None without. nics: [{"nic", "device", "mac"}], by index."""

    kind: str
    priority: int | None
    nics: tuple[View, ...]

    @property
    def name(self) -> str:
        return DEVICES[self.kind]

    @property
    def mac(self) -> str:
        """Of the device itself."""
        return derive_mac(self.nics[0]["mac"])

    def describe(self) -> View:
        """Its entry in the view of its node."""
        return {
            "device": self.name,
            "kind": self.kind,
            "mac": self.mac,
            "priority": self.priority,
            "nics": list(self.nics),
        }


def plan_upper_devices(design: Document, macs: Document) -> dict[str, UpperDevice]:
    """Node -> its upper device, of the nodes that have one and a NIC with a known MAC. design: with its cables."""
    if not has_bridges(design["spec"]):
        return {}
    document = get_document(design)
    bonded, priorities = find_bonded(document), choose_priorities(document)
    known = {node["name"]: {nic["nic"]: nic for nic in node["nics"]} for node in macs["nodes"]}
    found = {}
    for node in design["nodes"]:
        name, nics = node["name"], known.get(node["name"], {})
        ports = tuple(_list_ports(node, nics))
        if len(node["links"]) > 1 and ports:
            found[name] = UpperDevice(BOND if name == bonded else BRIDGE, priorities.get(name), ports)
    return found


def _list_ports(node: Document, nics: Mapping[int, Document]) -> Iterator[View]:
    for nic in sorted(link["nic"] for link in node["links"]):
        if nic in nics:
            yield {"nic": nic, "device": nics[nic]["name"], "mac": nics[nic]["mac"]}


def join_nics(design: Document, macs: Document) -> tuple[Document, Document]:
    """Design and MACs as plan and proof see them: segments as switches, upper devices and second devices of plugs as
    NICs. No documents.
    """
    upper = plan_upper_devices(design, macs)
    nodes = [
        {**node, "nics": [{"nic": 0, "name": each.name, "mac": each.mac}]}
        if (each := upper.get(node["name"]))
        else node
        for node in macs["nodes"]
    ]
    return split_twins(join_segments(design), {**macs, "nodes": nodes} if upper else macs)


def join_mtus(upper: Mapping[str, UpperDevice], mtus: Mapping[str, int]) -> dict[str, int]:
    """MAC -> MTU, also of upper devices: the smallest of their NICs'. mtus: of the NICs that keep their MTU."""
    joined = dict(mtus)
    for each in upper.values():
        kept = [mtus[nic["mac"]] for nic in each.nics if nic["mac"] in mtus]
        joined.update({each.mac: min(kept)} if kept else {})
    return joined
