# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a capture on every port of every bridge of the lab `modes` with the plan.

Uses the capture and the routes of the node views alone, as the judgement of `roles/fnn_prove` is itself under test.
"""

from __future__ import annotations

import json
from typing import Any

from ansible.module_utils.fnn.lab.host import start_sniffer, stop_sniffer
from modes_site import LAB, NODES, PAIRS, ModesSite

SECONDS = 600


class Watch:
    """capture: the captured traffic, after the end of the block."""

    def __init__(self, site: ModesSite) -> None:
        self.output = site.root / "build" / "lab" / LAB / "modes.json"
        self.program = site.root / "module_utils" / "fnn" / "lab" / "capture.py"
        self.capture: dict[str, Any] = {}

    def __enter__(self) -> Watch:
        start_sniffer(LAB, self.program, self.output, SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self.capture = stop_sniffer(self.output) or {}


class Chosen:
    """The switches that each ordered pair may use, and the owner of each address."""

    def __init__(self, site: ModesSite) -> None:
        views = {node: site.read_view(node) for node in NODES}
        self.switches = {
            (node, route["node"]): {via["switch"] for via in route["via"]}
            for node, view in views.items()
            for route in view["routes"]
        }
        #: address -> (node, its switch, or "" for the identity address)
        self.owners = {view["identity"]["address"]: (node, "") for node, view in views.items()}
        self.owners |= {
            link["address"]: (node, link["switch"])
            for node, view in views.items()
            for link in view["links"]
            if link["address"]
        }


def find_strays(capture: dict[str, Any], chosen: Chosen) -> list[str]:
    """Frames that the plan does not allow."""
    strays = [f"{count} frames escaped the capture" for count in [capture["dropped"]] if count]
    strays += [f"{count} ARP frames at {port}" for port, count in capture["arp"].items() if count]
    strays += [
        f"{each['frames']} frames of type {each['ethertype']} at {each['port']}"
        for each in capture["others"]
        if each["ethertype"] == "0x86dd" or is_uplink(each["port"])
    ]
    return strays + [fault for flow in capture["flows"] for fault in judge_flow(flow, capture["ports"], chosen)]


def is_uplink(port: str) -> bool:
    return port.endswith(".up") or port.startswith("up.")


def judge_flow(flow: dict[str, Any], ports: dict[str, str], chosen: Chosen) -> list[str]:
    """Frames must enter at one port of the sender and leave at one of the receiver, on one switch chosen for them."""
    what = f"{flow['frames']} frames from {flow['src']} to {flow['dst']}"
    ends = [chosen.owners.get(flow[end]) for end in ("src", "dst")]
    if None in ends:
        return [f"{what}: addresses of no node, at {flow['in']}"]
    (sender, on), (receiver, to) = (end for end in ends if end)
    seen = [*flow["in"], *flow["out"]]
    nodes = [port.rpartition(".")[0] for port in seen]
    if nodes != [sender, receiver] or len({ports[port] for port in seen}) != 1:
        return [f"{what}: seen at {', '.join(seen)}"]
    switch = ports[seen[0]]
    # An address of a NIC, as in Multipath TCP, binds its flow to the switch of that NIC if both nodes are on it.
    allowed = {on, to} & chosen.switches[sender, receiver] or chosen.switches[sender, receiver]
    return [] if switch in allowed else [f"{what}: over {switch}, not over {' or '.join(sorted(allowed))}"]


def find_unused(capture: dict[str, Any], chosen: Chosen) -> list[str]:
    """Planned paths without traffic."""
    used = {
        (chosen.owners[flow["src"]][0], chosen.owners[flow["dst"]][0], capture["ports"][flow["in"][0]])
        for flow in capture["flows"]
        if flow["in"]
    }
    planned = {(*pair, switch) for pair in PAIRS for switch in chosen.switches[pair]}
    return [f"{one} to {other} never over {switch}" for one, other, switch in sorted(planned - used)]


def check_capture(site: ModesSite, capture: dict[str, Any]) -> str:
    """Fails with all errors."""
    chosen = Chosen(site)
    wrong = [*find_strays(capture, chosen), *find_unused(capture, chosen)]
    assert not wrong, json.dumps(wrong[:20], indent=1)
    frames = sum(flow["frames"] for flow in capture["flows"])
    return f"{frames} frames of {len(PAIRS)} pairs, each at its two ports; no ARP, no IPv6, nothing on uplinks"
