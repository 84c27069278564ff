# SPDX-License-Identifier: GPL-3.0-or-later
"""A cluster in memory: its design, where its cables are plugged, and the observations of its nodes."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ansible.module_utils.fnn.controller.spec.ports import count_ports
from ansible.module_utils.fnn.controller.verify.coverage import value_as_wired
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Finding, Verification
from six_pcs import SIX, Wires, words

Plugs = dict[tuple[str, int], str | None]  # (node, NIC) -> switch; None without carrier


def make_design(
    wiring: Wires, uplink: bool = False, nics: int | None = None, ports: int = 300, **more: Any
) -> dict[str, Any]:
    """A design document, as far as verify reads it; NIC i of a node leads to its i-th switch. more: spec items."""
    switches = list(dict.fromkeys(switch for wires in wiring.values() for switch in wires))
    anonymous = {"name": None, "speed_mbps": 1000, "media": "rj45"}
    groups = [{"count": ports + uplink, "speed_mbps": 1000, "media": "rj45"}]
    return {
        "cluster": "six",
        "spec": {
            "nodes": [{"name": node, "nics": [anonymous] * (nics or len(wires))} for node, wires in wiring.items()],
            "switches": [
                {"name": switch, "color": switch, "ports": groups, "reserved": int(uplink)} for switch in switches
            ],
            "uplink": {"name": "up", "ports": 8, "spares": [], "hosts": []} if uplink else None,
            "mtu": None,
            "coverage": "all",
            "redundancy": 1,
            **more,
        },
        "nodes": [
            {"name": node, "links": [{"nic": nic, "switch": switch} for nic, switch in enumerate(wires)]}
            for node, wires in wiring.items()
        ],
        "switches": [
            {"name": switch, "nodes": [node for node, wires in wiring.items() if switch in wires]}
            for switch in switches
        ],
    }


class Cluster:
    """plugs: where each NIC's cable leads; a switch that is not in the design is some other box.

    links and heard: more facts per (node, NIC). joined: switches joined by an unexpected cable.
    """

    def __init__(self, design: dict[str, Any]) -> None:
        self.design = design
        self.plugs: Plugs = {
            (node["name"], nic): None for node in design["spec"]["nodes"] for nic in range(len(node["nics"]))
        }
        self.plugs.update(self.list_designed())
        self.ranks = {node["name"]: rank for rank, node in enumerate(design["nodes"])}
        self.links: dict[tuple[str, int], dict[str, Any]] = {}
        self.heard: dict[tuple[str, int], dict[str, Any]] = {}
        self.lldp: dict[str, str] = {}
        self.joined: dict[str | None, str] = {}
        self.silent: set[str] = set()
        self.macs = self.make_macs()

    def list_designed(self) -> dict[tuple[str, int], str]:
        return {(node["name"], link["nic"]): link["switch"] for node in self.design["nodes"] for link in node["links"]}

    def mac(self, node: str, nic: int) -> str:
        rank = self.ranks[node]
        return f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"

    def make_macs(self) -> dict[str, Any]:
        nics: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for node, nic in sorted(self.plugs):
            nics[node].append({"nic": nic, "name": f"nic{nic}", "mac": self.mac(node, nic), "permanent": False})
        nodes = [{"name": node, "nics": nics[node]} for node in self.ranks]
        return {"format": "fnn-macs", "version": 1, "cluster": self.design["cluster"], "nodes": nodes}

    def find_members(self, reach: Mapping[str | None, str]) -> dict[str | None, list[str]]:
        members: dict[str | None, list[str]] = defaultdict(list)
        for (node, nic), switch in self.plugs.items():
            if node not in self.silent:
                members[reach.get(switch, switch)].append(self.mac(node, nic))
        return members

    def observe(self) -> dict[str, dict[str, Any]]:
        """The results of fnn_links on each node."""
        members = self.find_members(self.joined)
        results: dict[str, dict[str, Any]] = {}
        for (node, nic), switch in self.plugs.items():
            if node in self.silent:
                continue
            result = results.setdefault(node, {"links": [], "heard": [], "lldp": []})
            own, place = self.mac(node, nic), self.joined.get(switch, switch)
            known = {"device": f"nic{nic}", "mac": own}
            facts = {"permanent": False, "carrier": switch is not None, "speed_mbps": None, "duplex": None, "mtu": 1500}
            result["links"].append({**known, **facts, **self.links.get((node, nic), {})})
            hears = [] if switch is None else [each for each in members[place] if each != own]
            long = {"tried_mtu": self.design["spec"]["mtu"], "carried": hears}
            result["heard"].append({**known, "hears": hears, "loop": False, **long, **self.heard.get((node, nic), {})})
            if switch in self.lldp:
                neighbor = {"device": f"nic{nic}", "chassis": f"chassis {switch}", "port": "1"}
                result["lldp"].append({**neighbor, "system": self.lldp[switch]})
        return results

    def relearn(self, without_uplink: Iterable[str] = ()) -> dict[str, Any]:
        """The result of the relearn probe."""
        members = self.find_members(self.joined)
        groups = {place: macs for place, macs in members.items() if place is not None}
        reaching = [mac for place, macs in groups.items() if place not in without_uplink for mac in macs]
        return {"groups": list(groups.values()), "unsure": [], "reaches_head": reaching}

    def verify(self, relearn: dict[str, Any] | None = None, pairs: list[tuple[str, str]] | None = None) -> Verification:
        verification = compare_with_design(self.design, self.macs, self.observe(), relearn, self.silent)
        return replace(verification, as_wired=value_as_wired(self.design, verification, pairs))

    # --- Changes of cables ---

    def swap(self, *cables: tuple[str, int]) -> None:
        """Moves each cable to the switch of the next."""
        targets = [self.plugs[each] for each in (*cables[1:], cables[0])]
        self.plugs.update(zip(cables, targets))

    def do(self, verification: Verification) -> None:
        """Makes the moves one by one, exchanges at once. A plug without a free port means that the moves are wrong."""
        boxes = self.find_boxes(verification)
        rooms = {
            boxes[switch["name"]]: count_ports(switch) - switch["reserved"]
            for switch in self.design["spec"]["switches"]
        }
        for place, move in enumerate(verification.moves):
            assert move.source is None or self.plugs[move.node, move.nic] == boxes[move.source]
            self.plugs[move.node, move.nic] = box = boxes[move.target] if move.target else None
            later = verification.moves[place + 1].exchange if place + 1 < len(verification.moves) else None
            if box is not None and (move.exchange is None or later != move.exchange):
                taken = sum(switch == box for switch in self.plugs.values())
                assert taken <= rooms[box], f"no free port for {move}"

    def find_boxes(self, verification: Verification) -> dict[str, str]:
        """Name given by verify -> the box with that name. Boxes without nodes get the remaining names."""
        order = [switch["name"] for switch in self.design["switches"]]
        boxes = {c.seen: str(self.plugs[c.node, c.nic]) for c in verification.cables if c.seen}
        left = [name for name in order if name not in boxes.values()]
        return {name: boxes.get(name) or left.pop(0) for name in order}


def six(uplink: bool = False, **more: Any) -> Cluster:
    return Cluster(make_design(SIX, uplink, **more))


def the_finding(verification: Verification) -> Finding:
    assert len(verification.findings) == 1, [(each.kind, words(each)) for each in verification.findings]
    return verification.findings[0]


def kinds(verification: Verification) -> list[str]:
    return [finding.kind for finding in verification.findings]


def names(finding: Finding) -> set[tuple[str, int]]:
    return {(cable.node, cable.nic) for cable in finding.cables}


def moved(verification: Verification) -> set[tuple[str, int]]:
    return {(move.node, move.nic) for move in verification.moves}


def make_random(seed: int, nodes: int = 24, switches: int = 8, nics: int = 3) -> Wires:
    """Every switch gets about nodes * nics / switches nodes, at least five."""
    chance = random.Random(seed)
    labels = [f"s{number}" for number in range(switches)]
    while True:
        wiring = {f"n{number}": chance.sample(labels, nics) for number in range(nodes)}
        counts = [sum(name in wires for wires in wiring.values()) for name in labels]
        if min(counts) >= 5:
            return wiring
