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

Key = tuple[str, int]  # node, NIC
Plugs = dict[Key, str | None]  # the switch of each cable; None without carrier
Senders = Mapping[str, list[str]]
SENT = 50  # beacons of a NIC in a run
DHCP = {"kind": "dhcp", "mac": "aa:bb:cc:00:00:01", "detail": "DHCP server 192.168.1.1"}


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
    silent: nodes that give no answer, and send nothing. off, hung: switches without power, and such as pass nothing.
    parts: cable -> the part of its switch, where that passes nothing between its parts. mute, deaf: cables that carry
    nothing to the switch, or to the node. before: cable -> the switch that it was in for the first half of the run.
    tagging: cables at ports that send tagged frames. echoing: boxes that return each frame to its sender only.
    houses: boxes with a DHCP server. boxes: switch -> the box in its place, where switches are permuted.
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
        self.off: set[str | None] = set()
        self.hung: set[str | None] = set()
        self.parts: dict[Key, str] = {}
        self.mute: set[Key] = set()
        self.deaf: set[Key] = set()
        self.before: dict[Key, str] = {}
        self.tagging: set[Key] = set()
        self.echoing: set[str | None] = set()
        self.houses: set[str | None] = set()
        self.boxes: dict[str, str] = {}
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

    def find_place(self, cable: Key, switch: str | None) -> str | None:
        """Where a cable in a switch exchanges frames with others; None for nowhere."""
        if switch is None or switch in self.off or switch in self.hung:
            return None
        return self.joined.get(switch, switch) + self.parts.get(cable, "")

    def find_members(self, early: bool = False) -> dict[str, list[Key]]:
        """Place -> the cables of running nodes there, at the end of the run or in its first half."""
        members: dict[str, list[Key]] = defaultdict(list)
        for cable, switch in ({**self.plugs, **self.before} if early else self.plugs).items():
            place = self.find_place(cable, switch)
            if place is not None and cable[0] not in self.silent:
                members[place].append(cable)
        return members

    def observe(self) -> dict[str, dict[str, Any]]:
        """The results of fnn_links on each node."""
        early, late = (
            {place: self.list_senders(keys) for place, keys in self.find_members(half).items()}
            for half in (True, False)
        )
        results: dict[str, dict[str, Any]] = {}
        for cable, switch in self.plugs.items():
            if cable[0] not in self.silent:
                result = results.setdefault(cable[0], {"links": [], "heard": [], "lldp": []})
                self.observe_cable(cable, switch, early, late, result)
        return results

    def list_senders(self, cables: Iterable[Key]) -> list[str]:
        return [self.mac(*key) for key in cables if key not in self.mute]

    def observe_cable(
        self, cable: Key, switch: str | None, early: Senders, late: Senders, result: dict[str, Any]
    ) -> None:
        """early, late: place -> MACs that are sent there in the first half of the run, and at its end."""
        own, device = self.mac(*cable), f"nic{cable[1]}"
        known = {"device": device, "mac": own}
        carrier = switch is not None and switch not in self.off
        facts = {"permanent": False, "carrier": carrier, "speed_mbps": None, "duplex": None, "mtu": 1500}
        result["links"].append({**known, **facts, **self.links.get(cable, {})})
        place, is_deaf, has_moved = self.find_place(cable, switch), cable in self.deaf, cable in self.before
        present = late.get(place or "", [])
        if self.before and not has_moved:
            present = [*present, *(mac for mac in early.get(place or "", ()) if mac not in present)]
        hears = [mac for mac in present if mac != own and not is_deaf]
        former = early.get(self.find_place(cable, self.before.get(cable)) or "", [])
        past = [mac for mac in former if mac != own and mac not in hears and not is_deaf]
        echoes = switch in self.echoing and not {cable} & (self.mute | self.deaf)
        counts = {"overflow": 0, "backlog": 0, "carrier_losses": int(has_moved), "errors": 0}
        observed = {
            "hears": hears,
            "heard_before": past,
            "tagged": hears if cable in self.tagging else [],
            "loop": echoes,
            "returned": int(echoes),
            "strangers": [DHCP] if switch in self.houses and not is_deaf else [],
            "tried_mtu": self.design["spec"]["mtu"],
            "carried": hears,
            "counts": {"sent": 1 if echoes else SENT, "received": {mac: [SENT, SENT] for mac in hears}, **counts},
        }
        result["heard"].append({**known, **observed, **self.heard.get(cable, {})})
        if switch in self.lldp:
            neighbor = {"device": device, "chassis": f"chassis {switch}", "port": "1"}
            result["lldp"].append({**neighbor, "system": self.lldp[switch]})

    def relearn(self, without_uplink: Iterable[str] = ()) -> dict[str, Any]:
        """The result of the relearn probe."""
        groups = {place: [self.mac(*key) for key in keys] for place, keys in self.find_members().items()}
        reaching = [mac for place, macs in groups.items() if place not in without_uplink for mac in macs]
        return {"groups": list(groups.values()), "unsure": [], "reaches_head": reaching}

    def judge(self, relearn: dict[str, Any] | None = None) -> Verification:
        return self.compare(self.observe(), relearn)

    def compare(self, observed: Mapping[str, Any], relearn: dict[str, Any] | None = None) -> Verification:
        """The verification of these observations."""
        return compare_with_design(self.design, self.macs, observed, relearn, self.silent)

    def verify(self, relearn: dict[str, Any] | None = None, pairs: list[tuple[str, str]] | None = None) -> Verification:
        verification = self.judge(relearn)
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
