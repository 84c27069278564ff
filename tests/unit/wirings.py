# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs and what their nodes would hear, for tests of verify and of binding MACs."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

Plugs = dict[tuple[str, int], str | None]  # (node, NIC) -> switch; None without carrier

SIX = {
    "k00": ["red", "blue"],
    "k01": ["red", "blue"],
    "k02": ["red", "green"],
    "k03": ["red", "green"],
    "k04": ["blue", "green"],
    "k05": ["blue", "green"],
}


def make_design(wiring: dict[str, list[str]], uplink: bool = False, nics: int | None = None) -> dict[str, Any]:
    """A design document, as far as verify reads it; NIC i of a node leads to its i-th switch."""
    switches = list(dict.fromkeys(switch for wires in wiring.values() for switch in wires))
    anonymous = {"name": None, "speed_mbps": 1000, "media": "rj45"}
    return {
        "cluster": "six",
        "spec": {
            "nodes": [{"name": node, "nics": [anonymous] * (nics or len(wires))} for node, wires in wiring.items()],
            "switches": [{"name": switch, "color": switch} for switch in switches],
            "uplink": {"name": "up", "ports": 8, "spares": [], "hosts": []} if uplink else None,
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


def mac(wiring: dict[str, list[str]], node: str, nic: int) -> str:
    rank = list(wiring).index(node)
    return f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"


def make_macs(wiring: dict[str, list[str]], nics: int | None = None) -> dict[str, Any]:
    return {
        "format": "fnn-macs",
        "version": 1,
        "cluster": "six",
        "nodes": [
            {
                "name": node,
                "nics": [
                    {"nic": nic, "name": f"nic{nic}", "mac": mac(wiring, node, nic), "permanent": False}
                    for nic in range(nics or len(wires))
                ],
            }
            for node, wires in wiring.items()
        ],
    }


def plug(wiring: dict[str, list[str]]) -> Plugs:
    """Every cable as the design wants it."""
    return {(node, nic): switch for node, wires in wiring.items() for nic, switch in enumerate(wires)}


def observe(wiring: dict[str, list[str]], plugs: Plugs) -> dict[str, dict[str, Any]]:
    """What fnn_links would return on each node, if the cables were plugged so."""
    members = defaultdict(list)
    for (node, nic), switch in plugs.items():
        members[switch].append(mac(wiring, node, nic))
    results: dict[str, dict[str, Any]] = {}
    for (node, nic), switch in plugs.items():
        result = results.setdefault(node, {"links": [], "heard": []})
        own = mac(wiring, node, nic)
        hears = [] if switch is None else [each for each in members[switch] if each != own]
        facts = {"device": f"nic{nic}", "mac": own, "permanent": False, "carrier": switch is not None}
        result["links"].append(facts)
        result["heard"].append({"device": f"nic{nic}", "mac": own, "hears": hears, "loop": False})
    return results


def make_random(seed: int, nodes: int = 24, switches: int = 8, nics: int = 3) -> dict[str, list[str]]:
    """Every switch gets about nodes * nics / switches nodes, at least five."""
    chance = random.Random(seed)
    names = [f"s{number}" for number in range(switches)]
    while True:
        wiring = {f"n{number}": chance.sample(names, nics) for number in range(nodes)}
        counts = [sum(name in wires for wires in wiring.values()) for name in names]
        if min(counts) >= 5:
            return wiring
