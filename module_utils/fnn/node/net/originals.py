# SPDX-License-Identifier: GPL-3.0-or-later
"""The original state of NICs and settings of a node, recorded before fnn-net first changes them, for their release.

    /var/lib/fnn/original.json    {"nics": {"02:f0:00:00:00:00": {"up": true, "addresses": ["192.0.2.5/24"], ...}},
                                   "sysctls": {"net/ipv4/fib_multipath_hash_policy": "0"}, "directories": ["/etc/fnn"]}

A NIC is recorded by its MAC when a plan first takes it, and a setting when a plan first names it. NICs and settings of
the plan on the node are not recorded again. Neither is a NIC that rested while its cable moved: it is down and has no
address. Addresses leased by a DHCP server are left to its client.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ...shared.aliases import NIC_ALIAS
from ...shared.atomic import write_atomic
from .kernel import Device, Kernel, forwarding_key, ip_program, ipv6_key, read_sysctl, run_ip
from .managers import list_managed
from .place import Place
from .plan import Plan

NAME = "original.json"
PATH = f"/var/lib/fnn/{NAME}"


@dataclass(frozen=True)
class Nic:
    """routes: static IPv4 routes over it, in the syntax of ip-route(8) without the device.

    ipv6_off: the value of disable_ipv6, "0" or "1", or "" on a kernel without IPv6.

    forwarding: the value of its setting, "" in records of earlier versions.

    managed: a network manager configured it, and will do so again.
    """

    up: bool = False
    arp: bool = True
    mtu: int = 0
    addresses: tuple[str, ...] = ()
    ipv6_off: str = ""
    managed: bool = False
    routes: tuple[str, ...] = ()
    forwarding: str = ""


@dataclass
class Originals:
    """nics: by MAC. subflows: the kernel's limit for one Multipath TCP connection."""

    nics: dict[str, Nic] = field(default_factory=dict)
    sysctls: dict[str, str] = field(default_factory=dict)
    directories: list[str] = field(default_factory=list)
    subflows: int | None = None
    protocol: int = 196


def read_originals(place: Place) -> Originals:
    """Empty where there is no readable record; a release then uses the kernel's defaults."""
    try:
        document = json.loads((place.state / NAME).read_text(encoding="utf-8"))
        nics = {mac: read_nic(nic) for mac, nic in document.pop("nics").items()}
        return Originals(nics=nics, **document)
    except (OSError, ValueError, TypeError, KeyError):
        return Originals()


def read_nic(noted: Mapping[str, Any]) -> Nic:
    return Nic(**{**noted, "addresses": tuple(noted["addresses"]), "routes": tuple(noted.get("routes", ()))})


def record_originals(place: Place, plan: Plan, former: Plan | None, kernel: Kernel, directories: Iterable[str]) -> None:
    """Adds NICs and settings of `plan` that `former`, the plan on the node, does not have. Raises OSError, Failed."""
    originals = read_originals(place)
    ours = former.nic_macs if former else frozenset()
    macs = plan.nic_macs
    nics = [device for device in kernel.devices.values() if device.kind in ("", "veth")]
    by_mac = {mac: device for device in nics if (mac := device.permanent or device.mac) in macs}
    addresses = read_static_addresses()
    managed = list_managed() if place.has_systemd else set()
    for mac in sorted(macs - ours):
        device = by_mac.get(mac)
        if device and not device.alias.startswith(NIC_ALIAS):
            seen = replace(describe_nic(device, addresses), managed=device.name in managed)
            if mac not in originals.nics or is_in_use(seen):
                originals.nics[mac] = seen
    for key in list_settings(plan, former, [device.name for device in by_mac.values()]):
        value = read_sysctl(key)
        if value is not None:
            originals.sysctls[key] = value
    if former is None:
        originals.subflows = kernel.subflows
    originals.protocol = plan.protocol
    write_originals(place, originals, directories)


def record_directories(place: Place, directories: Iterable[str]) -> None:
    """Adds directories before they are made. Raises OSError."""
    write_originals(place, read_originals(place), directories)


def write_originals(place: Place, originals: Originals, directories: Iterable[str]) -> None:
    """directories: to be added to those of `originals`. Raises OSError."""
    originals.directories += [each for each in directories if each not in originals.directories]
    write_atomic(place.state / NAME, json.dumps(asdict(originals), indent=2, sort_keys=True) + "\n")


def is_in_use(nic: Nic) -> bool:
    """Whether the NIC is in use. A NIC that fnn-net released is down and has no address."""
    return nic.up or nic.managed or bool(nic.addresses)


def list_settings(plan: Plan, former: Plan | None, devices: Iterable[str]) -> list[str]:
    """Keys that the plan sets and the former plan did not.

    Writing conf/default changes all devices at once, and a device that gets an address keeps the value (devinet.c of
    Linux). So the keys of the devices are recorded as well.
    """
    fresh = [key for key in list_keys(plan) if former is None or key not in list_keys(former)]
    wide = [key for key in fresh if "/conf/default/" in key]
    return fresh + [key.replace("/default/", f"/{device}/") for key in wide for device in devices]


def list_keys(plan: Plan) -> list[str]:
    """Keys that the plan sets, besides those of NICs."""
    return [*plan.sysctls, *([forwarding_key(plan.gateway)] if plan.gateway else [])]


def list_formerly_managed(place: Place) -> set[str]:
    """MACs of NICs that a network manager configured before they were ours."""
    return {mac for mac, nic in read_originals(place).nics.items() if nic.managed}


def describe_nic(device: Device, addresses: Mapping[str, list[str]]) -> Nic:
    ipv6_off = read_sysctl(ipv6_key(device.name)) or ""
    lasting = tuple(addresses.get(device.name, []))
    routes = tuple(read_static_routes(device.name)) if lasting else ()
    forwarding = read_sysctl(forwarding_key(device.name)) or ""
    return Nic(device.up, device.arp, device.mtu, lasting, ipv6_off, routes=routes, forwarding=forwarding)


def read_static_addresses() -> dict[str, list[str]]:
    """Device -> static addresses of scope global, of both families."""
    return {
        each["ifname"]: [format_address(info) for info in each.get("addr_info", []) if is_static(info)]
        for each in run_ip("-j", "address", "show")
        if "ifname" in each
    }


def read_static_routes(device: str) -> list[str]:
    """IPv4 routes over a device, without those of the kernel (from its addresses) and of DHCP."""
    command = [ip_program(), "-4", "route", "show", "table", "main", "dev", device]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = (re.sub(" (linkdown|dead)\\b", "", line).strip() for line in done.stdout.splitlines())
    return [line for line in found if line and not re.search("proto (kernel|dhcp)", line)]


def is_static(info: Mapping[str, Any]) -> bool:
    return info.get("scope") == "global" and not info.get("dynamic")


def format_address(info: Mapping[str, Any]) -> str:
    return f"{info['local']}/{info['prefixlen']}"
