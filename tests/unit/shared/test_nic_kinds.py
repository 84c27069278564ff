# SPDX-License-Identifier: GPL-3.0-or-later
"""Devices that are no NICs of the fabric unless they are named, by a tree as in /sys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.shared.nic_kinds import find_reservation, has_random_mac

FIRM, OWN = "54:e1:ad:00:24:b4", "02:10:20:30:40:50"  # assigned by a maker, and locally administered


def make(sysfs: Path, device: str, assigned: int = 0, bus: str = "pci") -> Path:
    """The directory of a device; returns that of its hardware."""
    hardware, kinds = sysfs / "devices" / device, sysfs / "bus" / bus
    (sysfs / device).mkdir(parents=True)
    hardware.mkdir(parents=True)
    kinds.mkdir(parents=True, exist_ok=True)
    (sysfs / device / "device").symlink_to(hardware)
    (hardware / "subsystem").symlink_to(kinds)
    (sysfs / device / "addr_assign_type").write_text(f"{assigned}\n")
    return hardware


@pytest.mark.parametrize(
    ("driver", "kind", "reason"),
    [
        ("igc", "", None),
        ("r8152", "", None),
        (None, "veth", None),
        ("cdc_ether", "", "has the USB driver cdc_ether, as the virtual NIC of a BMC"),
        ("rndis_host", "", "has the USB driver rndis_host, as the virtual NIC of a BMC"),
        ("thunderbolt-net", "", "is a Thunderbolt cable to another computer"),
        (None, "dummy", "is a virtual device of the kind dummy"),
        ("tun", "tun", "is a virtual device of the kind tun"),
    ],
)
def test_each_kind_has_its_reason(tmp_path: Path, driver: str | None, kind: str, reason: str | None) -> None:
    make(tmp_path, "x0")
    entry: dict[str, Any] = {"ifname": "x0", "address": FIRM, "linkinfo": {"info_kind": kind} if kind else {}}
    assert find_reservation(entry, driver, tmp_path) == reason


def test_a_virtual_function_names_its_physical_one(tmp_path: Path) -> None:
    physical = make(tmp_path, "enp1s0f0")
    (physical / "net/enp1s0f0").mkdir(parents=True)
    (make(tmp_path, "enp1s0f0v0") / "physfn").symlink_to(physical)
    entry = {"ifname": "enp1s0f0v0", "address": FIRM}
    assert find_reservation(entry, "iavf", tmp_path) == "is a virtual function of enp1s0f0"
    assert find_reservation({**entry, "ifname": "enp1s0f0"}, "ice", tmp_path) is None


@pytest.mark.parametrize(
    ("assigned", "bus", "mac", "random"),
    [
        (0, "pci", FIRM, False),
        (1, "pci", FIRM, True),
        (0, "pci", OWN, False),  # a virtual machine
        (3, "pci", OWN, False),  # set by the operator
        (0, "usb", OWN, True),
        (0, "usb", FIRM, False),
    ],
)
def test_a_random_mac_is_recognized(tmp_path: Path, assigned: int, bus: str, mac: str, random: bool) -> None:
    make(tmp_path, "x0", assigned, bus)
    assert has_random_mac({"ifname": "x0", "address": mac}, None, tmp_path) is random
    assert has_random_mac({"ifname": "gone", "address": mac}, None, tmp_path) is False
