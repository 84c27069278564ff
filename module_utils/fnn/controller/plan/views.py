# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the plan of a cluster from its design and its MACs (controller only).

A *node view* is the document of one node: its links, a neighbor entry for each peer NIC in reach (static, in place of
ARP), and the switches that lead to each peer. One *cluster view* holds the data that all nodes share.

Views share their entries. A thousand nodes have a million neighbor entries, but only a few thousand distinct ones:
every node on red has the same entry for the NIC of k07 there. So each neighbor entry exists once, as does each route
to one node over the same switches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...shared.errors import FnnError, Problem
from .addresses import Addresses
from .cast import check_cast, plan_cast
from .egress import plan_egress
from .generation import FIRST
from .linkd import check_linkd, plan_linkd
from .mtu import USUAL_MTU
from .names import name_hosts
from .outside import choose_nic, find_unreachable_nodes, list_uplinked, plan_outside, view_access
from .over_uplink import Crossings
from .routing import Routing
from .satellites import list_satellites, plan_seats, seat_satellites

IDENTITY_DEVICE = "fnn0"

View = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """views: of the nodes with known MACs, by name, in rank order. cluster: the data that all nodes share."""

    views: dict[str, View]
    cluster: View


def make_plan(design: Mapping[str, Any], macs: Mapping[str, Any], settings: Mapping[str, Any]) -> Plan:
    """The node views and the cluster view.

    design, macs: documents. settings, all optional:
        "prefix", "identity_prefix", "management_prefix": see addresses.py
        "mtu": instead of the spec's; "kept_mtus": {MAC: MTU} of NICs that do not get it (mtu.py)
        "management": {node: address} where it does not follow from the prefix
        "arrived_on": {node: as fnn_links returns it}, to refuse prefixes that would cut that connection
        "networks": {node: [{"device", "address": "192.168.1.20/24"}]}, to refuse prefixes that cover one
        "identity_kind": {node: "dummy" | "veth"}; "manager": {node: "networkd" | "networkmanager" | "none"}
        "slots": {node: MPI processes to start there}; "mpi_yield": whether idle MPI processes yield the CPU
        "routes": a routes document for basic routing, one switch per pair; by default all shared switches
        "addressing": "subnets" (default), or "unnumbered": NICs without addresses, routes that name the device alone
        "mptcp": whether one TCP connection may use all shared switches (needs "subnets" and no "routes")
        "rails": whether MPI may use all NICs, each by its own address (needs the same)
        "resting": [{"node", "nic"}]: NICs that stay unused, because their cables are about to move
        "generation": of this plan, see generation.py
        "over_uplink": whether pairs without a common switch use the uplink switch
        "outside": the network of hosts outside the plan, with an address for each node, see outside.py
        "resolver": {node: "resolved" | "file"}: systemd-resolved, or the servers in /etc/resolv.conf
        "linkd": the settings of fnn-linkd, see linkd.py; without them it does not run
        "broadcast": whether broadcast and multicast reach all nodes over the uplink switch, see cast.py
        "egress_filter": whether NICs send only the group frames that the plan needs (default true), see egress.py
        "stand_ins": [{"node", "spare"}]: satellites that stand in for dead nodes, see satellites.py
    Raises FnnError with all problems of the addresses, or else of the names.
    """
    check_cast(settings, design)
    if settings.get("routes") or settings.get("addressing") == "unnumbered":
        lacking = [f"fnn_{name}" for name, key in (("mptcp", "mptcp"), ("mpi_rails", "rails")) if settings.get(key)]
        if lacking:
            raise FnnError(Problem(each, "needs fnn_addressing subnets and fnn_routing advanced") for each in lacking)
    check_linkd(settings.get("linkd"), design)
    satellites = list_satellites(design, macs)
    return _Planner(*seat_satellites(design, macs, settings.get("stand_ins") or ()), settings, satellites).plan()


def choose_mtu(design: Mapping[str, Any], settings: Mapping[str, Any]) -> int:
    """The MTU that is wanted on every link, in bytes."""
    return int(settings.get("mtu") or design["spec"]["mtu"] or USUAL_MTU)


@dataclass
class _Planner:
    design: Mapping[str, Any]
    macs: Mapping[str, Any]
    settings: Mapping[str, Any]
    satellites: Sequence[str] = ()
    _links: dict[str, list[View]] = field(default_factory=dict)
    _on_switch: dict[str, dict[str, View]] = field(default_factory=dict)
    _routes: dict[tuple[str, tuple[str, ...]], View] = field(default_factory=dict)
    _access: dict[str, View] = field(default_factory=dict)
    _resting: dict[str, list[str]] = field(default_factory=dict)  # MACs, by node

    def __post_init__(self) -> None:
        self.nodes: Sequence[Mapping[str, Any]] = self.design["nodes"]
        self.names: list[str] = [node["name"] for node in self.nodes]
        self._rank = {name: rank for rank, name in enumerate(self.names)}
        self.switches: list[Mapping[str, Any]] = self.design["spec"]["switches"]
        self._index = {switch["name"]: number for number, switch in enumerate(self.switches)}
        routes = self.settings.get("routes")
        self.routing = Routing(routes) if routes else None
        self.addresses: Addresses = self._plan_addresses()
        self.prefixes = {
            "fabric": self.addresses.fabric,
            "identity": self.addresses.identity_prefix,
            "management": self.addresses.management_prefix,
        }

    def _plan_addresses(self) -> Addresses:
        """Raises FnnError with all problems of the addresses and of the paths to the outside."""
        outside = plan_outside(self.design.get("homes", self.names), self.settings, [])
        unreachable = list(find_unreachable_nodes(outside, self.design)) if outside else []
        try:
            addresses = plan_seats(self.design, self._address_settings())
        except FnnError as error:
            raise FnnError([*error.problems, *unreachable]) from None
        if unreachable:
            raise FnnError(unreachable)
        return addresses

    def _address_settings(self) -> dict[str, Any]:
        arrivals = {name: each for name, each in (self.settings.get("arrived_on") or {}).items() if each}
        # A controller on a node of the cluster connects over the fabric itself, which the plan does not cut off.
        over_others = {name: each["address"] for name, each in arrivals.items() if each["device"] != IDENTITY_DEVICE}
        return {**self.settings, "arrivals": over_others}

    def plan(self) -> Plan:
        hosts = name_hosts(self.nodes, [switch["name"] for switch in self.switches], self.addresses)
        self._place_links()
        switches, uplink = list_uplinked(self.design), self.design["spec"]["uplink"]
        uplinked = [[link for link in self._links[name] if link["switch"] in switches] for name in self.names]
        self._crossings = Crossings(uplinked, uplink and uplink["name"], bool(self.settings.get("over_uplink")))
        self._casts = plan_cast(uplinked, self._links, self.addresses) if self.settings.get("broadcast") else {}
        views = {name: self._view(rank, name) for rank, name in enumerate(self.names) if self._links[name]}
        return Plan(views=views, cluster=self._cluster_view(hosts, list(views)))

    def _place_links(self) -> None:
        """Fill in each node's links and, per switch, the neighbor entries of its nodes.

        A NIC without a known MAC gets no link yet.
        """
        seen = {node["name"]: {nic["nic"]: nic for nic in node["nics"]} for node in self.macs["nodes"]}
        index = self._index
        mtu = choose_mtu(self.design, self.settings)
        self._place_access(seen, mtu)
        for each in self.settings.get("resting") or []:
            nic = seen.get(each["node"], {}).pop(each["nic"], None)
            self._resting.setdefault(each["node"], []).extend([nic["mac"]] if nic else [])
        kept = self.settings.get("kept_mtus") or {}
        self._on_switch = {name: {} for name in index}
        for rank, node in enumerate(self.nodes):
            name = node["name"]
            self._links[name] = []
            for link in node["links"]:
                nic = seen.get(name, {}).get(link["nic"])
                if nic is None:
                    continue
                switch = link["switch"]
                address = self.addresses.link(index[switch], rank)
                ours = {
                    "nic": link["nic"],
                    "device": nic["name"],
                    "mac": nic["mac"],
                    "switch": switch,
                    "color": self.switches[index[switch]]["color"],
                    "address": address,
                    "length": self.addresses.length if self.addresses.numbered else None,
                    "mtu": kept.get(nic["mac"], mtu),
                }
                self._links[name].append(ours)
                known_as = address or self.addresses.identity(rank)
                neighbor = {"switch": switch, "address": known_as, "mac": nic["mac"], "node": name}
                self._on_switch[switch][name] = neighbor

    def _place_access(self, seen: Mapping[str, Mapping[int, View]], mtu: int) -> None:
        """Choose the NIC over which the outside reaches each node. seen: node -> NIC -> its entry in macs.json."""
        outside, uplinked = self.addresses.outside, list_uplinked(self.design)
        if outside is None:
            return
        kept = self.settings.get("kept_mtus") or {}
        for node in self.nodes:
            name = node["name"]
            out = {each["nic"] for each in self.settings.get("resting") or [] if each["node"] == name}
            chosen = choose_nic(outside, node, uplinked, out)
            nic = seen.get(name, {}).get(-1 if chosen is None else chosen)
            if nic:
                self._access[name] = view_access(outside, name, nic, kept.get(nic["mac"], mtu))

    def _view(self, rank: int, name: str) -> View:
        neighbors = []
        shared: dict[str, list[str]] = {}
        for link in self._links[name]:
            switch = link["switch"]
            for peer, neighbor in self._on_switch[switch].items():
                if peer != name:
                    neighbors.append(neighbor)
                    shared.setdefault(peer, []).append(switch)
        routes = [
            self._route(to, peer, self._choose(rank, to, shared[peer]))
            for to, peer in enumerate(self.names)
            if peer in shared
        ]
        for neighbor in self._find_neighbors_over_uplink(rank, shared):
            to = self._rank[neighbor["node"]]
            shared[neighbor["node"]] = [neighbor["switch"]]
            neighbors.append(neighbor)
            routes.append(self._make_route(to, neighbor["node"], (neighbor["switch"],)))
        if self.settings.get("rails"):
            routes += self._make_routes_to_other_nics(shared)
        return {
            "format": "fnn-view",
            "version": 1,
            "cluster": self.design["cluster"],
            "node": name,
            "generation": self.settings.get("generation") or FIRST,
            "rank": rank,
            "identity": {
                "device": IDENTITY_DEVICE,
                "kind": self._setting("identity_kind", name, "dummy"),
                "address": self.addresses.identity(rank),
            },
            "management": self.addresses.management(rank),
            "manager": self._setting("manager", name, "none"),
            "access": self._access.get(name),
            "dns": list(self.addresses.outside.dns) if self.addresses.outside and name in self._access else [],
            "resolver": self._setting("resolver", name, "file"),
            "resting": self._resting.get(name, []),
            "mptcp": bool(self.settings.get("mptcp")),
            "prefixes": self.prefixes,
            "links": self._links[name],
            "neighbors": neighbors,
            "routes": sorted(routes, key=lambda route: self._rank[route["node"]]),
            "unreached": [
                node["name"]
                for node in self.nodes
                if node["name"] not in shared and node["name"] != name and not node.get("absent")
            ],
            **({"satellite": True} if name in self.satellites else {}),
            **({"cast": self._casts[name]} if name in self._casts else {}),
            **({"egress": self._find_sent(name)} if self.settings.get("egress_filter", True) else {}),
        }

    def _find_sent(self, name: str) -> list[View]:
        """The group frames that the node may send on each switch, see egress.py."""
        return plan_egress(
            self._links[name], self._casts.get(name), list_uplinked(self.design), name in self.satellites
        )

    def _choose(self, rank: int, to: int, usable: list[str]) -> tuple[str, ...]:
        """The switches over which a node sends to a peer: one with basic routing, else all usable ones."""
        return tuple(usable) if self.routing is None else (self.routing.choose(rank, to, usable),)

    def _route(self, rank: int, peer: str, switches: tuple[str, ...]) -> View:
        """The equal-cost route to a peer over these switches."""
        key = (peer, switches)
        if key not in self._routes:
            self._routes[key] = self._make_route(rank, peer, switches)
        return self._routes[key]

    def _make_routes_to_other_nics(self, shared: Mapping[str, list[str]]) -> list[View]:
        """Routes to the NICs of peers on switches that this node has no cable to, over the shared switches.

        An MPI with several NICs connects each local NIC to each remote NIC, and gives up when one has no route. So
        every address of a peer gets a route, and the frames arrive at a NIC of that peer on a shared switch.
        """
        return [
            self._route_to(link["address"], peer, tuple(switches))
            for peer, switches in shared.items()
            for link in self._links[peer]
            if link["switch"] not in switches
        ]

    def _route_to(self, address: str, peer: str, switches: tuple[str, ...]) -> View:
        key = (address, switches)
        if key not in self._routes:
            self._routes[key] = {**self._make_route(self._rank[peer], peer, switches), "to": address}
        return self._routes[key]

    def _make_route(self, rank: int, peer: str, switches: tuple[str, ...]) -> View:
        via = [{"switch": each, "address": self.addresses.link(self._index[each], rank)} for each in switches]
        return {"to": self.addresses.identity(rank), "node": peer, "via": via}

    def _find_neighbors_over_uplink(self, rank: int, shared: Mapping[str, Any]) -> list[View]:
        """Neighbor entries for peers without a common switch, over the uplink switch where the plan allows it.

        The entry has the address that the peer would have on the switch of our NIC; no other node has that address.
        Its MAC is that of a NIC that the peer does have, so the switches forward the frame there. The peer answers
        over the same two NICs. No other view has the same entry, so these entries are not shared.
        """
        neighbors = []
        for to, peer in enumerate(self.names):
            crossing = None if to == rank or peer in shared else self._crossings.find(rank, to)
            if crossing is not None:
                link, far = crossing
                address = self.addresses.link(self._index[link["switch"]], to) or self.addresses.identity(to)
                neighbors.append({"switch": link["switch"], "address": address, "mac": far["mac"], "node": peer})
        return neighbors

    def _cluster_view(self, hosts: list[View], ready: list[str]) -> View:
        return {
            "format": "fnn-cluster",
            "version": 1,
            "cluster": self.design["cluster"],
            "prefixes": self.prefixes,
            "identity_device": IDENTITY_DEVICE,
            "outside": self.addresses.outside.describe() if self.addresses.outside else None,
            "hosts": hosts,
            "linkd": plan_linkd(self.settings.get("linkd"), self._list_watched(), self.design),
            "mpi": {
                # A node with unknown NICs has no route to its peers yet, so no process may start there.
                "hosts": [{"name": name, "slots": self._count_slots(name)} for name in ready if self._has_ranks(name)],
                "yield_when_idle": bool(self.settings.get("mpi_yield")),
                "rails": bool(self.settings.get("rails")),
            },
        }

    def _list_watched(self) -> dict[str, list[View]]:
        """The links that fnn-linkd monitors. Satellites are left out: they have no second link to fail over to."""
        return {
            node["name"]: self._links[node["name"]]
            for node in self.nodes
            if node["name"] not in self.satellites and not node.get("absent")
        }

    def _has_ranks(self, name: str) -> bool:
        """A satellite runs MPI processes only if "slots" names it, or if it stands in for a node."""
        return (
            name not in self.satellites
            or name in (self.settings.get("slots") or {})
            or "also" in self.nodes[self._rank[name]]
        )

    def _count_slots(self, name: str) -> Any:
        instead = self.nodes[self._rank[name]].get("also", [name])[0]
        return self._setting("slots", name, self._setting("slots", instead, 1))

    def _setting(self, setting: str, node: str, default: Any) -> Any:
        return (self.settings.get(setting) or {}).get(node, default)
