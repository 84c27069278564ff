# SPDX-License-Identifier: GPL-3.0-or-later
"""Power-on discovery: nodes are switched on one after another, and the order of DHCP leases gives their MACs.

The technique of the paper, for nodes that are not reachable yet. With two NICs per node, in the order of the design:

    lease for :01   k00: 1 of 2 NICs seen          lease for :11   k01: 1 of 2 NICs seen
    lease for :00   k00: 2 NICs seen, power on k01 ...

A renewed lease is ignored. A MAC whose client sends the name of a node belongs to that node, in any order. The leases
do not show which NIC of its node a MAC is: NICs are numbered in the order of MACs, as the ports of a card are, and
verify adopts swapped ones. Earlier bindings stay.

Without I/O: takes the state and an event, returns the state and messages. The document (fnn-power-on) is the state, so
the discovery can stop at any time and resume later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...shared.errors import count, problem

Event = dict[str, Any]

_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")


@dataclass
class PowerOnState:
    """The nodes of a design, and the MACs that have reported. seen: MAC -> node, in order of arrival."""

    design: Mapping[str, Any]
    seen: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wants: dict[str, int] = {node["name"]: len(node["nics"]) for node in self.design["spec"]["nodes"]}

    @classmethod
    def resume(cls, design: Mapping[str, Any], document: Mapping[str, Any]) -> PowerOnState:
        """Resumes from a document. Raises FnnError when it is of another design."""
        state = cls(design, {each["mac"]: each["node"] for each in document["seen"]})
        unknown = sorted(set(state.seen.values()) - state.wants.keys())
        if document["cluster"] != design["cluster"] or unknown:
            nodes = f"has nodes that are not in the design: {', '.join(unknown)}"
            what = nodes if unknown else "belongs to another cluster"
            raise problem("power-on.json", f"{what}; delete it to start over")
        return state

    def list_macs(self, node: str) -> list[str]:
        return sorted(mac for mac, owner in self.seen.items() if owner == node)

    def is_full(self, node: str) -> bool:
        return len(self.list_macs(node)) >= self.wants[node]

    @property
    def next(self) -> str | None:
        """The first node that still lacks NICs."""
        return next((node for node in self.wants if not self.is_full(node)), None)

    @property
    def prompt(self) -> str:
        """The next step of the operator at the rack."""
        node = self.next
        if node is None:
            return f"all {count(len(self.wants), 'node')} seen"
        number = len(self.list_macs(node))
        return f"{node}: {number} of {count(self.wants[node], 'NIC')} seen" if number else f"power on {node}"

    def process_lease(self, lease: Mapping[str, Any], now: float) -> list[Event]:
        """The events of a lease; none for a renewal, a known MAC, or an invalid MAC."""
        mac, name = str(lease.get("mac", "")), str(lease.get("name", ""))
        if lease.get("action") != "add" or mac in self.seen or not _MAC.fullmatch(mac):
            return []
        node = name if name in self.wants and not self.is_full(name) else self.next
        if node is None:
            text = f"{mac}: more NICs than the design has; this one is ignored"
            return [{"time": now, "event": "surplus", "mac": mac, "text": text}]
        self.seen[mac] = node
        return [self._make_event("nic", node, now, mac=mac, text=self._describe_progress(node))]

    def undo(self, now: float) -> tuple[list[Event], list[str]]:
        """Removes the node that reported last, with all its MACs; returns the events and the MACs."""
        if not self.seen:
            return [], []
        node = list(self.seen.values())[-1]
        macs = self.list_macs(node)
        for mac in macs:
            del self.seen[mac]
        text = f"{node}: removed with {count(len(macs), 'NIC')}; switch that machine off, then power on {self.next}"
        return [self._make_event("undo", node, now, macs=macs, text=text)], macs

    def _describe_progress(self, node: str) -> str:
        number = len(self.list_macs(node))
        if number < self.wants[node]:
            return f"{node}: {number} of {count(self.wants[node], 'NIC')} seen"
        then = f"power on {self.next}" if self.next else f"all {count(len(self.wants), 'node')} seen"
        return f"{node}: {count(number, 'NIC')} seen, {then}"

    def _make_event(self, event: str, node: str, now: float, **more: Any) -> Event:
        number = len(self.list_macs(node))
        return {"time": now, "event": event, "node": node, "count": number, "of": self.wants[node], **more}

    def describe(self) -> dict[str, Any]:
        """The fnn-power-on document."""
        seen = [{"mac": mac, "node": node} for mac, node in self.seen.items()]
        return {"format": "fnn-power-on", "version": 1, "cluster": self.design["cluster"], "seen": seen}

    def bind(self, old: Mapping[str, Any] | None) -> dict[str, Any]:
        """The macs document with every full node. Other nodes keep their entries, except for MACs that a full node
        has reported."""
        former = {node["name"]: node["nics"] for node in (old or {"nodes": []})["nodes"]}
        settled = {mac for mac, node in self.seen.items() if self.is_full(node)}
        nodes = []
        for node in self.design["spec"]["nodes"]:
            nics = former.get(node["name"], [])
            if self.is_full(node["name"]):
                nics = bind_node(node, self.list_macs(node["name"]), nics)
            else:
                nics = [nic for nic in nics if nic["mac"] not in settled]
            if nics:
                nodes.append({"name": node["name"], "nics": nics})
        kept = {key: old[key] for key in ("satellites", "host_names") if old and key in old}
        return {"format": "fnn-macs", "version": 1, "cluster": self.design["cluster"], "nodes": nodes, **kept}


def bind_node(node: Mapping[str, Any], macs: list[str], former: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry per NIC of a node; a MAC that was bound before keeps its place."""
    bound = {nic["nic"]: nic for nic in former if nic["mac"] in macs}
    rest = iter(mac for mac in macs if mac not in {nic["mac"] for nic in bound.values()})
    return [
        bound.get(index) or {"nic": index, "name": nic["name"] or f"nic{index}", "mac": next(rest), "permanent": True}
        for index, nic in enumerate(node["nics"])
    ]
