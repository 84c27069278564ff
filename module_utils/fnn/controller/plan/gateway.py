# SPDX-License-Identifier: GPL-3.0-or-later
"""One node as the gateway of the cluster: routes, address translation and names for the nodes behind it.

    fnn_gateway             k00       the node that forwards to the outside; "" for none
    fnn_gateway_interface   eno1      its interface there
    fnn_gateway_dns         9.9.9.9   servers that its name service asks, by default those of its /etc/resolv.conf

A node is *behind* the gateway if it has no other default route. Only such a node gets a default route, over the
switches that it shares with the gateway or the nodes between, and asks the gateway for names. So the interface by
which Ansible reaches a node keeps its routes. If a node was not read in this run and has no earlier view, nothing of
that changes.

An example. k01 has the management interface mg0, without a default route: it is behind k00. k02 has a default route
over mg0, by which the controller reaches it: it keeps route and resolver.

Values that do not fit are refused, all in one error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netaddr import AddrFormatError, IPAddress

from ...shared.errors import FnnError, Problem
from ..segments import has_bridges
from .settings import PlanSettings

#: The destination of the default route in views and in the files of a node.
DEFAULT = "default"
_DEVICE = re.compile(r"[^\s/\"]{1,15}")

View = dict[str, Any]


@dataclass(frozen=True)
class Gateway:
    """interface: of the node to the outside. dns: servers there. behind: nodes without another default route."""

    node: str
    interface: str
    dns: tuple[str, ...]
    behind: frozenset[str]

    def describe(self) -> View:
        """The part `gateway` of the view of the node."""
        return {"interface": self.interface, "dns": list(self.dns)}


def plan_gateway(
    design: Mapping[str, Any], settings: PlanSettings, stand_ins: Sequence[Mapping[str, str]]
) -> Gateway | None:
    """The gateway; None where the settings have none. design: without satellites. Raises FnnError."""
    if not settings.fnn_gateway:
        return None
    nodes = [node["name"] for node in design["nodes"]]
    problems = [*_find_wrong_node(nodes, settings, stand_ins), *_find_unsupported(design["spec"], settings)]
    problems += [*_find_wrong_interface(settings), *_find_wrong_dns(settings.fnn_gateway_dns)]
    if problems:
        raise FnnError(problems)
    behind = frozenset(settings.behind & {*nodes})
    return Gateway(settings.fnn_gateway, _find_interface(settings), tuple(settings.fnn_gateway_dns), behind)


def check_maintenance(gateway: Gateway, maintenance: Mapping[str, View]) -> None:
    """Raises FnnError where fnn-net would replace the address of the interface to the outside.

    maintenance: by node, the NIC in the maintenance network.
    """
    nic = maintenance.get(gateway.node)
    if nic and nic["length"] is not None and nic["device"] == gateway.interface:
        text = f"{gateway.interface} is the NIC of {gateway.node} in the maintenance network; the outside needs another"
        raise FnnError([Problem("fnn_gateway_interface", text)])


def _find_wrong_node(
    nodes: Sequence[str], settings: PlanSettings, stand_ins: Sequence[Mapping[str, str]]
) -> Iterator[Problem]:
    name = settings.fnn_gateway
    if name not in nodes:
        yield Problem("fnn_gateway", f'"{name}" is no node of fnn_nodes, there are: {", ".join(nodes)}')
    for each in stand_ins:
        if each["node"] == name:
            yield Problem("fnn_gateway", f"{each['spare']} stands in for {name}; name a node that runs, or none")


def _find_unsupported(spec: Mapping[str, Any], settings: PlanSettings) -> Iterator[Problem]:
    if has_bridges(spec):
        text = "needs nodes that route, as in fnn, switch, tree, mesh, or a routed ring or star; this is a"
        yield Problem("fnn_gateway", f"{text} {spec['mode']} {spec['topology']}")
    if not settings.numbered:
        yield Problem("fnn_gateway", "needs fnn_addressing: subnets, as its next hops are addresses of NICs")
    if settings.fnn_outside_prefix:
        yield Problem("fnn_gateway", "excludes fnn_outside_prefix, by which every node is outside by itself")


def _find_interface(settings: PlanSettings) -> str:
    """The name of the interface in the kernel: rules of nftables match no alternative name."""
    given = settings.fnn_gateway_interface
    networks = settings.facts.networks.get(settings.fnn_gateway, ())
    return next((each["device"] for each in networks if given in each.get("altnames", ())), given)


def _find_wrong_interface(settings: PlanSettings) -> Iterator[Problem]:
    at, name, device = "fnn_gateway_interface", settings.fnn_gateway, _find_interface(settings)
    if not device:
        yield Problem(at, f"missing; fnn_gateway needs the interface of {name} to the outside")
    elif not _DEVICE.fullmatch(device):
        yield Problem(at, f'"{device}" is no device name (up to 15 letters, without space, / or ")')
    elif name in settings.facts.networks:
        there = sorted({each["device"] for each in settings.facts.networks[name]})
        if device not in there:
            known = f"it has some on {', '.join(there)}" if there else "it has none besides the fabric"
            yield Problem(at, f"{name} has no IPv4 address on {device}; {known}")


def _find_wrong_dns(servers: Sequence[str]) -> Iterator[Problem]:
    for server in servers:
        try:
            IPAddress(server if server.count(".") == 3 else "", version=4)
        except (AddrFormatError, ValueError):
            yield Problem("fnn_gateway_dns", f'"{server}" is not an IPv4 address')


def check_links(gateway: Gateway, by_node: Mapping[str, Sequence[View]]) -> None:
    """by_node: links of each node. Raises FnnError if the interface is a NIC of the fabric."""
    if gateway.interface in [link["device"] for link in by_node[gateway.node]]:
        text = f"{gateway.interface} of {gateway.node} is a NIC of the fabric"
        raise FnnError([Problem("fnn_gateway_interface", text)])


def find_default_route(gateway: Gateway, name: str, routes: Sequence[View]) -> list[View]:
    """The default route of a node behind the gateway, over the legs of its route to the gateway; else empty."""
    to_gateway = [route for route in routes if route["node"] == gateway.node] if name in gateway.behind else []
    return [{**to_gateway[0], "to": DEFAULT}] if to_gateway else []


def check_paths(gateway: Gateway, views: Mapping[str, View]) -> None:
    """Raises FnnError with each node behind the gateway that has no path to it. views: of nodes with known MACs.

    Not for plans of a rewiring, in which cables are out for a while.
    """
    if gateway.node not in views:
        return
    lost = [name for name in views if name in gateway.behind and gateway.node in views[name]["unreached"]]
    if lost:
        raise FnnError([Problem("fnn_gateway", f"{', '.join(lost)}: no path to {gateway.node}")])
