# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the neighbors and routes of each node: over shared switches, over nodes that forward where nodes are joined by
cables, and over the uplink where that is allowed.

Views share these entries. A thousand nodes have a million neighbor entries, but only a few thousand distinct ones:
every node on red has the same entry for the NIC of k07 there. So each neighbor entry exists once, as does each route
to one node over the same switches. There are n² pairs, so the loops over them are calls of `map` and of methods of
dict, which cost a tenth of a loop in Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import Any

from .addresses import Addresses
from .links import Links
from .outside import View
from .over_uplink import Crossings
from .routing import Routing
from .weights import Weights, choose_weights


@dataclass(frozen=True)
class Reach:
    """The neighbor entries and routes of one node, and the peers that it reaches by them.

    outwards: its default route over the gateway of the cluster, empty without (gateway.py).
    """

    neighbors: list[View]
    routes: list[View]
    peers: Set[str]
    outwards: Sequence[View] = ()


def find_reach(
    addresses: Addresses,
    links: Links,
    crossings: Sequence[Crossings],
    choice: Routing | Weights | None,
    rails: bool,
) -> Iterator[Reach]:
    """The reach of each node, by rank.

    crossings: how pairs without a common switch meet where cables join switches; the first that has the pair counts.
    choice: None where a pair divides its flows in equal parts over all switches that it shares. rails: whether each NIC
    of a peer is reached by its own address.
    """
    names = list(links.by_node)
    ranks = {name: rank for rank, name in enumerate(names)}
    indexes = {switch: index for index, switch in enumerate(links.on_switch)}
    switches = _Switches(links)

    def make_route(peer: str, over: tuple[str, ...], parts: tuple[int, ...] = ()) -> View:
        via: list[View] = [{"switch": each, "address": addresses.link(indexes[each], ranks[peer])} for each in over]
        for hop, weight in zip(via, parts):
            hop["weight"] = weight
        return {"to": addresses.identity(ranks[peer]), "node": peer, "via": via}

    share_route = cache(make_route)

    @cache
    def share_route_to(address: str, peer: str, over: tuple[str, ...], parts: tuple[int, ...]) -> View:
        return {**make_route(peer, over, parts), "to": address}

    for rank, name in enumerate(names):
        neighbors, shared = switches.list_neighbors(name), switches.find_shared(name)
        peers = list(filter(shared.__contains__, names))
        over = list(map(shared.__getitem__, peers))
        if isinstance(choice, Routing):
            over = [(choice.choose(rank, ranks[peer], usable),) for peer, usable in zip(peers, over)]
        parts = _divide(choice.find(name), shared) if isinstance(choice, Weights) else {}
        routes = list(map(share_route, peers, over, map(parts.get, peers, repeat(()))))
        if links.forwards:
            for peer, hops in _find_hops(name, links, dict(shared)).items():
                via = [{"switch": on, "address": addresses.link(indexes[on], ranks[hop])} for on, hop in hops]
                routes.append({"to": addresses.identity(ranks[peer]), "node": peer, "via": via})
                shared[peer] = ()
        for peer in names if len(shared) < len(names) - 1 else ():
            to = ranks[peer]
            apart = to != rank and peer not in shared
            crossing = next(filter(None, (each.find(rank, to) for each in crossings)), None) if apart else None
            if crossing is not None:
                switch = crossing[0]["switch"]
                neighbors.append(_make_neighbor_over_uplink(crossing, peer, to, indexes[switch], addresses))
                shared[peer] = (switch,)
                routes.append(make_route(peer, (switch,)))
        if rails:
            routes += [share_route_to(*each, parts.get(each[1], ())) for each in _list_other_nics(shared, links)]
        if len(routes) > len(peers):
            routes.sort(key=lambda route: ranks[route["node"]])
        yield Reach(neighbors, routes, shared.keys())


def _divide(
    weights: Mapping[str, Mapping[str, int]], shared: Mapping[str, Sequence[str]]
) -> dict[str, tuple[int, ...]]:
    """Peer -> the weights of the switches that both share, for peers with unequal parts.

    weights: peer -> switch -> weight.
    """
    chosen = {peer: choose_weights(each, shared[peer]) for peer, each in weights.items() if peer in shared}
    return {peer: each for peer, each in chosen.items() if each}


class _Switches:
    """Peers of nodes on the same switches."""

    def __init__(self, links: Links) -> None:
        self._by_node = links.by_node
        self._entries = {switch: list(members.values()) for switch, members in links.on_switch.items()}
        self._position = {
            switch: {name: position for position, name in enumerate(members)}
            for switch, members in links.on_switch.items()
        }
        self._members = {switch: dict.fromkeys(members, (switch,)) for switch, members in links.on_switch.items()}

    def list_neighbors(self, name: str) -> list[View]:
        """The neighbor entries of a node."""
        neighbors: list[View] = []
        for link in self._by_node[name]:
            entries, own = self._entries[link["switch"]], self._position[link["switch"]][name]
            neighbors += entries[:own]
            neighbors += entries[own + 1 :]
        return neighbors

    def find_shared(self, name: str) -> dict[str, tuple[str, ...]]:
        """Peer -> the switches that both share."""
        shared: dict[str, tuple[str, ...]] = {}
        for link in self._by_node[name]:
            members = self._members[link["switch"]]
            again = {peer: (*shared[peer], link["switch"]) for peer in shared.keys() & members.keys()}
            shared.update(members)
            shared.update(again)
        shared.pop(name, None)
        return shared


def find_next_hops(name: str, links: Links) -> dict[str, list[tuple[str, str]]]:
    """peer -> (switch, neighbor) of each next hop on a shortest path, for peers without a common switch."""
    return _find_hops(name, links, _Switches(links).find_shared(name))


def _find_hops(name: str, links: Links, near: Mapping[str, Sequence[str]]) -> dict[str, list[tuple[str, str]]]:
    """The same. near: peer -> the switches that both share.

    A breadth-first search from the peer, so that each next hop is nearer to it by one.
    """
    hops = {}
    for peer in links.by_node:
        if peer == name or peer in near:
            continue
        distance = _measure_distances(peer, links)
        if name in distance:
            ends = [(switch, each) for each, switches in near.items() for switch in switches]
            hops[peer] = [(switch, each) for switch, each in ends if distance.get(each) == distance[name] - 1]
    return hops


def _measure_distances(start: str, links: Links) -> dict[str, int]:
    """node -> the number of switches on a shortest path to it."""
    distance = {start: 0}
    queue = [start]
    for at in queue:
        for link in links.by_node[at]:
            for each in links.on_switch[link["switch"]]:
                if each not in distance:
                    distance[each] = distance[at] + 1
                    queue.append(each)
    return distance


def _make_neighbor_over_uplink(
    crossing: tuple[Mapping[str, Any], Mapping[str, Any]], peer: str, to: int, switch: int, addresses: Addresses
) -> View:
    """The neighbor entry for a peer without a common switch, over the uplink switch.

    The entry has the address that the peer would have on the switch of our NIC; no other node has that address. Its
    MAC is that of a NIC that the peer does have, so the switches forward the frame there. The peer answers over the
    same two NICs. No other view has the same entry, so these entries and their routes are not shared.
    """
    link, far = crossing
    address = addresses.link(switch, to) or addresses.identity(to)
    return {"switch": link["switch"], "address": address, "mac": far["mac"], "node": peer}


def _list_other_nics(shared: Mapping[str, Sequence[str]], links: Links) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(address, peer, switches) for NICs of peers on switches that a node has no cable to, over the shared switches.

    An MPI with several NICs connects each local NIC to each remote NIC, and gives up when one has no route. So every
    address of a peer gets a route, and the frames arrive at a NIC of that peer on a shared switch.
    """
    for peer, switches in shared.items():
        for link in links.by_node[peer]:
            if link["switch"] not in switches:
                yield link["address"], peer, tuple(switches)
