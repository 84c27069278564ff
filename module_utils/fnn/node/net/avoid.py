# SPDX-License-Identifier: GPL-3.0-or-later
"""Reroutes a plan around unusable NICs; pure. Each route uses the first of these that exists:

    its remaining legs          the usual case with several shared switches; their weights keep their proportion
    other shared switches       which the plan does not use for the pair, as with basic routing
    a detour                    that fnn-linkd has tested (linkd/detours.py): over the uplink switch, or a third node
    the uplink switch           where the plan permits it: from a NIC of ours to one of the peer's on another switch
    the first, second or fourth with NICs that lose some frames
    the legs of the plan        having no route gains nothing

Where nodes forward traffic of others, each route has the legs of all shortest paths without unusable NICs instead. Each
forwards to a node that is nearer to the peer, so no packet circles once all nodes have the same news.

A node that is dead on all switches gets unreachable routes, for its identity and for each of its NICs: programs get
an error at once, and no frame to it floods a switch.

A tiny example. k00 reaches k01 over red and blue. k01's NIC on red is dead, so the route keeps only blue. k00 reaches
k02 over red alone, and its own NIC on red is dead. If the uplink is permitted, the route goes from k00's blue to k02's
green, via the address that k02 would have on blue.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from .cast import add_broadcast
from .legs_down import NO_HINTS, Hints
from .membership import Membership
from .plan import Leg, Link, Neighbor, Plan, Route


def avoid(
    plan: Plan,
    unusable: Collection[str],
    membership: Membership | None = None,
    dead: Collection[str] = (),
    hints: Hints = NO_HINTS,
) -> Plan:
    """The plan without the NICs with these MACs, ours or peers', and with the routes and neighbors for broadcast.

    membership: None for no uplink. dead: names of nodes that are dead on all switches.
    """
    detoured = plan
    if unusable or hints.lossy:
        spare = _Detours(plan, unusable, membership) if hints.lossy else None
        detoured = _Detours(plan, {*unusable, *hints.lossy}, membership, hints.detours, spare).find()
    if dead:
        detoured = replace(detoured, routes=make_unreachable(plan, detoured.routes, dead))
    return add_broadcast(detoured, unusable, membership.uplinked if membership else ())


def make_unreachable(plan: Plan, routes: Iterable[Route], dead: Collection[str]) -> tuple[Route, ...]:
    """The routes, with those to dead nodes unreachable, and an unreachable one for each address of their NICs."""
    known = {route.address: replace(route, legs=()) if route.node in dead else route for route in routes}
    for neighbor in plan.neighbors:
        if neighbor.node in dead:
            known.setdefault(neighbor.address, Route(neighbor.address, (), neighbor.node))
    return tuple(known.values())


class _Detours:
    """spare: the same with more NICs, for routes that find no path."""

    def __init__(
        self,
        plan: Plan,
        unusable: Collection[str],
        membership: Membership | None,
        tested: Mapping[str, tuple[str, str]] = NO_HINTS.detours,
        spare: _Detours | None = None,
    ) -> None:
        self.plan = plan
        self.tested, self.spare = tested, spare
        self.unusable = unusable
        self.membership = membership
        self.links = {link.switch: link for link in plan.links}
        known = {(each.switch, each.address): each for each in plan.neighbors}
        self.neighbors: dict[tuple[str, str], Neighbor] = spare.neighbors if spare else known
        self.distances: dict[str, dict[str, int]] = {}
        self.entries: dict[str, list[Neighbor]] = defaultdict(list)
        for neighbor in plan.neighbors:
            self.entries[neighbor.node].append(neighbor)

    def find(self) -> Plan:
        routes = tuple(replace(route, legs=self.find_legs(route) or route.legs) for route in self.plan.routes)
        return replace(self.plan, routes=routes, neighbors=tuple(self.neighbors.values()))

    def find_legs(self, route: Route) -> tuple[Leg, ...]:
        """The legs of the best path; empty without a path."""
        if self.membership is not None and self.membership.forwards and route.node:
            legs = self.find_shortest(route)
        else:
            known = [self.neighbors.get((leg.switch, leg.via or route.address)) for leg in route.legs]
            legs = tuple(leg for leg, neighbor in zip(route.legs, known) if self.is_good(neighbor))
            legs = legs or self.find_other_switches(route) or self.find_tested(route) or self.find_uplink(route)
        return legs or (self.spare.find_legs(route) if self.spare else ())

    def is_good(self, neighbor: Neighbor | None) -> bool:
        # During a cutover, routes, neighbors and links may not match each other.
        link = self.links.get(neighbor.switch) if neighbor else None
        return bool(neighbor and link and link.mac not in self.unusable and neighbor.mac not in self.unusable)

    def find_shortest(self, route: Route) -> tuple[Leg, ...]:
        """The legs to all neighbors on a shortest path, in the order of our links; empty without a path."""
        distance = self.distances_to(route.node)
        legs: dict[Leg, None] = {}
        for link in self.plan.links:
            for each in self.plan.neighbors:
                if each.switch == link.switch and self.is_good(each) and each.node in distance:
                    nearer = distance[each.node] + 1 == distance.get(self.plan.node)
                    leg = self.find_leg(replace(route, node=each.node), each) if nearer else None
                    legs.update({leg: None} if leg else {})
        return tuple(legs)

    def distances_to(self, peer: str) -> dict[str, int]:
        """node -> the number of usable switches on a shortest path to the peer (breadth-first search)."""
        if peer not in self.distances:
            found, queue = {peer: 0}, [peer]
            for at in queue:
                for each in self.reachable.get(at, ()):
                    if each not in found:
                        found[each] = found[at] + 1
                        queue.append(each)
            self.distances[peer] = found
        return self.distances[peer]

    @cached_property
    def reachable(self) -> dict[str, list[str]]:
        """node -> the nodes that share a switch with it, both by usable NICs."""
        members = self.membership.members if self.membership else {}
        on_switch: dict[str, list[str]] = defaultdict(list)
        for member in members.values():
            for switch, mac in member.nics.items():
                if mac not in self.unusable:
                    on_switch[switch].append(member.name)
        found: dict[str, list[str]] = defaultdict(list)
        for names in on_switch.values():
            for name in names:
                found[name] += [each for each in names if each != name]
        return found

    def find_other_switches(self, route: Route) -> tuple[Leg, ...]:
        """One leg per usable switch. During a cutover a switch may have two neighbor entries for the peer."""
        good = [each for each in self.entries[route.node] if route.node and self.is_good(each)]
        legs = {each.switch: leg for each in good if (leg := self.find_leg(route, each)) is not None}
        return tuple(legs.values())

    def find_leg(self, route: Route, neighbor: Neighbor) -> Leg | None:
        """The leg over this neighbor entry; None where the kernel could not use it as a next hop.

        A numbered NIC reaches addresses of its own subnet, an unnumbered one the peer's identity itself.
        """
        address = self.links[neighbor.switch].address
        if not address:
            return Leg(neighbor.switch, "") if neighbor.address == route.address else None
        network = ipaddress.IPv4Interface(address).network
        return Leg(neighbor.switch, neighbor.address) if ipaddress.IPv4Address(neighbor.address) in network else None

    def find_tested(self, route: Route) -> tuple[Leg, ...]:
        switch, mac = self.tested.get(route.node, ("", ""))
        return self.add_detour(route, self.links[switch], mac) if switch in self.links else ()

    def find_uplink(self, route: Route) -> tuple[Leg, ...]:
        """One leg over the uplink switch; both directions use the same NICs if both ends have the same information."""
        membership = self.membership
        if membership is None or not membership.backup or not {route.node, self.plan.node} <= membership.members.keys():
            return ()
        peer, own = membership.members[route.node], membership.members[self.plan.node]
        own_links = [
            link for link in self.plan.links if link.switch in membership.uplinked and link.mac not in self.unusable
        ]
        peer_macs = [
            mac for switch, mac in peer.nics.items() if switch in membership.uplinked and mac not in self.unusable
        ]
        if not own_links or not peer_macs:
            return ()
        link, peer_mac = own_links[peer.rank % len(own_links)], peer_macs[own.rank % len(peer_macs)]
        return self.add_detour(route, link, peer_mac)

    def add_detour(self, route: Route, link: Link, mac: str) -> tuple[Leg, ...]:
        """A leg over our NIC on this switch to the NIC with this MAC, for the address that the peer has there."""
        address = self.find_address(route, link)
        if not address:
            return ()
        detour = Neighbor(link.switch, address, mac, route.node)
        self.neighbors[detour.switch, detour.address] = detour
        return (self.format_leg(detour),)

    def find_address(self, route: Route, link: Link) -> str:
        """The address that the peer has, or would have, on our switch: its host part is the same in every subnet."""
        if not link.address:
            return route.address
        for entry in self.entries[route.node]:
            known = self.links[entry.switch].address if entry.switch in self.links else ""
            if known and ipaddress.IPv4Address(entry.address) in ipaddress.IPv4Interface(known).network:
                number = int(ipaddress.IPv4Address(entry.address)) - int(ipaddress.IPv4Interface(known).network[0])
                return str(ipaddress.IPv4Interface(link.address).network[0] + number)
        return ""

    def format_leg(self, neighbor: Neighbor) -> Leg:
        return Leg(neighbor.switch, neighbor.address if self.links[neighbor.switch].address else "")
