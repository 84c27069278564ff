# SPDX-License-Identifier: GPL-3.0-or-later
"""The six-node example on three bridges, and the beacons between its nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from namespaces import Cables
from six_pcs import SIX
from waiting import wait_until

HEAD = "02:aa:00:00:00:01"
KEY = "5e" * 32  # of the run


def mac(node: str, nic: int) -> str:
    return f"02:f0:00:00:{int(node[1:]):02x}:{nic:02x}"


def make_six(cables: Cables) -> None:
    for switch in ("red", "blue", "green"):
        cables.add_switch(switch)
    for node, wires in SIX.items():
        cables.add_node(node)
        for nic, switch in enumerate(wires):
            cables.add_nic(node, nic, mac(node, nic), switch)


def plug_head(cables: Cables) -> None:
    """Plugs a head node into the uplink switch; returns when its NIC has carrier, which the kernel reports later."""
    cables.join_switches()
    cables.add_node("head")
    cables.add_nic("head", 0, HEAD, "uplink")
    cables.inside("head", "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/nic0/disable_ipv6")
    cables.ip("head", "link", "set", "nic0", "up")
    wait_until(lambda: "NO-CARRIER" not in cables.ip("head", "link", "show", "dev", "nic0"), 10)


def listen(cables: Cables, directory: Path, nodes: list[str], **options: Any) -> dict[str, bool]:
    """Start the beacons; node -> whether all its links were steady."""
    running = {
        node: cables.start_module(
            node,
            "fnn_links",
            state="listen",
            match=["nic*"],
            cluster="six",
            node=node,
            directory=str(directory / node),
            **{"key": KEY, **options},
        )
        for node in nodes
    }
    answers = {node: each.finish() for node, each in running.items()}
    for answer in answers.values():
        assert answer["changed"] is False, answer
    return {node: answer["steady"] for node, answer in answers.items()}


def collect(cables: Cables, directory: Path, nodes: list[str], **options: Any) -> dict[str, dict[str, Any]]:
    return run_links(cables, directory, nodes, state="collect", **{"timeout": 1, **options})


def wait(cables: Cables, directory: Path, nodes: list[str], **options: Any) -> dict[str, dict[str, Any]]:
    return run_links(cables, directory, nodes, state="wait", **options)


def run_links(cables: Cables, directory: Path, nodes: list[str], **options: Any) -> dict[str, dict[str, Any]]:
    running = {
        node: cables.start_module(node, "fnn_links", directory=str(directory / node), **options) for node in nodes
    }
    return {node: each.finish() for node, each in running.items()}


def hears(result: dict[str, Any]) -> dict[str, list[str]]:
    return {nic["device"]: nic["hears"] for nic in result["heard"]}


def judge_six(heard: dict[str, dict[str, Any]]) -> Verification:
    """heard: the result of `collect`. The design and the MACs are those of `make_six`."""
    return compare_with_design(make_design(uplink=True), make_macs(), heard)


def make_design(mtu: int | None = None, uplink: bool = False) -> dict[str, Any]:
    """The design of the six, as far as verify reads it."""
    groups = [{"count": 5, "speed_mbps": 1000, "media": "rj45"}]
    nic = {"name": None, "speed_mbps": 1000, "media": "rj45"}
    switches = ("red", "blue", "green")
    return {
        "cluster": "six",
        "spec": {
            "nodes": [{"name": node, "nics": [nic] * len(wires)} for node, wires in SIX.items()],
            "switches": [{"name": each, "color": each, "ports": groups, "reserved": int(uplink)} for each in switches],
            "uplink": {"name": "uplink"} if uplink else None,
            "mtu": mtu,
            "coverage": "all",
            "redundancy": 1,
        },
        "nodes": [
            {"name": node, "links": [{"nic": nic, "switch": switch} for nic, switch in enumerate(wires)]}
            for node, wires in SIX.items()
        ],
        "switches": [
            {"name": each, "nodes": [node for node, wires in SIX.items() if each in wires]} for each in switches
        ],
    }


def make_macs() -> dict[str, Any]:
    return {
        "nodes": [
            {"name": node, "nics": [{"nic": nic, "name": f"nic{nic}", "mac": mac(node, nic)} for nic in (0, 1)]}
            for node in SIX
        ]
    }
