# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the paths to other nodes with the plan: neighbors, routes, Multipath TCP endpoints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...shared.aliases import NIC_ALIAS
from ...shared.failed import Failed
from .difference import Difference
from .kernel import UNREACHABLE, Hop, Kernel, Path4
from .plan import DEFAULT, Identity, Leg, Plan

METRIC = 96  # preferred over those of NetworkManager (100) and networkd (1024)
SUBFLOWS = 8  # the kernel's maximum for one connection, and of endpoints for one node


Entries = dict[str, dict[str, str]]  # device -> address -> MAC


def compare_paths(
    plan: Plan, kernel: Kernel, found: dict[str, str], todo: Difference, ports: Iterable[str] = ()
) -> None:
    """Exactly the planned permanent neighbors on each of our NICs, and the planned routes.

    New neighbors are set before the routes that use them, and stale ones deleted after. A device with ARP off drops
    packets to an address without a neighbor entry. ports: NICs of the upper device, which have none.
    """
    wanted: Entries = {device: {} for device in (*found.values(), *ports)}
    for neighbor in plan.neighbors:
        if neighbor.switch in found:
            wanted[found[neighbor.switch]][neighbor.address] = neighbor.mac
    dropped_on = todo.loses_neighbors | todo.loses_paths
    present = {device: {} if device in dropped_on else kernel.neighbors.get(device, {}) for device in wanted}
    set_neighbors(wanted, present, todo)
    compare_routes(plan, kernel, found, todo)
    drop_neighbors(wanted, present, todo)


def set_neighbors(wanted: Entries, present: Entries, todo: Difference) -> None:
    for device, entries in wanted.items():
        for address, mac in entries.items():
            if present[device].get(address) != mac:
                todo.add(f"neigh replace {address} lladdr {mac} dev {device} nud permanent", device)


def drop_neighbors(wanted: Entries, present: Entries, todo: Difference) -> None:
    for device, entries in present.items():
        for address in entries:
            if address not in wanted[device]:
                todo.add(f"neigh del {address} dev {device}", device)


def compare_routes(plan: Plan, kernel: Kernel, found: dict[str, str], todo: Difference) -> None:
    """Exactly the planned routes among those of our protocol.

    Legs over a missing NIC are left out, and so is a route without other legs. The kernel may already have dropped a
    stale route over a device in `todo.loses_paths`. Deleting it would fail, so the comparison after the lines handles
    it.
    """
    source = plan.identity.address
    wanted: dict[str, list[Hop]] = {}
    for route in plan.routes:
        hops = list_hops(route.legs, found)
        if hops or not route.legs:
            wanted[route.address] = hops
    kept = {*wanted, DEFAULT}  # access.py compares or deletes that one
    for destination, path in kernel.routes.items():
        if destination not in kept and not is_dropped(path, plan.identity, todo):
            todo.add(f"route del {destination} proto {plan.protocol}", *devices_of(path))
    for destination, hops in wanted.items():
        path = Path4(frozenset(hops), source) if hops else UNREACHABLE
        if kernel.routes.get(destination) != path or is_dropped(path, plan.identity, todo):
            todo.add(format_route(plan, destination, hops), *devices_of(path))


def list_hops(legs: Iterable[Leg], devices: Mapping[str, str]) -> list[Hop]:
    """The next hops over NICs that are present. The weights of those that are left keep their proportion.

    devices: switch -> device.
    """
    hops = [Hop(devices[leg.switch], leg.via, leg.weight) for leg in legs if leg.switch in devices]
    return hops if len(hops) > 1 else [hop._replace(weight=1) for hop in hops]


def compare_endpoints(plan: Plan, kernel: Kernel, found: dict[str, str], todo: Difference) -> None:
    """With Multipath TCP one endpoint per NIC, so that a connection to a node opens a subflow over each shared switch.

    Without it, no endpoint on our NICs. Endpoints outlive their addresses, so a stale one is deleted by its number.
    """
    if plan.mptcp and kernel.subflows is None:
        raise Failed(1, ["this kernel has no Multipath TCP (no /proc/sys/net/mptcp)"])
    links = [link for link in plan.links if link.switch in found and link.address][:SUBFLOWS] if plan.mptcp else []
    wanted = {(link.address.partition("/")[0], found[link.switch]) for link in links}
    ours = set(found.values()) | {each.name for each in kernel.devices.values() if each.alias.startswith(NIC_ALIAS)}
    present = {(each.address, each.device) for each in kernel.endpoints}
    for each in kernel.endpoints:
        if each.device in ours and (each.address, each.device) not in wanted:
            todo.add(f"mptcp endpoint delete id {each.number}")
    if links and (kernel.subflows or 0) < SUBFLOWS:
        todo.add(f"mptcp limits set subflow {SUBFLOWS} add_addr_accepted {SUBFLOWS}")
    for address, device in sorted(wanted - present):
        todo.add(f"mptcp endpoint add {address} dev {device} subflow")


def is_dropped(path: Path4, identity: Identity, todo: Difference) -> bool:
    """Whether the earlier lines make the kernel drop this path."""
    return path != UNREACHABLE and (identity.device in todo.loses_paths or bool(devices_of(path) & todo.loses_paths))


def devices_of(path: Path4) -> set[str]:
    return {hop.device for hop in path.hops if hop.device}


def format_route(plan: Plan, address: str, hops: Sequence[Hop]) -> str:
    """The line for `ip -batch` that sets a route. hops: none for an unreachable route."""
    destination = format_destination(address)
    if not hops:
        return f"route replace unreachable {destination} proto {plan.protocol}"
    return f"route replace {destination} proto {plan.protocol} src {plan.identity.address} {format_hops(hops)}"


def format_destination(address: str) -> str:
    """A host route for one address; a prefix, as of multicast groups, stays as it is.

    The default route has a metric, because one without would replace a default route of another program.
    """
    if address == DEFAULT:
        return f"{DEFAULT} metric {METRIC}"
    return address if "/" in address else f"{address}/32"


def format_hops(hops: Sequence[Hop]) -> str:
    paths = [f"via {hop.gateway} dev {hop.device}" if hop.gateway else f"dev {hop.device}" for hop in hops]
    scope = "" if hops[0].gateway else "scope link "
    if len(hops) == 1:
        return scope + paths[0]
    return scope + " ".join(f"nexthop {path} weight {hop.weight}" for path, hop in zip(paths, hops))
