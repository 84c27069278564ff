# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts of a node for the plan: the device Ansible arrives on, the network manager, what the kernel can create.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.aliases import ACCESS_ALIAS
from ...shared.nic_facts import read_devices, read_links, read_permanent_mac, run_ip
from ..check.kernel_features import can_create
from ..net.ssh import find_ssh_ends
from ..reach.kernel import ROUTE_PROTOCOL

KERNEL_PROTOCOL = "2"  # of routes that the kernel adds for addresses (rtnetlink(7), RTPROT_KERNEL)


def read_facts(arrival: Mapping[str, Any] | None, links: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What fnn_links returns with state=read. arrival: of find_arrival. links: the NICs of the network."""
    devices = [link["device"] for link in links]
    return {
        "arrived_on": arrival,
        "links": links,
        "identity_kind": find_identity_kind(),
        "manager": find_manager(),
        "resolver": find_resolver(),
        "generation": find_generation(),
        "networks": find_networks(devices),
        "default_route": find_default_route(devices),
        "cpus": count_cpus(),
    }


def read_maintenance_facts() -> dict[str, Any]:
    """The same for the maintenance network: with all devices, as the spec names one of any kind."""
    return read_facts(find_arrival(by_nic=True), read_links(["*"], []))


def find_arrival(by_nic: bool = False) -> dict[str, Any] | None:
    """The device that carries the SSH connection: {"device", "mac", "address", "rests_on", "access"}; None without one.

    rests_on: the devices below it, see `find_below`. access: whether it is a NIC of the fabric, or the access device on
    one. by_nic: whether nodes have no other devices to arrive on.
    """
    address = find_ssh_server()
    if address is None:
        return None
    for device in json.loads(run_ip("-j", "address", "show")):
        if any(info.get("local") == address for info in device.get("addr_info", [])):
            mac = read_permanent_mac(device["ifname"]) or device.get("address")
            devices = read_devices()
            ours = any(each["ifname"] == device["ifname"] and each.get("ifalias") == ACCESS_ALIAS for each in devices)
            return {
                "device": device["ifname"],
                "mac": mac,
                "address": address,
                "rests_on": find_below(device["ifname"], devices),
                "access": by_nic or ours,
            }
    return None


def find_not_ours(arrival: Mapping[str, Any] | None) -> list[str]:
    """Devices that are no NICs of the fabric, because Ansible arrives on them."""
    return [] if arrival is None or arrival["access"] else [arrival["device"], *arrival["rests_on"]]


def find_below(device: str, devices: Sequence[dict[str, Any]]) -> list[str]:
    """The devices below a device, recursively: members of a bond, ports of a bridge, the NIC under a VLAN."""
    found = {device}
    while True:
        more = {each["ifname"] for each in devices if each.get("master") in found}
        for each in devices:
            # The far end of a veth pair is a peer and carries nothing.
            if each["ifname"] in found and each.get("linkinfo", {}).get("info_kind") != "veth" and each.get("link"):
                more.add(each["link"])
        if more <= found:
            return sorted(found - {device})
        found |= more


def find_ssh_server() -> str | None:
    """The address of this node that the SSH connection came to."""
    return next(iter(find_ssh_ends()[1:]), None)


def find_identity_kind() -> str:
    """ "dummy" where the kernel can create one, else "veth"; tried in a network namespace of its own."""
    return "dummy" if can_create("dummy") else "veth"


def find_manager() -> str:
    """The network manager that needs an unmanaged-devices file: "networkmanager", "networkd" or "none"."""
    for unit, manager in (("NetworkManager", "networkmanager"), ("systemd-networkd", "networkd")):
        try:
            done = subprocess.run(["systemctl", "--quiet", "is-active", unit], capture_output=True, check=False)
        except FileNotFoundError:
            return "none"
        if done.returncode == 0:
            return manager
    return "none"


def find_resolver() -> str:
    """The resolver: "resolved" where systemd-resolved runs and /etc/resolv.conf is its own, else "file"."""
    own = str(Path("/etc/resolv.conf").resolve()).startswith("/run/systemd/resolve/")
    return "resolved" if own else "file"


def find_generation() -> str:
    """The generation of the plan that this node has; empty where it has none."""
    return _read_plan("generation")


def find_tree() -> str:
    """The switch over which all routes of that plan lead as a tree; empty where they lead over shared switches."""
    return _read_plan("tree")


def find_cluster() -> str:
    """The cluster of that plan; empty where the node has none."""
    return _read_plan("cluster")


def _read_plan(key: str) -> str:
    """The value of a key of /etc/fnn/node."""
    try:
        lines = Path("/etc/fnn/node").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split()[1] for line in lines if line.startswith(f"{key} ")), "")


def find_networks(excluded: Collection[str]) -> list[dict[str, str]]:
    """IPv4 addresses on devices that the fabric does not own: [{"device", "address": "192.168.1.20/24"}].

    excluded: devices to leave out, because the plan has its own addresses for them.
    """
    return [
        {"device": device["ifname"], "address": f"{info['local']}/{info['prefixlen']}"}
        for device in json.loads(run_ip("-j", "-d", "-4", "address", "show") or "[]")
        if device and device["ifname"] not in {"lo", *excluded} and not device.get("ifalias", "").startswith("fnn")
        for info in device.get("addr_info", [])
    ]


def find_routes(excluded: Collection[str]) -> list[dict[str, str]]:
    """IPv4 routes of other programs than fnn-net, except default routes: [{"device", "to": "10.77.0.0/16"}].

    excluded: devices to leave out, as above. Routes of the kernel follow from addresses.
    """
    return [
        {"device": hop["dev"], "to": each["dst"]}
        for each in json.loads(run_ip("-N", "-j", "-4", "route", "show") or "[]")
        if each["dst"] != "default" and each.get("protocol") not in (ROUTE_PROTOCOL, KERNEL_PROTOCOL)
        for hop in each.get("nexthops", [each])
        if "dev" in hop and hop["dev"] not in {"lo", *excluded}
    ]


def find_default_route(excluded: Collection[str]) -> str:
    """The device of an IPv4 default route of another program than fnn-net, the preferred one; "" without any.

    excluded: devices to leave out, because the plan gives them other routes.
    """
    routes = json.loads(run_ip("-N", "-j", "-4", "route", "show", "default") or "[]")
    others = [each for each in routes if each.get("protocol") != ROUTE_PROTOCOL and each.get("type") != "unreachable"]
    devices = [(each.get("metric", 0), hop["dev"]) for each in others for hop in each.get("nexthops", [each])]
    return min((each for each in devices if each[1] not in excluded), default=(0, ""))[1]


def count_cpus() -> int:
    return len(os.sched_getaffinity(0))
