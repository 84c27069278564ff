# SPDX-License-Identifier: GPL-3.0-or-later
"""The access device: where hosts outside the plan reach this node, over one fabric NIC.

The NIC below has ARP off. On top of it is a macvlan with its own MAC and address, and only the macvlan uses ARP:

    fnn-access   192.168.7.1/24, 0e:f0:00:00:00:00, ARP on
      nic0       10.77.0.1/24,   02:f0:00:00:00:00, ARP off

The kernel drops ARP received on a device with ARP off, and arp_ignore=1 makes the macvlan answer for its own address
only. arp_announce=2 keeps it from sending requests with another source address. arp_notify=1 announces the MAC as soon
as the device comes up. So the device gets its address before it comes up, and is recreated for a new address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shared.aliases import ACCESS_ALIAS, NIC_ALIAS
from ...shared.failed import Failed
from ...shared.mac import derive_mac
from .device_changes import compare_address, compare_device
from .kernel import Device, Hop, Kernel, Path4, ipv6_key
from .path_changes import METRIC, devices_of
from .plan import DEFAULT

if TYPE_CHECKING:
    from .difference import Difference
    from .plan import Access, Plan

KIND = "macvlan"
SETTINGS = {"arp_ignore": "1", "arp_announce": "2", "arp_notify": "1"}


def list_settings(access: Access) -> dict[str, str]:
    """Key -> value below /proc/sys, for this device only."""
    return {f"net/ipv4/conf/{access.device}/{name}": value for name, value in SETTINGS.items()}


def find_lower_device(access: Access | None, kernel: Kernel, todo: Difference) -> str | None:
    """The device of the NIC below; None where there is none. Raises Failed(1) when the name is taken."""
    if access is None:
        return None
    holder = kernel.devices.get(access.device)
    if holder and holder.kind != KIND and holder.alias != ACCESS_ALIAS:
        raise Failed(1, [f"{holder.name}, planned for access, is a {holder.kind or 'NIC'} of another program"])
    for device in kernel.list_nics(access.nic):
        return device.name
    if not any(access.nic in message for message in todo.missing):
        todo.missing.append(f"no NIC has the MAC {access.nic}, planned for access")
    return None


def compare_resting(below: str, kernel: Kernel, todo: Difference) -> None:
    """The NIC below rests in the fabric: no address, no link of the plan, but it still carries the access device."""
    compare_device(kernel.devices[below], NIC_ALIAS, None, kernel, todo)
    compare_address(below, "", kernel.addresses, todo)


def drop_former(access: Access | None, below: str | None, kernel: Kernel, todo: Difference) -> None:
    """Deletes access devices that differ from the plan."""
    for device in kernel.devices.values():
        ours = device.alias == ACCESS_ALIAS or (access is not None and device.name == access.device)
        stays = access is not None and below is not None and is_as_planned(device, access, below, kernel)
        if ours and not stays:
            todo.add_before(f"link del dev {device.name}", device.name)
            todo.loses_paths.add(device.name)


def is_as_planned(device: Device, access: Access, below: str, kernel: Kernel) -> bool:
    where = (device.name, device.kind, device.lower, device.mac)
    planned = (access.device, KIND, below, derive_mac(access.nic))
    return where == planned and access.address in kernel.addresses.get(device.name, [])


def compare_access(plan: Plan, below: str | None, kernel: Kernel, todo: Difference) -> None:
    """The access device exists, is up with ARP on, and has exactly its address; the default route is as planned."""
    drop_former(plan.access, below, kernel, todo)
    access = plan.access if below else None
    if access is not None:
        fresh = access.device not in kernel.devices or access.device in todo.loses_paths
        addresses = {} if fresh else kernel.addresses
        device = Device(access.device, mtu=0) if fresh else kernel.devices[access.device]
        if fresh:
            mac = derive_mac(access.nic)
            line = f"link add name {access.device} link {below} address {mac} type {KIND} mode bridge"
            todo.add_before(line, access.device)
            todo.loses_paths.add(access.device)
            todo.moved_addresses.append((access.device, access.address.partition("/")[0]))
        compare_settings(access, fresh, kernel, todo)
        changes = [f"mtu {access.mtu}"] if device.mtu != access.mtu else []
        changes += [f"alias {ACCESS_ALIAS}"] if device.alias != ACCESS_ALIAS else []
        changes += [] if device.arp else ["arp on"]
        if changes:
            todo.add(f"link set dev {access.device} {' '.join(changes)}", access.device)
        compare_address(access.device, access.address, addresses, todo)
        if not device.up:
            todo.add(f"link set dev {access.device} up", access.device)
    compare_default(plan, access, kernel, todo)


def compare_settings(access: Access, fresh: bool, kernel: Kernel, todo: Difference) -> None:
    for key, value in list_settings(access).items():
        if fresh or kernel.sysctls.get(key) != value:
            todo.add_sysctl(key, value)
            todo.touched.add(access.device)
    if fresh or kernel.sysctls.get(ipv6_key(access.device)) == "0":
        todo.add_sysctl(ipv6_key(access.device), "1")
        todo.touched.add(access.device)


def compare_default(plan: Plan, access: Access | None, kernel: Kernel, todo: Difference) -> None:
    """The default route over the access device; one over a gateway of the cluster is among the routes of the plan."""
    if any(route.address == DEFAULT for route in plan.routes):
        return
    present = kernel.routes.get(DEFAULT)
    hops = frozenset({Hop(access.device, access.gateway)}) if access and access.gateway else frozenset[Hop]()
    is_dropped = present is not None and bool(devices_of(present) & todo.loses_paths)
    if access and access.gateway and (present != Path4(hops, "") or is_dropped):
        line = f"route replace {DEFAULT} via {access.gateway} dev {access.device} proto {plan.protocol} metric {METRIC}"
        todo.add(line, access.device)
    elif present and present.hops != hops and not is_dropped:
        todo.add(f"route del {DEFAULT} proto {plan.protocol}", *devices_of(present))
