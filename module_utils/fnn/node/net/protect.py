# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses changes that would affect the SSH connection by which operators and Ansible reach this node."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Iterator, Mapping

from ...shared.failed import Failed
from .difference import Difference
from .kernel import Device, Kernel, read_addresses
from .plan import Plan
from .plan_files import is_address
from .ssh import find_ssh_ends


def find_protected(named: Iterable[str], devices: Mapping[str, Device], stay: Collection[str] = ()) -> set[str]:
    """The named devices, the one the SSH connection arrives on, and all devices below them.

    stay: addresses that the node keeps, so that a connection to one of them survives.
    """
    protected = set(named)
    for server in (each for each in find_ssh_ends()[1:] if each not in stay):
        for family in ("inet", "inet6"):
            for device, addresses in read_addresses(family).items():
                if any(address.split("/")[0] == server for address in addresses):
                    protected.add(device)
    while True:
        below = {device.name for device in devices.values() if device.master in protected}
        below |= {devices[name].lower for name in protected if name in devices and devices[name].kind != "veth"}
        below -= {"", *protected}
        if not below:
            return protected
        protected |= below


def refuse_protected(plan: Plan, todo: Difference, kernel: Kernel, named: Iterable[str]) -> None:
    stay = [plan.access.address.partition("/")[0]] if plan.access else []
    hit = sorted(find_protected(named, kernel.devices, stay) & todo.touched)
    refused = [f"{each} carries the connection to this node or is protected; not touched" for each in hit]
    refused = refused or list(find_diversions(plan, kernel, find_ssh_ends()))
    if refused:
        raise Failed(3, refused)


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
