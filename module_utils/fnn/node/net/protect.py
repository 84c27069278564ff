# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses changes that would affect the connection by which operators and Ansible reach this node."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Iterator

from ...shared.failed import Failed
from .difference import Difference
from .kernel import Kernel
from .plan import Plan
from .plan_files import is_address
from .protected import Network, Protection, find_protection
from .ssh import find_ssh_ends


def find_protected(named: Iterable[str], protection: Protection) -> dict[str, str]:
    """Device -> the reason not to touch it: the named devices with those below them, and those of the connection."""
    reasons = dict.fromkeys(named, "was named with --protect")
    if reasons:
        Network().add_below(reasons)
    return {**reasons, **protection.carriers}


def refuse_protected(plan: Plan, todo: Difference, kernel: Kernel, named: Iterable[str], preview: bool = False) -> None:
    """Raises Failed(3) with each protected device that would change.

    preview: whether the plan is new to this node. At boot nothing is refused for a default route, as a router may have
    announced one on a NIC of the plan before fnn-net starts.
    """
    stay = [plan.access.address.partition("/")[0]] if plan.access else []
    protection = find_protection(stay)
    reasons = find_protected(named, protection)
    if preview or protection.carriers:
        reasons = {**find_defaults(plan, kernel, protection), **reasons}
    refused = [f"{each} {reasons[each]}; not touched" for each in sorted(reasons.keys() & todo.touched)]
    refused = refused or list(find_diversions(plan, kernel, [each.address for each in find_ssh_ends()]))
    if refused:
        raise Failed(3, refused)


def find_defaults(plan: Plan, kernel: Kernel, protection: Protection) -> dict[str, str]:
    """The devices of default routes that the plan does not take over: none where nodes have no other NIC."""
    if plan.access is None:
        return protection.defaults
    if not protection.carriers:  # the connection is to an address that stays
        return {}
    below = {device.name for device in kernel.list_nics(plan.access.nic)}
    return {device: reason for device, reason in protection.defaults.items() if device not in below}


def find_diversions(plan: Plan, kernel: Kernel, ends: Collection[str]) -> Iterator[str]:
    """New addresses and routes that would divert the connection between these two ends.

    Existing addresses and routes are safe: the connection was made with them.
    """
    present = {address for addresses in kernel.addresses.values() for address in addresses}
    planned = [(link.address, link.switch) for link in plan.links if link.address]
    if plan.access and plan.access.address.partition("/")[0] not in ends:
        planned.append((plan.access.address, "access"))
    if plan.maintenance:
        planned.append((plan.maintenance.address, "the maintenance network"))
    fresh = [each for each in planned if each[0] not in present]
    for end in filter(is_address, ends):
        for address, where in fresh:
            network = ipaddress.IPv4Interface(address).network
            if ipaddress.IPv4Address(end) in network:
                yield f"{network}, planned for {where}, has {end}, an end of the connection to this node"
        if any(route.address == end for route in plan.routes) and end not in kernel.routes:
            yield f"{end}, planned as a node, is an end of the connection to this node"
