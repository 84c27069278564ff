# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the neighbors and routes of each node: over shared switches, over nodes that forward where nodes are joined by
cables, and over the uplink where that is allowed.

Views share these entries. A thousand nodes have a million neighbor entries, but only a few thousand distinct ones:
every node on red has the same entry for the NIC of k07 there. So each neighbor entry exists once, as does each route
to one node over the same switches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from .addresses import Addresses
from .links import Links
from .outside import View
from .over_uplink import Crossings
from .routing import Routing

#: The switches over which a node sends to a peer, by their ranks: all that both share, or one of them.
Choose = Callable[[int, int, Sequence[str]], "tuple[str, ...]"]


@dataclass(frozen=True)
class Reach:
    """The neighbor entries and routes of one node, and the peers that it reaches by them."""

    neighbors: list[View]
    routes: list[View]
    peers: frozenset[str]


def find_reach(
    addresses: Addresses, links: Links, crossings: Sequence[Crossings], routing: Routing | None, rails: bool
) -> Iterator[Reach]:
    """The reach of each node, by rank.

    crossings: how pairs without a common switch meet where cables join switches; the first that has the pair counts.
    routing: None where a pair uses all switches that it shares. rails: whether each NIC of a peer is reached by its own
    address.
    """
    names = list(links.by_node)
    ranks = {name: rank for rank, name in enumerate(names)}
    indexes = {switch: index for index, switch in enumerate(links.on_switch)}
    choose = _choose_one(routing) if routing else _choose_all

    def make_route(peer: str, over: tuple[str, ...]) -> View:
        via = [{"switch": each, "address": addresses.link(indexes[each], ranks[peer])} for each in over]
        return {"to": addresses.identity(ranks[peer]), "node": peer, "via": via}

    share_route = cache(make_route)

    @cache
    def share_route_to(address: str, peer: str, over: tuple[str, ...]) -> View:
        return {**make_route(peer, over), "to": address}

    for rank, name in enumerate(names):
        neighbors, shared = _find_shared(name, links)
        routes = [share_route(peer, choose(rank, to, shared[peer])) for to, peer in enumerate(names) if peer in shared]
        if links.forwards:
            for peer, hops in find_next_hops(name, links).items():
                via = [{"switch": on, "address": addresses.link(indexes[on], ranks[hop])} for on, hop in hops]
                routes.append({"to": addresses.identity(ranks[peer]), "node": peer, "via": via})
                shared[peer] = []
        for to, peer in enumerate(names):
            apart = to != rank and peer not in shared
            crossing = next(filter(None, (each.find(rank, to) for each in crossings)), None) if apart else None
            if crossing is not None:
                over = crossing[0]["switch"]
                neighbors.append(_make_neighbor_over_uplink(crossing, peer, to, indexes[over], addresses))
                shared[peer] = [over]
                routes.append(make_route(peer, (over,)))
        if rails:
            routes += [share_route_to(*each) for each in _list_other_nics(shared, links)]
        routes.sort(key=lambda route: ranks[route["node"]])
        yield Reach(neighbors, routes, frozenset(shared))


def _choose_all(_rank: int, _to: int, usable: Sequence[str]) -> tuple[str, ...]:
    return tuple(usable)


def _choose_one(routing: Routing) -> Choose:
    return lambda rank, to, usable: (routing.choose(rank, to, usable),)


def find_next_hops(name: str, links: Links) -> dict[str, list[tuple[str, str]]]:
    """peer -> (switch, neighbor) of each next hop on a shortest path, for peers without a common switch.

    A breadth-first search from the peer, so that each next hop is nearer to it by one.
    """
    hops = {}
    near = _find_shared(name, links)[1]
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


def _find_shared(name: str, links: Links) -> tuple[list[View], dict[str, list[str]]]:
    """The neighbor entries of a node, and peer -> the switches that both share."""
    neighbors: list[View] = []
    shared: dict[str, list[str]] = {}
    for link in links.by_node[name]:
        switch = link["switch"]
        for peer, neighbor in links.on_switch[switch].items():
            if peer != name:
                neighbors.append(neighbor)
                shared.setdefault(peer, []).append(switch)
    return neighbors, shared


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
