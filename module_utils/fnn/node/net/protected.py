# SPDX-License-Identifier: GPL-3.0-or-later
"""Which devices of this node may carry the connection of Ansible, so that the toolkit must not touch them.

SSH_CONNECTION has the addresses of both ends. The device with the server's address is not enough: here it is a tunnel,
and without eno1 the connection ends.

    tailscale0   100.64.0.2       carries the SSH connection from 100.64.0.9
    eno1         192.168.1.20     is below tailscale0; has a default route
    enp2s0       no address       is free

Protected are

  * the device with the server's address, or of its scope, as in fe80::10%eno1;
  * the device of the route back to the client, which is the only trace where NAT or a port forward changed the address;
  * the device of every default route, in both families and all tables, as it leads to all clients that are not seen.
    Only that of a DHCP client without a server does not (RFC 3927): its sender has a link-local address;
  * recursively the devices below all of these: members of bonds, ports of bridges, the NIC below a VLAN or macvlan, the
    physical function of a virtual one, and the device over which a tunnel sends.

WireGuard tells root the outer end of a tunnel, and some tunnels of the kernel have it among their options. All others
are programs, whose sockets show no path: for them the devices of the default routes count as below.

The path is known if a client on another host was found, and each tunnel on the way had an outer end. If it is not
known, any device that is up with a global address is a suspect. Suspects are not protected, but no stage takes one for
the fabric unless the operator has named it.

Devices of fnn-net, which have its alias, are protected only as the device with the server's address: their routes and
addresses are those of the plan. A node is managed over one of them if it has no other NIC (fnn_access).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ipaddress
import json
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ...shared.aliases import ACCESS_ALIAS, IDENTITY_ALIAS, MAINTENANCE_ALIAS, NIC_ALIAS, UPPER_ALIAS
from ...shared.failed import Failed
from .kernel import ip_program
from .ssh import find_ssh_ends, was_entered

Entry = Mapping[str, Any]

#: Kinds of devices that send what they get to an outer end (ip-link(8)).
TUNNELS = (
    "amt", "bareudp", "erspan", "geneve", "gre", "gretap", "gtp", "ip6erspan", "ip6gre", "ip6gretap", "ip6tnl", "ipip",
    "ovpn", "ppp", "sit", "tun", "vti", "vti6", "vxlan", "wireguard", "xfrm",
)  # fmt: skip
#: Names of routing tables (rtnetlink(7)); `ip -N` leaves out the number of the main table.
_TABLES = {"": "main", "253": "default", "254": "main"}
_UNICAST, _LOCAL = "1", "2"  # types of routes, as `ip -N` shows them; the first is mostly left out
_OVS = "ovs-system"  # the master of all ports of Open vSwitch
_SYSFS = Path("/sys/class/net")


@dataclass(frozen=True)
class Arrival:
    """device: which the SSH connection arrives on. address: the one of this node."""

    device: str
    address: str


@dataclass(frozen=True)
class Protection:
    """carriers, defaults: device -> why it is protected, for the connection and for default routes.

    suspects: device -> why it may carry the connection; only where the path of the connection is not known.
    entered: whether a program outside of this container runs this one, so that no device carries it.
    """

    arrival: Arrival | None = None
    carriers: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    suspects: dict[str, str] = field(default_factory=dict)
    entered: bool = False

    @property
    def reasons(self) -> dict[str, str]:
        """Protected device -> the reason, as in "eno1 has a default route"."""
        return {**self.defaults, **self.carriers}


def find_protection(stay: Collection[str] = ()) -> Protection:
    """stay: addresses that the node keeps; a connection to one of them needs no protection. Raises Failed."""
    network, ends = Network(), find_ssh_ends()
    defaults = dict(network.default_routes)
    network.add_below(defaults)
    if ends and ends[1].address in stay:
        return Protection(defaults=defaults)
    holders = network.find_holders(*ends[1]) if ends else []
    client = ends[0] if ends and not network.is_own(ends[0].address) else None
    back = network.find_route(*client, source=ends[1].address if holders else "") if client else []
    back = [each for each in back if not network.is_ours(each)]
    carriers = dict.fromkeys(holders, f"carries the SSH connection from {ends[0].address}") if ends else {}
    for each in back:
        carriers.setdefault(each, f"leads to {ends[0].address}, where the SSH connection comes from")
    arrival = None
    for device in [*(each for each in holders if each in back), *holders, *back][:1]:
        address = ends[1].address if holders else network.find_source(ends[0].address)
        arrival = Arrival(device, address) if address else None
    known = network.add_below(carriers) and client is not None and arrival is not None
    suspects = {} if known else network.find_suspects({*defaults, *carriers})
    return Protection(arrival, carriers, defaults, suspects, was_entered())


class Network:
    """The devices, addresses and routes of this node. devices: by name, as `ip -j -d address show` has them."""

    def __init__(self) -> None:
        """Reads the devices. Raises Failed(1) without an answer, as nothing would be protected then."""
        self.devices: dict[str, Entry] = {each["ifname"]: each for each in ask("-d", "address", "show")}
        if not self.devices:
            raise Failed(1, ["`ip -d address show` lists no device; is iproute2 complete?"])

    def is_ours(self, device: str) -> bool:
        """Whether fnn-net made or took a device for the fabric."""
        alias = self.devices.get(device, {}).get("ifalias", "")
        ours = (ACCESS_ALIAS, IDENTITY_ALIAS, UPPER_ALIAS)
        return alias in ours or (alias.startswith(NIC_ALIAS) and alias != MAINTENANCE_ALIAS)

    def find_holders(self, address: str, scope: str = "") -> list[str]:
        """The devices with an address. An address of a loopback device shows no way."""
        return [
            name
            for name, each in self.devices.items()
            if (scope in list_names(each) if scope else any(info.get("local") == address for info in list_infos(each)))
            and each.get("link_type") != "loopback"
        ]

    def is_own(self, address: str) -> bool:
        """Whether an address is one of this node."""
        own = any(info.get("local") == address for each in self.devices.values() for info in list_infos(each))
        return own or ipaddress.ip_address(address).is_loopback

    # --- Routes ---

    @cached_property
    def default_routes(self) -> dict[str, str]:
        """Device of a default route of other programs than fnn-net -> the reason to protect it."""
        found: dict[str, str] = {}
        for family in ("4", "6"):
            for route in ask("-N", f"-{family}", "route", "show", "table", "all", "default"):
                if family == "4" and stays_on_link(route, self.devices.get(route.get("dev", ""), {})):
                    continue
                table = str(route.get("table", ""))
                text = f"has a default route (IPv{family}, table {_TABLES.get(table, table)})"
                for device in list_hops(route):
                    found.setdefault(device, text)
        return {device: text for device, text in found.items() if not self.is_ours(device)}

    def find_route(self, address: str, scope: str = "", source: str = "", mark: str = "") -> list[str]:
        """The devices of the route to an address; none for one of this node. source: the sender's; mark: of packets."""
        options = [*(["from", source] if source else []), *(["mark", mark] if mark else [])]
        options += ["oif", self.find_name(scope)] if scope else []
        for each in ask("-N", "route", "get", "fibmatch", address, *options):
            return list_hops(each)
        return []

    def find_source(self, address: str) -> str:
        """The address of this node in packets to another; "" without a route."""
        return next((each.get("prefsrc", "") for each in ask("route", "get", address)), "")

    def find_name(self, scope: str) -> str:
        """The device of a scope, which is a name or an index (RFC 4007)."""
        return next((name for name, each in self.devices.items() if scope in list_names(each)), scope)

    # --- Devices below ---

    def add_below(self, reasons: dict[str, str]) -> bool:
        """Adds the devices below those in `reasons`, recursively. Returns whether each tunnel has a known outer end."""
        known, roots = True, {device: device for device in reasons}
        queue = list(reasons)
        while queue:
            device = queue.pop(0)
            below, complete = self.list_below(device)
            known = known and complete
            for each in sorted(below - reasons.keys()):
                roots[each] = roots[device]
                reasons[each] = f"is below {roots[device]}, which {reasons[roots[device]]}"
                queue.append(each)
        return known

    def list_below(self, device: str) -> tuple[set[str], bool]:
        """The devices directly below a device, and whether these are certain."""
        entry = self.devices.get(device, {})
        kind = find_kind(entry)
        masters = (device, _OVS) if kind == "openvswitch" else (device,)
        # The taps in a bridge are ports of virtual machines on this node.
        found = {
            name for name, each in self.devices.items() if each.get("master") in masters and find_kind(each) != "tun"
        }
        found |= {path.name for path in _SYSFS.glob(f"{device}/device/physfn/net/*")}
        # The far end of a veth pair is a peer and carries nothing.
        lower = [entry.get("link"), entry.get("linkinfo", {}).get("info_data", {}).get("link")]
        found |= {each for each in lower if each and kind != "veth"}
        if kind in TUNNELS or entry.get("link_type") == "ppp":
            routes = {hop for end, mark in list_outer_ends(entry) for hop in self.find_route(end, mark=mark)} - {device}
            return found | (routes or {*self.default_routes} - {device}), bool(routes)
        return found - {device}, True

    def find_suspects(self, protected: Collection[str]) -> dict[str, str]:
        """The devices that are up with a global address, without those of fnn-net, and the devices below them."""
        found = {}
        for name, each in self.devices.items():
            address = next((info["local"] for info in list_infos(each) if is_global(info)), "")
            if address and "UP" in each.get("flags", ()) and not self.is_ours(name):
                found[name] = f"is up with the address {address}, and may carry the connection of Ansible"
        self.add_below(found)
        return {name: reason for name, reason in found.items() if name not in protected}


def ask(*arguments: str) -> list[Entry]:
    """The output of `ip -j`; nothing if it fails, as without a route or without IPv6. Raises Failed without `ip`."""
    done = subprocess.run([ip_program(), "-j", *arguments], capture_output=True, text=True, check=False)
    try:
        return [each for each in json.loads(done.stdout or "[]") if each]
    except ValueError:
        return []


def list_names(entry: Entry) -> list[str]:
    """The names of a device: its own, alternative ones, and its index, which is one as a scope."""
    return [entry["ifname"], *entry.get("altnames", ()), str(entry.get("ifindex", ""))]


def list_infos(entry: Entry) -> Iterable[Entry]:
    return (info for info in entry.get("addr_info", ()) if info)


def is_global(info: Entry) -> bool:
    """Whether hosts beyond the link may use an address of `ip -j address`."""
    return info.get("scope") not in ("host", "link") and not ipaddress.ip_address(info["local"]).is_link_local


def find_kind(entry: Entry) -> str:
    return str(entry.get("linkinfo", {}).get("info_kind", ""))


def list_hops(route: Entry) -> list[str]:
    """The devices of a route of `ip -N -j`; none for one that leads nowhere or to this node."""
    if str(route.get("type", _UNICAST)) != _UNICAST:
        return []
    devices = [hop.get("dev", "") for hop in (route, *route.get("nexthops", ()))]
    return [each for each in dict.fromkeys(devices) if each not in ("", "lo")]


def stays_on_link(route: Entry, device: Entry) -> bool:
    """Whether an IPv4 route without a router sends from link-local addresses alone (RFC 3927)."""
    if {"gateway", "via", "nexthops"} & route.keys():
        return False
    own = [info["local"] for info in list_infos(device) if info.get("family") == "inet"]
    senders = [route["prefsrc"]] if "prefsrc" in route else own
    return bool(senders) and all(ipaddress.IPv4Address(each).is_link_local for each in senders)


def list_outer_ends(entry: Entry) -> Iterator[tuple[str, str]]:
    """The known outer ends of a tunnel, and the mark of packets to each ("" for none)."""
    if find_kind(entry) == "wireguard":
        mark = ask_wireguard(entry["ifname"], "fwmark")
        for fields in (line.split() for line in ask_wireguard(entry["ifname"], "endpoints").splitlines()):
            if len(fields) == 2 and fields[1] != "(none)":
                yield fields[1].rpartition(":")[0].strip("[]"), "" if mark == "off" else mark
        return
    data = entry.get("linkinfo", {}).get("info_data", {})
    for text in (data.get("remote"), data.get("remote6")):
        try:
            if text and not ipaddress.ip_address(text).is_unspecified:
                yield text, ""
        except ValueError:  # "any"
            continue


def ask_wireguard(device: str, what: str) -> str:
    """The output of wg(8); "" without the program or without its rights."""
    try:
        done = subprocess.run(["wg", "show", device, what], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()
