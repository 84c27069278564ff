# SPDX-License-Identifier: GPL-3.0-or-later
"""The difference between plan and kernel; pure, so that tests need no kernel."""

from __future__ import annotations

from ...shared.aliases import NIC_ALIAS, UPPER_ALIAS
from .access import compare_access, compare_resting, find_lower_device
from .device_changes import compare_address, compare_device, compare_forwarding, compare_gateway, compare_identity
from .difference import Difference
from .egress import compare_egress, drop_filters
from .kernel import Kernel, ipv6_key
from .maintenance import compare_maintenance, find_maintenance_nic
from .nics import NicFinder
from .path_changes import compare_endpoints, compare_paths
from .plan import Plan
from .upper import compare_ports, compare_upper


def find_difference(plan: Plan, kernel: Kernel) -> Difference:
    """The changes that make `kernel` match `plan`; empty when it already does.

    Raises Failed(1) when a device of the plan belongs to something else.
    """
    todo = Difference()
    kernel, ports = compare_upper(plan, kernel, todo)
    found = find_nics(plan, kernel, todo)
    below = find_lower_device(plan.access, kernel, todo)
    resting = below is not None and below not in found.values()
    if below and resting:
        found = {**found, "": below}  # so that no neighbor or route of the fabric stays on it
    own = find_maintenance_nic(plan.maintenance, kernel, todo)
    release_nics(kernel, {*found.values(), *ports, *([own] if own else [])}, todo)
    compare_identity(plan.identity, kernel, todo)
    for link in plan.links:
        if link.switch in found:
            device = kernel.devices[found[link.switch]]
            alias = UPPER_ALIAS if plan.upper and link.mac == plan.upper.mac else NIC_ALIAS + link.switch
            compare_device(device, alias, link.mtu, kernel, todo)
            ours = device.alias.startswith((NIC_ALIAS, UPPER_ALIAS))
            forwards = plan.forwards or bool(plan.gateway)
            if forwards or ours:
                compare_forwarding(device.name, "1" if forwards else None, kernel, todo)
            compare_address(device.name, link.address, kernel.addresses, todo, keeps_routes=ours)
    if below and resting:
        compare_resting(below, kernel, todo)
    compare_ports(plan, ports, kernel, todo)
    compare_egress(plan, found, below, kernel, todo)
    compare_paths(plan, kernel, found, todo, ports)
    compare_endpoints(plan, kernel, found, todo)
    compare_access(plan, below, kernel, todo)
    compare_gateway(plan.gateway, kernel, todo)
    compare_maintenance(plan.maintenance, own, kernel, todo)
    for key, value in plan.sysctls.items():
        if kernel.sysctls.get(key) != value:
            todo.add_sysctl(key, value)
    return todo


def find_nics(plan: Plan, kernel: Kernel, todo: Difference) -> dict[str, str]:
    """switch -> device name."""
    found: dict[str, str] = {}
    nics = NicFinder(kernel, todo)
    for link in plan.links:
        if plan.upper and link.mac == plan.upper.mac:
            found[link.switch] = plan.upper.device
            continue
        nic = nics.find(link.mac, link.switch, "the switch ")
        if nic:
            found[link.switch] = nic.name
    nics.refuse()
    return found


def release_nics(kernel: Kernel, kept: set[str], todo: Difference) -> None:
    """Give back NICs that carry our alias and left the plan: no address, no neighbor, ARP on, down, no alias."""
    for device in kernel.devices.values():
        if not device.alias.startswith(NIC_ALIAS) or device.name in kept:
            continue
        for address in kernel.addresses.get(device.name, []):
            todo.add_before(f"address del {address} dev {device.name}", device.name)
        todo.add_before(f'link set dev {device.name} down arp on alias ""', device.name)
        todo.loses_paths.add(device.name)
        drop_filters([device.name], kernel, todo)
        if kernel.sysctls.get(ipv6_key(device.name)) == "1":
            todo.add_sysctl(ipv6_key(device.name), "0")
        compare_forwarding(device.name, None, kernel, todo)
