# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares single devices with the plan: the identity, properties of a link, its address."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from ...shared.aliases import IDENTITY_ALIAS
from ...shared.failed import Failed
from .difference import Difference
from .kernel import Device, Kernel, forwarding_key, ipv6_key
from .plan import Identity

#: With the last address of a device the kernel drops its routes and neighbors (fib_disable_ip of Linux), and frames are
#: lost until they are set again. So a NIC of ours that becomes unnumbered gets this placeholder: a loopback address of
#: scope host, which no other host sees and no packet has as its source. It stays until the next address or reboot.
PLACEHOLDER = "127.70.78.78/32"


def compare_identity(identity: Identity, kernel: Kernel, todo: Difference) -> None:
    """The identity device exists, is up with ARP off, and has exactly its address; a former one is deleted."""
    device = kernel.devices.get(identity.device)
    if device and device.kind != identity.kind and device.alias != IDENTITY_ALIAS:
        raise Failed(1, [f"{device.name}, planned as the identity, is a {device.kind or 'NIC'} of another program"])
    addresses = kernel.addresses
    for former in kernel.devices.values():
        if former.alias == IDENTITY_ALIAS and (former.name, former.kind) != (identity.device, identity.kind):
            todo.add_before(f"link del dev {former.name}", former.name)
    if device is None or device.kind != identity.kind:
        peer = f" peer name {identity.peer}" if identity.peer else ""
        todo.add_before(f"link add dev {identity.device} type {identity.kind}{peer}", identity.device)
        device, addresses = Device(identity.device, kind=identity.kind), {}
        todo.loses_paths.add(identity.device)
    compare_device(device, IDENTITY_ALIAS, None, kernel, todo)
    if identity.peer:
        peer_device = kernel.devices.get(identity.peer, Device(identity.peer))
        compare_device(peer_device, "", None, kernel, todo)
    compare_address(device.name, f"{identity.address}/32", addresses, todo)


def compare_device(device: Device, alias: str, mtu: int | None, kernel: Kernel, todo: Difference) -> None:
    """One line with only the properties that differ, and IPv6 off. mtu None: unchanged."""
    changes = []
    if device.arp:
        changes.append("arp off")
        todo.loses_neighbors.add(device.name)
    if mtu is not None and device.mtu != mtu:
        changes.append(f"mtu {mtu}")
    if device.alias != alias:
        changes.append(f"alias {alias}" if alias else 'alias ""')
    if not device.up:
        changes.append("up")
    if changes:
        todo.add(f"link set dev {device.name} {' '.join(changes)}", device.name)
    if device.name not in kernel.devices or kernel.sysctls.get(ipv6_key(device.name)) == "0":
        todo.add_sysctl(ipv6_key(device.name), "1")
        todo.touched.add(device.name)


def compare_forwarding(device: str, wanted: str | None, kernel: Kernel, todo: Difference) -> None:
    """Whether packets for other nodes that arrive on a NIC of ours are forwarded.

    wanted: "1" or "0"; None: as on new devices of this node.
    """
    wanted = wanted or kernel.sysctls.get(forwarding_key("all"))
    if wanted and kernel.sysctls.get(forwarding_key(device)) not in (wanted, None):
        todo.add_sysctl(forwarding_key(device), wanted)
        todo.touched.add(device)


def compare_gateway(device: str, kernel: Kernel, todo: Difference) -> None:
    """The interface to the outside forwards packets that arrive on it; all else of it belongs to others.

    device: "" on a node that is no gateway. A gateway that is none any more: see gateway.py.
    """
    if device and device not in kernel.devices:
        todo.missing.append(f"no device is called {device}, planned as the outside interface of this gateway")
    elif device and kernel.sysctls.get(forwarding_key(device)) not in ("1", None):
        todo.add_sysctl(forwarding_key(device), "1")


def compare_address(
    device: str, wanted: str, addresses: Mapping[str, list[str]], todo: Difference, keeps_routes: bool = False
) -> None:
    """Exactly one IPv4 address on a device of ours, or none.

    keeps_routes: keep the routes over the device when its last address goes, see PLACEHOLDER.
    """
    present = addresses.get(device, [])
    stale = [address for address in present if address not in (wanted, PLACEHOLDER)]
    holds = PLACEHOLDER in present
    if stale and not wanted and keeps_routes and not holds:
        todo.add(f"address replace {PLACEHOLDER} dev {device} scope host", device)
        holds = True
    for address in stale:
        todo.add(f"address del {address} dev {device}", device)
    if not wanted:
        todo.loses_paths.update([device] if stale and not holds else [])
        return
    network = ipaddress.IPv4Interface(wanted).network
    together = any(ipaddress.IPv4Interface(address).network == network for address in stale)
    if wanted not in present or together:
        todo.add(f"address replace {wanted} dev {device}", device)
        if stale:
            todo.loses_paths.add(device)
    if holds:
        todo.add(f"address del {PLACEHOLDER} dev {device}", device)
