# SPDX-License-Identifier: GPL-3.0-or-later
"""Devices that look like NICs of the fabric, and usually are not: the operator must name them (fnn_nics).

    usb0           cdc_ether: the virtual NIC of a server's BMC, or a phone
    enp1s0f0v0     a virtual function, meant for a virtual machine; it shares the cable of its physical function
    thunderbolt0   a cable to another computer, if one is plugged in
    dummy0, tap0   no cable at all

A class driver of USB shows the protocol of a device, not its purpose. Adapters with a driver of their own (r8152,
ax88179_178a) are NICs like any other; some adapters are used with a class driver on older kernels, and must be named.

A NIC without a MAC of its own gets a random one at each boot or each time it is plugged in. Drivers report that with
addr_assign_type 1 (sysfs-class-net), those of USB and Thunderbolt not always: there a locally administered MAC counts
as random. Elsewhere such a MAC may well be permanent, as in virtual machines.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

SYSFS = Path("/sys/class/net")
#: Drivers of USB that serve any device of a class, also BMCs, phones and modems.
_CLASS_DRIVERS = ("cdc_eem", "cdc_ether", "cdc_mbim", "cdc_ncm", "cdc_subset", "ipheth", "qmi_wwan", "rndis_host")
_THUNDERBOLT = ("thunderbolt-net", "thunderbolt_net")
_RANDOM = "1"  # NET_ADDR_RANDOM (linux/netdevice.h)


def find_reservation(entry: Mapping[str, Any], driver: str | None, sysfs: Path = SYSFS) -> str | None:
    """Why a device is no NIC of the fabric unless the operator names it, after its name; None for a NIC.

    entry: of `ip -j -d link`. A veth end counts as a NIC, as in the lab.
    """
    place, kind = sysfs / entry["ifname"], entry.get("linkinfo", {}).get("info_kind", "")
    function = next(place.glob("device/physfn/net/*"), None)
    if function or (place / "device/physfn").exists():
        return f"is a virtual function{f' of {function.name}' if function else ''}"
    if driver in _CLASS_DRIVERS:
        return f"has the USB driver {driver}, as the virtual NIC of a BMC"
    if driver in _THUNDERBOLT:
        return "is a Thunderbolt cable to another computer"
    if (place / "wireless").exists() or (place / "phy80211").exists():
        return "is wireless"
    if kind not in ("", "veth"):
        return f"is a virtual device of the kind {kind}"
    return None


def has_random_mac(entry: Mapping[str, Any], driver: str | None, sysfs: Path = SYSFS) -> bool:
    """Whether the MAC of a device will be another one at the next boot or when it is plugged in again."""
    place = sysfs / entry["ifname"]
    try:
        assigned = (place / "addr_assign_type").read_text(encoding="ascii").strip()
    except OSError:
        assigned = ""
    is_local = int(entry["address"][:2], 16) & 2
    subsystem = place / "device/subsystem"
    pluggable = driver in _THUNDERBOLT or (subsystem.exists() and subsystem.resolve().name == "usb")
    return assigned == _RANDOM or bool(is_local and pluggable)
