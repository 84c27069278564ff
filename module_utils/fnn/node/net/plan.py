# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan for one node, as in its files in /etc/fnn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

DEFAULT = "default"  # the destination's name in ip-route(8)
MOST_WEIGHT = 256  # of a next hop, ip-route(8)


@dataclass(frozen=True)
class Identity:
    """The device with the node's identity address. kind: "dummy" or "veth"."""

    device: str
    kind: str
    address: str

    @property
    def peer(self) -> str | None:
        """The far end of a veth pair; a dummy has none."""
        return f"{self.device}-peer" if self.kind == "veth" else None


@dataclass(frozen=True)
class Link:
    """One NIC of the plan. address: "10.77.0.1/24", or "" where NICs are unnumbered; mtu in bytes."""

    switch: str
    mac: str
    address: str
    mtu: int


@dataclass(frozen=True)
class Access:
    """Where hosts outside the plan reach the node, see access.py.

    nic: MAC of the NIC below; address: "192.168.7.1/24"; mtu in bytes; gateway: of the default route, "" for none.
    """

    device: str
    nic: str
    address: str
    mtu: int
    gateway: str = ""


@dataclass(frozen=True)
class Upper:
    """The bridge or bond that joins NICs of the node, see upper.py.

    kind: "bridge" or "bond". mac: of the device. priority: in the spanning tree; None without. nics: MACs.
    """

    device: str
    kind: str
    mac: str
    priority: int | None
    nics: tuple[str, ...]


@dataclass(frozen=True)
class Maintenance:
    """The NIC in the maintenance network, see maintenance.py. address: "10.80.0.1/16"."""

    mac: str
    address: str


@dataclass(frozen=True)
class Neighbor:
    """node: the name of the peer."""

    switch: str
    address: str
    mac: str
    node: str = ""


class Leg(NamedTuple):
    """One next hop of a route. via: address of the peer's NIC there, or "". weight: its part of the flows, from 1."""

    switch: str
    via: str
    weight: int = 1


@dataclass(frozen=True)
class Route:
    """legs: several for multipath, which divides flows in proportion to their weights; node: the peer.

    Without an address of a NIC the peer is a neighbor by its identity, as where NICs are unnumbered, and in a tree.

    The address DEFAULT is the default route, to hosts outside, over the gateway of the cluster.

    Without legs the address is unreachable (see avoid.py); no plan on disk has such a route.
    """

    address: str
    legs: tuple[Leg, ...]
    node: str = ""


@dataclass(frozen=True)
class Broadcast:
    """Broadcast and multicast go over `switch`; subnets: (switch, broadcast address of our NIC there)."""

    switch: str
    subnets: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Plan:
    """generation: "8-3f2a9c1b0d2e", grows with every plan that the cluster gets; "" before plans were counted."""

    cluster: str
    node: str
    protocol: int
    identity: Identity
    links: tuple[Link, ...]
    neighbors: tuple[Neighbor, ...]
    routes: tuple[Route, ...]
    sysctls: Mapping[str, str]  # "net/ipv4/fib_multipath_hash_policy": "1"
    mptcp: bool = False  # one TCP flow over all shared switches
    forwards: bool = False  # packets between other nodes; then routes follow the shortest paths of the membership
    rank: int = 0
    generation: str = ""
    broadcast: Broadcast | None = None  # None: no broadcast and multicast
    access: Access | None = None
    upper: Upper | None = None
    gateway: str = ""  # the interface to the outside, where this node is the gateway of the cluster (gateway.py)
    maintenance: Maintenance | None = None  # None: no such network, or Ansible arrives over the NIC
    egress: Mapping[str, tuple[str, ...]] | None = None  # switch -> words of egress.py; None: no filter
    tree: str = ""  # the switch over which all routes lead, the uplink switch being the root; "" for shared switches

    @property
    def nic_macs(self) -> frozenset[str]:
        """MACs of the NICs of the plan: of its links, those that the upper device joins, and of the maintenance NIC."""
        links = {link.mac for link in self.links}
        own = {self.maintenance.mac} if self.maintenance else set()
        return frozenset(own | (links - {self.upper.mac} | {*self.upper.nics} if self.upper else links))
