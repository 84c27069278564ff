# SPDX-License-Identifier: GPL-3.0-or-later
"""The network state of this node's kernel, read by `ip -j` and from /proc/sys."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...shared.failed import Failed
from .egress import Filter, read_filters

MPTCP = "net/mptcp/enabled"


@dataclass(frozen=True)
class Device:
    """One network device. master: name of the bridge or bond it belongs to.

    options: of its kind, as `ip -d` names them; port_options: as a port of its master.
    """

    name: str
    mac: str = ""
    permanent: str = ""
    kind: str = ""
    up: bool = False
    arp: bool = True
    mtu: int = 1500
    alias: str = ""
    master: str = ""
    lower: str = ""
    carrier: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    port_options: Mapping[str, Any] = field(default_factory=dict)


class Hop(NamedTuple):
    """One next hop of a route. gateway: "" for none. weight: 1 for the only one, which has none in the kernel."""

    device: str
    gateway: str
    weight: int = 1


@dataclass(frozen=True)
class Path4:
    """A route of our protocol as the kernel has it."""

    hops: frozenset[Hop]
    source: str


#: A route of type unreachable as `ip` shows it: neither device nor source.
UNREACHABLE = Path4(frozenset({Hop("", "")}), "")


@dataclass(frozen=True)
class Endpoint:
    """A Multipath TCP endpoint (ip-mptcp(8)): an address from which connections open further subflows."""

    number: int
    address: str
    device: str


@dataclass
class Kernel:
    devices: dict[str, Device] = field(default_factory=dict)
    addresses: dict[str, list[str]] = field(default_factory=dict)  # device -> ["10.77.0.1/24", …], IPv4 only
    neighbors: dict[str, dict[str, str]] = field(default_factory=dict)  # device -> address -> MAC, permanent only
    routes: dict[str, Path4] = field(default_factory=dict)  # destination -> path, our protocol only
    sysctls: dict[str, str | None] = field(default_factory=dict)  # None: the kernel has no such setting
    endpoints: list[Endpoint] = field(default_factory=list)
    filters: dict[str, Filter] | None = field(default_factory=dict)  # by device; None: the kernel lacks such filters
    subflows: int | None = None  # limit for one connection; None: the kernel has no Multipath TCP

    def list_nics(self, mac: str) -> list[Device]:
        """The NICs with this MAC. Bridges and VLANs inherit that of their NIC, so only NICs and veth ends count."""
        return [
            device
            for device in self.devices.values()
            if (device.permanent or device.mac) == mac and device.kind in ("", "veth")
        ]


def run_ip(*arguments: str) -> list[dict[str, Any]]:
    done = subprocess.run([ip_program(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(1, [f"ip {' '.join(arguments)}: {done.stderr.strip()}"])
    return [each for each in json.loads(done.stdout or "[]") if each]


def ip_program() -> str:
    """The path of `ip`; it may be in an sbin directory that the PATH of a service or an ordinary user lacks."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", "/usr/bin"])
    found = shutil.which("ip", path=path)
    if not found:
        raise Failed(1, ["ip: not found; install iproute2"])
    return found


def read_kernel(protocol: int, sysctls: Iterable[str]) -> Kernel:
    """Reads all input of `find_difference`, with `ip`, `tc` and reads below /proc/sys."""
    entries = [each for each in run_ip("-j", "-d", "address", "show") if "ifname" in each]  # of devices as well
    devices = {each["ifname"]: to_device(each) for each in entries}
    return Kernel(
        devices=devices,
        addresses=to_addresses(entries, "inet"),
        neighbors=to_neighbors(run_ip("-4", "-j", "neighbor", "show", "nud", "all")),
        routes=to_routes(run_ip("-4", "-N", "-j", "route", "show", "table", "main"), protocol),
        sysctls={
            key: read_sysctl(key)
            for key in [*sysctls, *(make(name) for make in (ipv6_key, forwarding_key) for name in (*devices, "all"))]
        },
        endpoints=read_endpoints(),
        subflows=read_subflows(),
        filters=read_filters(),
    )


def read_endpoints() -> list[Endpoint]:
    if read_sysctl(MPTCP) is None:
        return []
    entries = run_ip("-j", "mptcp", "endpoint", "show")
    return [Endpoint(each["id"], each["address"], each.get("dev", "")) for each in entries]


def read_subflows() -> int | None:
    """From `add_addr_accepted 0 subflows 2`, which iproute2 6.1 prints even with -j."""
    if read_sysctl(MPTCP) is None:
        return None
    done = subprocess.run([ip_program(), "mptcp", "limits", "show"], capture_output=True, text=True, check=False)
    found = re.search(r"subflows (\d+)", done.stdout)
    return int(found[1]) if found else None


def to_addresses(entries: Iterable[dict[str, Any]], family: str) -> dict[str, list[str]]:
    return {
        each["ifname"]: [
            f"{info['local']}/{info['prefixlen']}" for info in each.get("addr_info", []) if info.get("family") == family
        ]
        for each in entries
    }


def to_device(entry: dict[str, Any]) -> Device:
    """From one element of `ip -j -d link show`, or of `ip -j -d address show`."""
    flags, info = entry.get("flags", []), entry.get("linkinfo", {})
    port = info.get("info_slave_data", {})
    return Device(
        name=entry["ifname"],
        mac=entry.get("address", "") if entry.get("link_type") == "ether" else "",
        permanent=entry.get("permaddr", "") or port.get("perm_hwaddr", ""),
        kind=info.get("info_kind", ""),
        up="UP" in flags,
        arp="NOARP" not in flags,
        mtu=entry.get("mtu", 0),
        alias=entry.get("ifalias", ""),
        master=entry.get("master", ""),
        lower=entry.get("link", "") or "",
        carrier="LOWER_UP" in flags,
        options=info.get("info_data", {}),
        port_options=port,
    )


def to_neighbors(entries: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    for entry in entries:
        if "PERMANENT" in entry.get("state", []):
            table.setdefault(entry["dev"], {})[entry["dst"]] = entry.get("lladdr", "")
    return table


def to_routes(entries: list[dict[str, Any]], protocol: int) -> dict[str, Path4]:
    routes: dict[str, Path4] = {}
    for entry in entries:
        if entry.get("protocol") == str(protocol):
            hops = entry.get("nexthops", [entry])
            found = frozenset(Hop(hop.get("dev", ""), hop.get("gateway", ""), hop.get("weight", 1)) for hop in hops)
            routes[entry["dst"]] = Path4(found, entry.get("prefsrc", ""))
    return routes


def ipv6_key(device: str) -> str:
    """The setting that disables IPv6 on a device, and with it neighbor and router solicitation."""
    return f"net/ipv6/conf/{device}/disable_ipv6"


def forwarding_key(device: str) -> str:
    """The setting that lets the kernel forward IPv4 packets which arrive on a device; "all": of new devices."""
    return f"net/ipv4/conf/{device}/forwarding"


def read_sysctl(key: str) -> str | None:
    try:
        return " ".join((Path("/proc/sys") / key).read_text(encoding="ascii").split())
    except OSError:
        return None
