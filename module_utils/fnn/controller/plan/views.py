# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the plan of a cluster from its design and its MACs (controller only).

A *node view* is the document of one node: its links, a neighbor entry for each peer NIC in reach (static, in place of
ARP), and the switches that lead to each peer. One *cluster view* holds the data that all nodes share.

    addresses ──► links ──► crossings ──► reach of each node ──► views
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..host_names import read_host_names, shorten_names
from ..segments import has_cables, is_neighborhood_network
from ..twins import rest_seconds, share_mtus
from .addresses import IDENTITY_DEVICE, Addresses
from .cast import check_cast, plan_cast
from .egress import plan_egress
from .gateway import Gateway, check_links, check_maintenance, check_paths, find_default_route, plan_gateway
from .linkd import check_linkd, plan_linkd
from .links import Links, place_links
from .maintenance import add_maintenance, view_maintenance
from .names import name_hosts
from .outside import View, list_uplinked
from .over_uplink import Crossings
from .reach import Reach, find_reach
from .routing import Routing
from .satellites import list_satellites, plan_seats, seat_satellites
from .settings import ADVANCED, BASIC, TREE, PlanInputs, PlanSettings
from .tree import check_tree, choose_tree_links, follow_tree
from .upper_devices import UpperDevice, join_mtus, join_nics, plan_upper_devices
from .weights import Weights


@dataclass(frozen=True)
class Plan:
    """views: of the nodes with known MACs, by name, in rank order. cluster: the data that all nodes share.

    nics: the neighbor entries of all NICs, by node. The neighbors in a view are those on its switches, without its own,
    and perhaps others.
    """

    views: dict[str, View]
    cluster: View
    nics: list[View]


@dataclass(frozen=True)
class _Network:
    """The parts of a plan of which the views are made.

    uplinked: names of the uplinked switches. casts: by node, of nodes that send broadcast (cast.py).
    upper: by node, the device that joins its NICs. maintenance: by node, their NICs in the maintenance network.
    tree: by node, the link over which it reaches all others where they route over a tree (tree.py).
    """

    design: Mapping[str, Any]
    settings: PlanSettings
    inputs: PlanInputs
    satellites: Sequence[str]
    addresses: Addresses
    links: Links
    uplinked: Collection[str]
    casts: Mapping[str, View]
    prefixes: Mapping[str, str]
    upper: Mapping[str, UpperDevice]
    gateway: Gateway | None
    maintenance: Mapping[str, View]
    tree: Mapping[str, Mapping[str, Any]]

    def list_unreached(self, name: str, reach: Reach) -> list[str]:
        """The nodes that a node cannot reach, in rank order."""
        lacking = self.present - reach.peers - {name}
        return [node["name"] for node in self.design["nodes"] if node["name"] in lacking] if lacking else []

    @cached_property
    def present(self) -> frozenset[str]:
        """The nodes of the plan, without those that a spare stands in for."""
        return frozenset(node["name"] for node in self.design["nodes"] if not node.get("absent"))


def make_plan(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    settings: PlanSettings,
    inputs: PlanInputs = PlanInputs(),  # noqa: B008 (it is frozen)
) -> Plan:
    """The node views and the cluster view. design, macs: documents.

    Raises FnnError with all problems of the addresses, or else of the names.
    """
    _check(settings, inputs, design)
    gateway = plan_gateway(design, settings, inputs.stand_ins)
    host_names = read_host_names(macs)
    upper = plan_upper_devices(design, macs)
    kept_mtus = share_mtus(macs, join_mtus(upper, inputs.kept_mtus))
    design, macs = join_nics(design, macs)
    inputs = replace(inputs, kept_mtus=kept_mtus, resting=rest_seconds(design, inputs.resting))
    satellites = list_satellites(design, macs)
    design, macs = seat_satellites(design, macs, inputs.stand_ins)
    switches, uplink = [switch["name"] for switch in design["spec"]["switches"]], design["spec"]["uplink"]
    addresses = plan_seats(design, add_maintenance(settings, inputs.maintenance))
    maintenance = view_maintenance(design["nodes"], inputs.maintenance, addresses)
    hosts = name_hosts(design["nodes"], switches, addresses, maintenance, host_names)
    links = place_links(design, macs, addresses, inputs)
    if gateway:
        check_links(gateway, links.by_node)
        check_maintenance(gateway, maintenance)
    uplinked = list_uplinked(design)
    over_uplink = [[link for link in own if link["switch"] in uplinked] for own in links.by_node.values()]
    crossings = Crossings(over_uplink, uplink and uplink["name"], inputs.over_uplink)
    over_trunks = [[link for link in own if link["switch"] in inputs.joined] for own in links.by_node.values()]
    trunks = Crossings(over_trunks, None, between_nodes=True)
    casts = plan_cast(over_uplink, links.by_node, addresses) if settings.fnn_broadcast else {}
    prefixes = _list_prefixes(addresses)
    tree = choose_tree_links(links.by_node, uplinked) if settings.fnn_routing == TREE else {}
    network = _Network(
        design=design,
        settings=settings,
        inputs=inputs,
        satellites=satellites,
        addresses=addresses,
        links=links,
        uplinked=uplinked,
        casts=casts,
        prefixes=prefixes,
        upper=upper,
        gateway=gateway,
        maintenance=maintenance,
        tree=tree,
    )
    reach = _find_paths(network, [trunks, crossings])
    views = {
        name: _view_node(rank, name, found, network)
        for rank, (name, found) in enumerate(zip(links.by_node, reach, strict=True))
        if links.by_node[name]
    }
    if gateway and not inputs.resting:
        check_paths(gateway, views)
    nics = [links.on_switch[link["switch"]][name] for name, own in links.by_node.items() for link in own]
    return Plan(views=views, cluster=_view_cluster(hosts, list(views), network), nics=nics)


def _read_choice(network: _Network) -> Routing | Weights | None:
    """How pairs use the switches that they share; None for equal parts."""
    settings, inputs = network.settings, network.inputs
    if inputs.routes and settings.fnn_routing == BASIC:
        return Routing(inputs.routes)
    return Weights(inputs.weights, network.design) if inputs.weights and settings.weighted else None


def _find_paths(network: _Network, crossings: Sequence[Crossings]) -> Iterator[Reach]:
    """The reach of each node, by rank. Where all others are reached over the tree, the gateway still leads outside over
    a shared switch."""
    settings, links, gateway = network.settings, network.links, network.gateway
    found = find_reach(network.addresses, links, crossings, _read_choice(network), settings.fnn_mpi_rails)
    if gateway:
        named = zip(links.by_node, found, strict=True)
        found = (replace(each, outwards=find_default_route(gateway, name, each.routes)) for name, each in named)
    return follow_tree(found, links, network.tree, network.addresses) if network.tree else found


def _list_prefixes(addresses: Addresses) -> dict[str, str]:
    fabric, identity = addresses.fabric, addresses.identity_prefix
    return {"fabric": fabric, "identity": identity, "management": addresses.management_prefix}


def _check(settings: PlanSettings, inputs: PlanInputs, design: Mapping[str, Any]) -> None:
    """Raises FnnError where settings contradict each other, or the design."""
    check_cast(settings, design)
    check_tree(settings, inputs, design)
    if has_cables(design["spec"]) or inputs.forwards:
        _check_cables(settings)
    elif settings.fnn_routing == BASIC and not is_neighborhood_network(design["spec"]):
        raise problem("fnn_routing", "must be advanced in a tree, where no pair has several switches to choose from")
    if settings.fnn_routing != ADVANCED or not settings.numbered:
        wanted = {"fnn_mptcp": settings.fnn_mptcp, "fnn_mpi_rails": settings.fnn_mpi_rails}
        lacking = [name for name, value in wanted.items() if value]
        if lacking:
            raise FnnError(Problem(each, "needs fnn_addressing subnets and fnn_routing advanced") for each in lacking)
    if settings.fnn_routing == BASIC and not inputs.routes:
        raise problem("fnn_routing", "basic needs routes.json, which playbooks/network.yml makes")
    check_linkd(settings, design)


def _check_cables(settings: PlanSettings) -> None:
    """Raises FnnError where nodes that are joined by cables, and forward for others, cannot have a setting."""
    needed: dict[str, tuple[Any, str]] = {
        "fnn_addressing": (settings.fnn_addressing, "subnets"),
        "fnn_routing": (settings.fnn_routing, "advanced"),
        "fnn_mptcp": (settings.fnn_mptcp, "false"),
        "fnn_mpi_rails": (settings.fnn_mpi_rails, "false"),
    }
    wrong = [name for name, (value, wanted) in needed.items() if str(value).lower() != wanted]
    if wrong:
        raise FnnError(Problem(name, f"must be {needed[name][1]} where nodes are joined by cables") for name in wrong)


def _view_node(rank: int, name: str, reach: Reach, network: _Network) -> View:
    settings, addresses, links = network.settings, network.addresses, network.links
    cast, satellite = network.casts.get(name), name in network.satellites
    own, facts = links.by_node[name], settings.facts
    return {
        "format": "fnn-view",
        "version": 1,
        "cluster": network.design["cluster"],
        "node": name,
        "generation": network.inputs.generation,
        "rank": rank,
        "identity": {
            "device": IDENTITY_DEVICE,
            "kind": facts.identity_kind.get(name, "dummy"),
            "address": addresses.identity(rank),
        },
        "management": addresses.management(rank),
        "manager": facts.manager.get(name, "none"),
        "access": links.access.get(name),
        "dns": _list_dns(name, bool(reach.outwards), network),
        "resolver": facts.resolver.get(name, "file"),
        "resting": links.resting.get(name, []),
        "mptcp": settings.fnn_mptcp,
        "prefixes": network.prefixes,
        "links": own,
        "neighbors": reach.neighbors,
        "routes": [*reach.routes, *reach.outwards],
        "unreached": network.list_unreached(name, reach),
        **({"maintenance": network.maintenance[name]} if name in network.maintenance else {}),
        **({"forwards": True} if network.links.forwards or (settings.fnn_relay and settings.fnn_linkd) else {}),
        **({"upper": network.upper[name].describe()} if name in network.upper else {}),
        **({"gateway": network.gateway.describe()} if network.gateway and network.gateway.node == name else {}),
        **({"satellite": True} if satellite else {}),
        **({"tree": network.tree[name]["switch"]} if name in network.tree else {}),
        **({"cast": cast} if cast else {}),
        **({"egress": plan_egress(own, cast, network.uplinked, satellite)} if settings.fnn_egress_filter else {}),
    }


def _list_dns(name: str, is_behind: bool, network: _Network) -> list[str]:
    """The DNS servers of a node. is_behind: whether it reaches the outside over the gateway."""
    if is_behind and network.gateway:
        names = [node["name"] for node in network.design["nodes"]]
        return [network.addresses.identity(names.index(network.gateway.node))]
    outside = network.addresses.outside
    return list(outside.dns) if outside and name in network.links.access else []


def _view_cluster(hosts: list[View], ready: Sequence[str], network: _Network) -> View:
    """ready: the nodes with known NICs, by rank."""
    settings, outside = network.settings, network.addresses.outside
    return {
        "format": "fnn-cluster",
        "version": 1,
        "cluster": network.design["cluster"],
        "prefixes": network.prefixes,
        "identity_device": IDENTITY_DEVICE,
        "outside": outside.describe() if outside else None,
        "hosts": hosts,
        "linkd": plan_linkd(settings, _list_watched(network), network.design, network.links.forwards),
        "mpi": {
            "hosts": _list_mpi_hosts(ready, network),
            "yield_when_idle": settings.fnn_mpi_yield,
            "rails": settings.fnn_mpi_rails,
        },
    }


def _list_watched(network: _Network) -> dict[str, list[View]]:
    """The links that fnn-linkd monitors. Satellites are left out: they have no second link to fail over to."""
    return {
        node["name"]: network.links.by_node[node["name"]]
        for node in network.design["nodes"]
        if node["name"] not in network.satellites and not node.get("absent")
    }


def _list_mpi_hosts(ready: Sequence[str], network: _Network) -> list[View]:
    """[{"name", "slots"}], with short names.

    A node with unknown NICs has no route to its peers yet, so no process may start there. A satellite runs MPI
    processes only if fnn_slots is set for it, or if it stands in for a node.
    """
    slots = network.settings.fnn_slots
    replaced = {node["name"]: node["also"][0] for node in network.design["nodes"] if "also" in node}
    running = [name for name in ready if name not in network.satellites or name in slots or name in replaced]
    short = shorten_names([node["name"] for node in network.design["nodes"]])
    return [{"name": short[name], "slots": slots.get(name, slots.get(replaced.get(name, name), 1))} for name in running]
