# SPDX-License-Identifier: GPL-3.0-or-later
"""The NIC in the maintenance network: it is up and has one address, and nothing else of it changes.

It is an ordinary interface with ARP and IPv6, for management, boot and NFS. No route or neighbor entry of the plan uses
it. Its alias makes it one of our NICs, so it is recorded before the first change and given back like those of the
fabric (originals.py, release.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shared.aliases import MAINTENANCE_ALIAS
from ...shared.failed import Failed
from .device_changes import compare_address
from .kernel import Kernel

if TYPE_CHECKING:
    from .difference import Difference
    from .plan import Maintenance


def find_maintenance_nic(maintenance: Maintenance | None, kernel: Kernel, todo: Difference) -> str | None:
    """The device of the NIC; None where there is none. Raises Failed(1) when another device or program has it."""
    if maintenance is None:
        return None
    holders = [
        device
        for device in kernel.devices.values()
        if (device.permanent or device.mac) == maintenance.mac and device.kind in ("", "veth")
    ]
    if not holders:
        todo.missing.append(f"no NIC has the MAC {maintenance.mac}, planned for the maintenance network")
        return None
    if len(holders) > 1:
        names = " and ".join(sorted(device.name for device in holders))
        raise Failed(1, [f"{names} have the same MAC {maintenance.mac}, planned for the maintenance network"])
    if holders[0].master:
        text = f"{holders[0].name}, planned for the maintenance network, belongs to {holders[0].master}"
        raise Failed(1, [text])
    return holders[0].name


def compare_maintenance(maintenance: Maintenance | None, name: str | None, kernel: Kernel, todo: Difference) -> None:
    """name: of its device, from `find_maintenance_nic`."""
    if maintenance is None or name is None:
        return
    device = kernel.devices[name]
    changes = [f"alias {MAINTENANCE_ALIAS}"] if device.alias != MAINTENANCE_ALIAS else []
    changes += [] if device.arp else ["arp on"]
    changes += [] if device.up else ["up"]
    if changes:
        todo.add(f"link set dev {name} {' '.join(changes)}", name)
    compare_address(name, maintenance.address, kernel.addresses, todo)
