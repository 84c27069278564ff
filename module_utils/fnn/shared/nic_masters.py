# SPDX-License-Identifier: GPL-3.0-or-later
"""The device above a NIC: the bridge it is a port of, or the bond it is a member of.

A bridge over two NICs of the fabric joins their switches, although no cable does. A bond gives its members one MAC.
Both are configuration of the node, so the report names the device to take the NIC out of.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from .aliases import UPPER_ALIAS

SYSFS = Path("/sys/class/net")
Master = dict[str, Optional[str]]


def find_master(device: str, sysfs: Path = SYSFS) -> Master | None:
    """{"name": "br0", "kind": "bridge", "mac": "02:00:00:00:00:01"}; None for a NIC without a master.

    The upper device of fnn-net (node/net/upper.py) does not count, because the plan has it.

    kind: "bridge" (also Open vSwitch), "bond", "vrf" and so on, as the kernel calls it, or "device".
    """
    link = sysfs / device / "master"
    if not link.exists():
        return None
    master = link.resolve()
    if _read(master / "ifalias") == UPPER_ALIAS:
        return None
    return {"name": master.name, "kind": read_kind(master), "mac": _read(master / "address")}


def read_kind(master: Path) -> str:
    if (master / "bonding").exists():
        return "bond"
    if master.name == "ovs-system":
        return "bridge"
    lines = (_read(master / "uevent") or "").splitlines()
    return next((line.partition("=")[2] for line in lines if line.startswith("DEVTYPE=")), "device")


def read_former_mac(device: str, sysfs: Path = SYSFS) -> str | None:
    """The MAC that a member of a bond had before; None for all other NICs."""
    return _read(sysfs / device / "bonding_slave" / "perm_hwaddr")


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip() or None
    except OSError:
        return None
