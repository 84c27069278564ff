# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases everything that fnn-net owns in the kernel of this node: NICs, identity, routes, endpoints, settings.

NICs return to their state before a plan first took them (originals.py): addresses, MTU, and up if they were. The
addresses of a NIC that a network manager configured are left to it. A NIC without a record stays down without address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...shared.aliases import ACCESS_ALIAS, IDENTITY_ALIAS, NIC_ALIAS, UPPER_ALIAS
from ...shared.failed import Failed
from .device_changes import compare_forwarding
from .difference import Difference
from .egress import drop_filters
from .execute import execute
from .kernel import Device, Kernel, ipv6_key, read_kernel
from .locks import KERNEL_LOCK, locked
from .originals import Nic, Originals, read_originals
from .path_changes import devices_of
from .place import Place
from .protect import find_protected
from .protected import find_protection


def find_release(kernel: Kernel, originals: Originals) -> Difference:
    """The difference to a kernel without anything that fnn-net owns."""
    todo = Difference()
    drop_devices(kernel, (ACCESS_ALIAS, UPPER_ALIAS), todo)
    give_back_nics(kernel, originals, todo)
    drop_devices(kernel, (IDENTITY_ALIAS,), todo)
    for destination, path in kernel.routes.items():
        if not devices_of(path) & todo.loses_paths:  # the kernel drops the others with their NICs
            todo.add(f"route del {destination} proto {originals.protocol}", *devices_of(path))
    compare_endpoints(kernel, originals, todo)
    for key, value in originals.sysctls.items():
        if kernel.sysctls.get(key) not in (value, None):
            todo.add_sysctl(key, value)
    return todo


def drop_devices(kernel: Kernel, aliases: Collection[str], todo: Difference) -> None:
    """Deletes devices that fnn-net made, by their aliases."""
    for device in kernel.devices.values():
        if device.alias in aliases:
            todo.add_before(f"link del dev {device.name}", device.name)
            todo.loses_paths.add(device.name)


def give_back_nics(kernel: Kernel, originals: Originals, todo: Difference, kept: Collection[str] = ()) -> None:
    """kept: MACs of NICs that fnn-net keeps."""
    for device in kernel.devices.values():
        mac = device.permanent or device.mac
        if device.alias.startswith(NIC_ALIAS) and mac not in kept:
            give_back_nic(device, originals.nics.get(mac, Nic()), kernel, todo)


def give_back_nic(device: Device, nic: Nic, kernel: Kernel, todo: Difference) -> None:
    present = kernel.addresses.get(device.name, [])
    for address in present:
        todo.add_before(f"address del {address} dev {device.name}", device.name)
    mtu = f" mtu {nic.mtu}" if nic.mtu and nic.mtu != device.mtu else ""
    arp = "on" if nic.arp else "off"
    todo.add_before(f'link set dev {device.name} down arp {arp}{mtu} alias ""', device.name)
    todo.loses_paths.add(device.name)
    drop_filters([device.name], kernel, todo)
    ipv6_off = nic.ipv6_off or "0"
    if kernel.sysctls.get(ipv6_key(device.name)) not in (ipv6_off, None):
        todo.add_sysctl(ipv6_key(device.name), ipv6_off)
    compare_forwarding(device.name, nic.forwarding, kernel, todo)
    if nic.up:
        todo.add(f"link set dev {device.name} up", device.name)
    if nic.managed:
        return
    for address in nic.addresses:
        todo.add(f"address replace {address} dev {device.name}", device.name)
        if ":" not in address:
            todo.moved_addresses.append((device.name, address.partition("/")[0]))
    for route in nic.routes:
        todo.add(f"route replace {route} dev {device.name}", device.name)


def compare_endpoints(kernel: Kernel, originals: Originals, todo: Difference) -> None:
    ours = {each.name for each in kernel.devices.values() if each.alias.startswith(NIC_ALIAS)}
    gone = [each for each in kernel.endpoints if each.device in ours]
    for each in gone:
        todo.add_before(f"mptcp endpoint delete id {each.number}")
    if originals.subflows is not None and kernel.subflows not in (originals.subflows, None) and gone:
        todo.add(f"mptcp limits set subflow {originals.subflows}")


def compare_for_release(originals: Originals) -> tuple[Difference, Kernel]:
    kernel = read_kernel(originals.protocol, originals.sysctls)
    return find_release(kernel, originals), kernel


def release(place: Place, protect: Iterable[str] | None = ()) -> tuple[Difference, list[str]]:
    """Returns the executed difference and one message per failure.

    protect: devices besides the one that carries the SSH connection; None: protect no device. Raises Failed(3).
    """
    with locked(place, KERNEL_LOCK):
        return release_locked(place, protect)


def release_locked(place: Place, protect: Iterable[str] | None) -> tuple[Difference, list[str]]:
    """As `release`; the caller holds the kernel lock."""
    originals = read_originals(place)
    todo, kernel = compare_for_release(originals)
    if protect is not None:
        refuse_release(todo, kernel, originals, protect)
    messages = execute(todo)
    rest, _ = compare_for_release(originals)
    return todo, messages or [f"did not take effect: {line}" for line in [*rest.lines, *map("=".join, rest.sysctls)]]


def refuse_release(todo: Difference, kernel: Kernel, originals: Originals, protect: Iterable[str]) -> None:
    reasons = find_protected(protect, find_protection(find_returning(kernel, originals)))
    hit = sorted(reasons.keys() & todo.touched)
    if hit:
        raise Failed(3, [f"{each} {reasons[each]}; not given back" for each in hit])


def find_returning(kernel: Kernel, originals: Originals) -> set[str]:
    """Addresses of the access device that NICs get back; all of them where a network manager resumes a NIC."""
    over = [each.name for each in kernel.devices.values() if each.alias == ACCESS_ALIAS]
    now = {address.partition("/")[0] for name in over for address in kernel.addresses.get(name, [])}
    if any(nic.managed for nic in originals.nics.values()):
        return now
    before = {address.partition("/")[0] for nic in originals.nics.values() for address in nic.addresses}
    return now & before
