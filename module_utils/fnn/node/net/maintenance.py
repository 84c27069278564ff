# SPDX-License-Identifier: GPL-3.0-or-later
"""The NIC in the maintenance network: it is up and has one address, and nothing else of it changes.

It is an ordinary interface with ARP and IPv6, for management, boot and NFS. No route or neighbor entry of the plan uses
it. Its alias makes it one of our NICs, so it is recorded before the first change and given back like those of the
fabric (originals.py, release.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shared.aliases import MAINTENANCE_ALIAS
from .device_changes import compare_address
from .kernel import Kernel
from .nics import NicFinder

if TYPE_CHECKING:
    from .difference import Difference
    from .plan import Maintenance


def find_maintenance_nic(maintenance: Maintenance | None, kernel: Kernel, todo: Difference) -> str | None:
    """The device of the NIC; None where there is none. Raises Failed(1) when another device or program has it."""
    if maintenance is None:
        return None
    nics = NicFinder(kernel, todo)
    nic = nics.find(maintenance.mac, "the maintenance network")
    nics.refuse()
    return nic.name if nic else None


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
