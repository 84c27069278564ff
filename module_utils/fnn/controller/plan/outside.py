# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts outside the plan: an address for each node in their network, over one NIC whose switch has an uplink cable.

    fnn_outside_prefix     192.168.7.0/24   their network
    fnn_outside_address    192.168.7.1      of a node; by default its address in Ansible if it has no management NIC,
                                            else rank + 1 in the prefix
    fnn_outside_nic        0                of a node; by default its first NIC on a switch with a cable to the uplink

An example. k03 has NIC 0 on red and NIC 1 on blue, and both switches have a cable to the uplink switch. The address
is on NIC 0, and on NIC 1 while the cable of NIC 0 moves. If blue had no such cable, the address would stay on NIC 0,
and k03 would be unreachable from outside until the cable is plugged in again.

Values that do not fit are refused, all in one error.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netaddr import AddrFormatError, IPAddress, IPNetwork

from ...shared.errors import Problem
from ...shared.mac import derive_mac
from .prefixes import read_prefix
from .settings import PlanSettings

DEVICE = "fnn-access"
NIC = "nic"

View = dict[str, Any]


@dataclass(frozen=True)
class Outside:
    """addresses: by node; nics: index of the NIC, by node, where the inventory sets it; gateway: "" for none.

    access: NIC when nodes have no management NIC, so that Ansible also connects over the outside network.
    """

    access: str
    prefix: IPNetwork
    addresses: Mapping[str, str]
    nics: Mapping[str, int]
    gateway: str
    dns: tuple[str, ...]
    mtu: int

    def describe(self) -> View:
        """The outside network in the cluster view."""
        return {"access": self.access, "prefix": str(self.prefix), "gateway": self.gateway or None}


def plan_outside(nodes: Sequence[str], settings: PlanSettings, problems: list[Problem]) -> Outside | None:
    """The outside network; None where the settings have none, or where they are invalid (added to the problems).

    nodes: names in rank order.
    """
    access = settings.fnn_access
    if not settings.fnn_outside_prefix:
        if access == NIC:
            problems.append(
                Problem("fnn_outside_prefix", "missing; fnn_access: nic needs the prefix of the network outside")
            )
        return None
    at = "fnn_outside_prefix"
    prefix = read_prefix(at, settings.fnn_outside_prefix, "192.168.7.0/24", problems)
    if prefix and prefix.size - 2 < len(nodes):
        problems.append(
            Problem(at, f"{prefix} holds {max(0, prefix.size - 2)} nodes, but the cluster has {len(nodes)}")
        )
        prefix = None
    if prefix is None:
        return None
    before = len(problems)
    known_by = {**(settings.management if access == NIC else {}), **settings.fnn_outside_address}
    addresses = _place(nodes, prefix, known_by, problems)
    gateway = _read_gateway(settings.fnn_outside_gateway, prefix, addresses, problems)
    dns = tuple(_read_dns(settings.fnn_outside_dns, prefix, gateway, access, problems))
    outside = Outside(access, prefix, addresses, settings.fnn_outside_nic, gateway, dns, settings.fnn_outside_mtu)
    return outside if len(problems) == before else None


def _place(
    nodes: Sequence[str], prefix: IPNetwork, known_by: Mapping[str, str], problems: list[Problem]
) -> dict[str, str]:
    """Each node's address in the outside network. known_by: addresses that are not rank + 1 in the prefix."""
    placed: dict[str, str] = {}
    owner: dict[str, str] = {}
    for rank, name in enumerate(nodes):
        wanted = known_by.get(name) or str(prefix[rank + 1])
        at = f"fnn_outside_address of {name}"
        if not _is_host(wanted, prefix):
            problems.append(Problem(at, f'"{wanted}" is not an address of a host in {prefix}'))
        elif wanted in owner:
            problems.append(Problem(at, f"{wanted} is already that of {owner[wanted]}"))
        placed[name] = wanted
        owner.setdefault(wanted, name)
    return placed


def _is_host(text: str, prefix: IPNetwork) -> bool:
    address = _read_address(text)
    return address is not None and address in prefix and address not in (prefix.network, prefix.broadcast)


def _read_address(text: str) -> IPAddress | None:
    try:
        return IPAddress(text, version=4) if text.count(".") == 3 else None
    except (AddrFormatError, ValueError):
        return None


def _read_gateway(text: str, prefix: IPNetwork, addresses: Mapping[str, str], problems: list[Problem]) -> str:
    if not text:
        return ""
    if not _is_host(text, prefix):
        problems.append(Problem("fnn_outside_gateway", f'"{text}" is not an address of a host in {prefix}'))
    problems += [
        Problem("fnn_outside_gateway", f"{text} is the address of {name}")
        for name, address in addresses.items()
        if address == text
    ]
    return text


def _read_dns(
    servers: Sequence[str], prefix: IPNetwork, gateway: str, access: str, problems: list[Problem]
) -> Iterator[str]:
    for server in servers:
        address = _read_address(server)
        if address is None:
            problems.append(Problem("fnn_outside_dns", f'"{server}" is not an IPv4 address'))
        elif access == NIC and address not in prefix and not gateway:
            text = f"{server} is not in {prefix}, and there is no fnn_outside_gateway to reach it by"
            problems.append(Problem("fnn_outside_dns", text))
        else:
            yield server


def find_conflicting_addresses(
    outside: Outside, networks: Mapping[str, Sequence[Mapping[str, str]]]
) -> Iterator[Problem]:
    """Other devices of nodes with an address in the outside network: the routes to it would be ambiguous.

    networks: as in settings.py.
    """
    inside = [
        (node, each["device"], each["address"])
        for node, addresses in networks.items()
        for each in addresses
        if IPNetwork(each["address"]).ip in outside.prefix
    ]
    if inside:
        node, device, address = inside[0]
        more = f", and {len(inside) - 1} more" if len(inside) > 1 else ""
        yield Problem("fnn_outside_prefix", f"{outside.prefix} covers {address}, which {device} of {node} has{more}")


def list_uplinked(design: Mapping[str, Any]) -> set[str]:
    """The *uplinked* switches: the uplink switch and those with a cable to it; empty without an uplink switch."""
    uplink, switches = design["spec"]["uplink"], design["spec"]["switches"]
    return {uplink["name"], *(each["name"] for each in switches if each["reserved"])} if uplink else set()


def find_unreachable_nodes(outside: Outside, design: Mapping[str, Any]) -> Iterator[Problem]:
    """Nodes that hosts outside could not reach."""
    if design["spec"]["uplink"] is None:
        yield Problem(
            "fnn_uplink", "missing; fnn_outside_prefix needs an uplink switch, over which nodes reach the outside"
        )
        return
    uplinked = list_uplinked(design)
    for node in (each for each in design["nodes"] if not each.get("absent")):
        name, switches = node["name"], {link["nic"]: link["switch"] for link in node["links"]}
        at, nic = f"fnn_outside_nic of {name}", outside.nics.get(name)
        if nic is None and not uplinked & set(switches.values()):
            yield Problem(at, "none of its NICs goes to a switch with a cable to the uplink switch")
        elif nic is not None and nic not in switches:
            yield Problem(at, f"the design has no cable for NIC {nic}")
        elif nic is not None and switches[nic] not in uplinked:
            yield Problem(at, f"NIC {nic} goes to {switches[nic]}, which has no cable to the uplink switch")


def choose_nic(
    outside: Outside | None, node: Mapping[str, Any], uplinked: Collection[str], out: Collection[int] = ()
) -> int | None:
    """The index of the NIC that carries the address of a node; None where no NIC can.

    node: of a design. uplinked: see `list_uplinked`. out: NICs whose cables are about to move, chosen only if no
    other fits.
    """
    pinned = outside.nics.get(node["name"]) if outside else None
    fit = [link["nic"] for link in node["links"] if link["switch"] in uplinked]
    fit.sort(key=lambda nic: (nic in out, nic != pinned, nic))
    return fit[0] if fit else None


def view_access(outside: Outside, name: str, nic: Mapping[str, Any], mtu: int) -> View:
    """The access device of a node. nic: of macs.json; mtu: of its link, in bytes."""
    return {
        "device": DEVICE,
        "mac": derive_mac(nic["mac"]),
        "nic": nic["nic"],
        "nic_mac": nic["mac"],
        "address": outside.addresses[name],
        "length": outside.prefix.prefixlen,
        "mtu": min(mtu, outside.mtu),
        "gateway": outside.gateway or None,
    }
