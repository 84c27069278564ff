# SPDX-License-Identifier: GPL-3.0-or-later
"""Does the gateway of the cluster work, as this node sees it? (runs on a node)

On the gateway: rules and name service run, and packets may pass. On a node behind it: names of the cluster and of the
outside from the name service, and an answer from outside. On a node with another default route: nothing.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..net import gateway, managers
from ..net.kernel import forwarding_key, read_sysctl, run_ip
from ..net.plan import DEFAULT, Plan
from .dns import query_addresses
from .reach import ping

GATEWAY, BEHIND, APART = "gateway", "behind", "apart"
_TRIES = 3


@dataclass
class Observation:
    """place: GATEWAY, BEHIND, or APART for a node with a default route of its own. router: of the gateway, "" for none.
    tested: what was reached or resolved. problems: one line each."""

    place: str
    router: str = ""
    tested: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def observe(plan: Plan, probe: str) -> Observation:
    """plan: in force on this node. probe: name or address of a host outside, "" for none. Raises OSError and Failed."""
    if plan.gateway:
        return Observation(GATEWAY, find_router(plan.gateway), problems=list(find_gateway_problems(plan.gateway)))
    if all(route.address != DEFAULT for route in plan.routes):
        return Observation(APART)
    seen = Observation(BEHIND)
    server = find_gateway_address(plan)
    try_names(seen, server, {plan.node: plan.identity.address})
    try_outside(seen, server, probe)
    return seen


def find_gateway_problems(device: str) -> Iterator[str]:
    """device: the interface to the outside."""
    for unit in gateway.UNITS:
        if not managers.is_active(unit):
            yield f"{unit} does not run; systemctl status {unit} shows why"
    if not gateway.is_loaded():
        yield f"the table {' '.join(gateway.TABLE)} is not loaded; run playbooks/network.yml"
    if read_sysctl(forwarding_key(device)) != "1":
        yield f"{device} does not forward; run playbooks/network.yml"
    if not find_router(device):
        yield f"no default route leads over {device}, the interface to the outside"


def find_router(device: str) -> str:
    """The next hop of the default route over the interface to the outside; "" for none."""
    routes: list[dict[str, Any]] = run_ip("-4", "-j", "route", "show", "default")
    hops = [hop for route in routes for hop in route.get("nexthops", [route])]
    return next((hop["gateway"] for hop in hops if hop.get("dev") == device and "gateway" in hop), "")


def find_gateway_address(plan: Plan) -> str:
    """The address of the gateway in the fabric, from the routes of a node behind it."""
    (node,) = {route.node for route in plan.routes if route.address == DEFAULT}
    return next(route.address for route in plan.routes if route.node == node)


def try_names(seen: Observation, server: str, expected: dict[str, str]) -> None:
    """Names of the cluster by the name service of the gateway."""
    for name, address in expected.items():
        found = query_addresses(server, name)
        if found == [address]:
            seen.tested.append(f"{name} by {server}")
        else:
            got = ", ".join(found) or "no address"
            seen.problems.append(f"the name service at {server} answers {got} for {name}, not {address}")


def try_outside(seen: Observation, server: str, probe: str) -> None:
    """The host outside: its name by the gateway and by the resolver of this node, then a ping."""
    address = probe
    if probe and not is_address(probe):
        found = query_addresses(server, probe)
        address = found[0] if found else ""
        if not found:
            seen.problems.append(f"the name service at {server} finds no address for {probe}")
        elif not resolves(probe):
            seen.problems.append(f"the resolver of this node finds no address for {probe}; see /etc/resolv.conf")
        else:
            seen.tested.append(f"{probe} by {server}")
    if address and ping(address, _TRIES):
        seen.tested.append(f"ping {address}")
    elif address:
        seen.problems.append(f"{address} outside does not answer to ping over the gateway")


def is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def resolves(name: str) -> bool:
    try:
        return bool(socket.getaddrinfo(name, None, socket.AF_INET))
    except OSError:
        return False
