# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the cluster for /etc/hosts: the same lines on every node.

    10.78.0.1 k00         the identity address of the node
    10.77.0.1 k00-red     its NIC on the switch red, where NICs have addresses
    10.79.0.1 k00-mg      its management address
    10.80.0.1 k00-maintenance   its address in the maintenance network, if there is one

The line of a node also has its short name, and the host name of its machine, if they differ (host_names.py); the
names of its other addresses begin with the short name. A stand-in also has the name of the node it replaces, which
comes first: `10.78.0.3 k02 hot1`.

A node named "k00-red" would clash with the NIC of k00 on red. Such names are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem
from ..host_names import list_aliases, shorten_names
from .addresses import Addresses

MANAGEMENT_SUFFIX = "mg"
MAINTENANCE_SUFFIX = "maintenance"


def name_hosts(
    nodes: Sequence[Mapping[str, Any]],
    switches: Sequence[str],
    plan: Addresses,
    maintenance: Mapping[str, Mapping[str, Any]] | None = None,
    host_names: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Lines [{"address", "names"}] of /etc/hosts: all nodes, then their NICs, then their management addresses, then
    those in the maintenance network.

    nodes: those of the design; switches: names in the order of their subnets; maintenance: as in maintenance.py.
    host_names: of machines that have another name than in the inventory.
    Raises FnnError when one name would have two addresses.
    """
    present = [(rank, node) for rank, node in enumerate(nodes) if not node.get("absent")]
    short = shorten_names([node["name"] for node in nodes])
    lines = [(_list_own(node, short, host_names or {}), plan.identity(rank)) for rank, node in present]
    for rank, node in present:
        lines += [([name], address) for name, address in _name_links(rank, node, short, switches, plan)]
    lines += [([f"{short[node['name']]}-{MANAGEMENT_SUFFIX}"], plan.management(rank)) for rank, node in present]
    for name, nic in (maintenance or {}).items():
        lines += [([f"{short[name]}-{MAINTENANCE_SUFFIX}"], nic["address"])]
    problems = list(_find_clashes([name for names, _ in lines for name in names]))
    if problems:
        raise FnnError(problems)
    return [{"address": address, "names": names} for names, address in lines]


def list_names(
    nodes: Sequence[Mapping[str, Any]],
    switches: Sequence[str],
    plan: Addresses,
    host_names: Mapping[str, str] | None = None,
) -> dict[str, list[str]]:
    """Node -> every name and address by which it can be reached, its own first; arguments as for name_hosts."""
    short = shorten_names([node["name"] for node in nodes])
    links = [_name_links(rank, node, short, switches, plan) for rank, node in enumerate(nodes)]
    return {
        node["name"]: [
            *_list_machine(node, short, host_names or {}),
            *node.get("also", ()),
            plan.identity(rank),
            *[name for name, _ in links[rank]],
            *[address for _, address in links[rank]],
            f"{short[node['name']]}-{MANAGEMENT_SUFFIX}",
            plan.management(rank),
        ]
        for rank, node in enumerate(nodes)
        if not node.get("absent")
    }


def _list_own(node: Mapping[str, Any], short: Mapping[str, str], host_names: Mapping[str, str]) -> list[str]:
    """The names at the identity address of a node, first those of the node that it replaces."""
    also = [alias for name in node.get("also", ()) for alias in list_aliases(name, short[name], "")]
    return [*also, *_list_machine(node, short, host_names)]


def _list_machine(node: Mapping[str, Any], short: Mapping[str, str], host_names: Mapping[str, str]) -> list[str]:
    return list_aliases(node["name"], short[node["name"]], host_names.get(node["name"], ""))


def _name_links(
    rank: int, node: Mapping[str, Any], short: Mapping[str, str], switches: Sequence[str], plan: Addresses
) -> list[tuple[str, str]]:
    """(name, address) of a node's NICs, if they have addresses."""
    addresses = [(link["switch"], plan.link(switches.index(link["switch"]), rank)) for link in node["links"]]
    return [(f"{short[node['name']]}-{switch}", address) for switch, address in addresses if address]


def _find_clashes(names: Sequence[str]) -> Iterator[Problem]:
    # Nodes come first, so a repeated name always belongs to a NIC or management address of another node.
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            yield Problem("/etc/hosts", f'"{name}" would name both a node and an address of another; rename one')
        seen.add(name.lower())
