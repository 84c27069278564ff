# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts of a node for the plan: the device Ansible arrives on, the network manager, what the kernel can create.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.aliases import ACCESS_ALIAS
from ...shared.errors import FnnError, Problem
from ...shared.failed import Failed
from ...shared.nic_facts import list_names, read_devices, read_links, read_permanent_mac, run_ip
from ..check.kernel_features import can_create
from ..net.managers import is_active
from ..net.protected import Protection, find_protection, list_hops, stays_on_link
from ..reach.kernel import ROUTE_PROTOCOL

_MANAGERS = {"networkmanager": "NetworkManager", "networkd": "systemd-networkd"}  # and their units
KERNEL_PROTOCOL = "2"  # of routes that the kernel adds for addresses (rtnetlink(7), RTPROT_KERNEL)


@dataclass(frozen=True)
class Candidates:
    """arrival: the device that carries the SSH connection, {"device", "mac", "address", "rests_on", "access"}.

    rests_on: other devices that carry it. access: whether it is a NIC of the fabric, or the access device on one.

    links: NICs that may be of the fabric. reserved of a link: why it is not, unless the operator named it.
    protected: the other NICs, [{"device", "names", "mac", "reason"}].
    entered: whether a program outside of this container runs this module, so that no device carries it.
    """

    arrival: dict[str, Any] | None
    links: list[dict[str, Any]]
    protected: list[dict[str, Any]]
    entered: bool


def read_candidates(
    match: list[str] | None, macs: Iterable[str] = (), excluded: Iterable[str] = (), access: str = "management"
) -> Candidates:
    """The NICs that may be of the fabric, by the one rule of all stages (net/protected.py). Raises FnnError.

    match, macs, excluded: see read_links. access: with "nic", nodes have no other NICs, so that none is protected.
    """
    protection = find_protection_of_node()
    devices = {each["ifname"]: each for each in read_devices()}
    arrival = describe_arrival(protection, devices, access == "nic")
    reasons, suspects = protection.reasons, protection.suspects
    if arrival and arrival["access"]:
        reasons = {} if access == "nic" else protection.defaults
    if access == "nic":
        reasons, suspects = {}, {}
    links = read_links(match, macs, [*reasons, *excluded])
    for link in links:
        link["reserved"] = link["reserved"] or suspects.get(link["device"])
    protected = [
        {"device": name, "names": list_names(devices[name]), "mac": find_mac(devices[name]), "reason": reason}
        for name, reason in reasons.items()
        if name in devices
    ]
    return Candidates(arrival, links, protected, protection.entered)


def find_protection_of_node() -> Protection:
    """As find_protection. Raises FnnError."""
    try:
        return find_protection()
    except Failed as failure:
        raise FnnError(Problem("", message) for message in failure.messages) from None


def describe_arrival(
    protection: Protection, devices: Mapping[str, Mapping[str, Any]], by_nic: bool
) -> dict[str, Any] | None:
    """by_nic: whether nodes have no other devices to arrive on."""
    if protection.arrival is None:
        return None
    device = protection.arrival.device
    return {
        "device": device,
        "mac": find_mac(devices[device]),
        "address": protection.arrival.address,
        "rests_on": sorted(protection.carriers.keys() - {device}),
        "access": by_nic or devices[device].get("ifalias") == ACCESS_ALIAS,
    }


def find_mac(device: Mapping[str, Any]) -> str | None:
    return read_permanent_mac(device["ifname"]) or device.get("address")


def read_facts(found: Candidates) -> dict[str, Any]:
    """What fnn_links returns with state=read."""
    devices = [link["device"] for link in found.links]
    return {
        "arrived_on": found.arrival,
        "links": found.links,
        "protected": found.protected,
        "entered": found.entered,
        "identity_kind": find_identity_kind(),
        "manager": find_manager(),
        "resolver": find_resolver(),
        "generation": find_generation(),
        "networks": find_networks(devices),
        "default_route": find_default_route(devices),
        "host_name": os.uname().nodename,
        "cpus": count_cpus(),
    }


def read_maintenance_facts() -> dict[str, Any]:
    """The same for the maintenance network: with all devices, as the spec names one of any kind."""
    return read_facts(read_candidates(["*"], access="nic"))


def find_identity_kind() -> str:
    """ "dummy" where the kernel can create one, else "veth"; tried in a network namespace of its own."""
    return "dummy" if can_create("dummy") else "veth"


def find_manager() -> str:
    """The network manager that needs an unmanaged-devices file: "networkmanager", "networkd", "both" or "none"."""
    try:
        active = [name for name, unit in _MANAGERS.items() if is_active(unit)]
    except FileNotFoundError:
        return "none"
    return "both" if len(active) > 1 else (active or ["none"])[0]


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


def find_networks(excluded: Collection[str]) -> list[dict[str, Any]]:
    """IPv4 addresses on devices that the fabric does not own: [{"device", "altnames", "address": "192.168.1.20/24"}].

    excluded: devices to leave out, because the plan has its own addresses for them.
    """
    return [
        {
            "device": device["ifname"],
            "altnames": list_names(device)[1:],
            "address": f"{info['local']}/{info['prefixlen']}",
        }
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
    devices = {each["ifname"]: each for each in json.loads(run_ip("-j", "-4", "address", "show") or "[]") if each}
    others = [
        each
        for each in routes
        if each.get("protocol") != ROUTE_PROTOCOL and not stays_on_link(each, devices.get(each.get("dev", ""), {}))
    ]
    # One of the type unreachable has no device.
    found = [(each.get("metric", 0), device) for each in others for device in list_hops(each)]
    return min((each for each in found if each[1] not in excluded), default=(0, ""))[1]


def count_cpus() -> int:
    return len(os.sched_getaffinity(0))
