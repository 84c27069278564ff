# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the NICs of a node: name, MAC, carrier, speed, driver, place on the PCI bus. Reads only.

`ip -j -d link` names the devices; /sys and one ioctl add what it lacks. Standard library only and
Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import re
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .aliases import ACCESS_ALIAS, IDENTITY_ALIAS, UPPER_ALIAS
from .errors import problem
from .nic_kinds import find_reservation, has_random_mac
from .nic_masters import find_master, read_former_mac

SYSFS = Path("/sys/class/net")
_SIOCETHTOOL = 0x8946
_ETHTOOL_GPERMADDR = 0x20
_MADE_BY_US = (ACCESS_ALIAS, IDENTITY_ALIAS, UPPER_ALIAS)
_PCI = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def run_ip(*arguments: str) -> str:
    """The output of `ip`. Raises FnnError with its error message."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", "/usr/bin"])
    program = shutil.which("ip", path=path)
    if not program:
        raise problem("ip", "not found; install iproute2")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise problem(f"ip {' '.join(arguments)}", done.stderr.strip())
    return done.stdout


def read_devices() -> list[dict[str, Any]]:
    """One entry per network device, as `ip -j -d link show` describes it."""
    return [each for each in json.loads(run_ip("-j", "-d", "link", "show") or "[]") if each]


def read_links(match: list[str] | None, macs: Iterable[str], excluded: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The facts of each NIC, in the order of the kernel.

    match: globs of device names; None means the physical Ethernet NICs. macs: only these, if there are any.
    excluded: devices that are left out, those Ansible arrives on. Alternative names (ip-link(8)) are names.
    Shape: {"device", "altnames", "mac", "permanent", "random", "carrier", "speed_mbps", "duplex", "driver", "mtu",
    "pci", "port", "master", "reserved"}.
    port: what the driver calls the port of the NIC, equal for two devices of one plug; None where it has no answer.
    master: the bridge or bond that has the NIC, see nic_masters.py; None without one, or for one that fnn-net made.
    random, reserved: see nic_kinds.py.
    """
    wanted, not_ours = {mac.lower() for mac in macs}, set(excluded)
    links = [
        describe_link(device)
        for device in read_devices()
        if device.get("link_type") == "ether"
        and not_ours.isdisjoint(list_names(device))
        and device.get("ifalias") not in _MADE_BY_US
        and is_wanted(device, match)
    ]
    return [link for link in links if not wanted or link["mac"] in wanted]


def list_without_carrier(devices: Iterable[str]) -> list[str]:
    """Those of the devices that are up and have no carrier. Of a device that is down, the kernel does not know it."""
    return sorted(device for device in devices if read_attribute(device, "carrier") == "0")


def list_names(device: Mapping[str, Any]) -> list[str]:
    """The name of a device of `ip -j link` and its alternative names."""
    return [device["ifname"], *device.get("altnames", ())]


def is_wanted(device: Mapping[str, Any], match: list[str] | None) -> bool:
    if match is not None:
        return any(fnmatchcase(name, glob) for name in list_names(device) for glob in match)
    place = SYSFS / device["ifname"]
    return (place / "device").exists() and not (place / "wireless").exists()


def describe_link(device: dict[str, Any]) -> dict[str, Any]:
    name = device["ifname"]
    permanent = read_permanent_mac(name)
    speed, driver = read_attribute(name, "speed"), read_driver(name)
    return {
        "device": name,
        "altnames": list_names(device)[1:],
        "mac": permanent or read_former_mac(name, SYSFS) or device["address"],
        "permanent": permanent is not None,
        "random": has_random_mac(device, driver, SYSFS),
        "carrier": "LOWER_UP" in device.get("flags", []),
        "speed_mbps": int(speed) if speed and speed.isdecimal() else None,  # "-1" while there is no carrier
        "duplex": read_attribute(name, "duplex"),
        "driver": driver or device.get("linkinfo", {}).get("info_kind"),
        "mtu": device["mtu"],
        "pci": read_pci(name),
        "port": read_port(name),
        "master": find_master(name, SYSFS),
        "reserved": find_reservation(device, driver, SYSFS),
    }


def read_attribute(device: str, attribute: str) -> str | None:
    """The content of a file below /sys/class/net/DEVICE; None where the driver has no answer."""
    try:
        return (SYSFS / device / attribute).read_text(encoding="ascii").strip()
    except OSError:
        return None


def read_driver(device: str) -> str | None:
    driver = SYSFS / device / "device" / "driver"
    return driver.resolve().name if driver.exists() else None


def read_pci(device: str) -> str | None:
    """The PCI address of a NIC ("0000:02:00.0"), or of the controller of a USB NIC; None for virtual ones."""
    place = SYSFS / device / "device"
    if not place.exists():
        return None
    return next((part for part in reversed(place.resolve().parts) if _PCI.fullmatch(part)), None)


def read_port(device: str) -> str | None:
    """What identifies the port of a NIC: its own identifier, or that of its switch with the name of the port."""
    own, switch = (read_attribute(device, f"phys_{what}_id") for what in ("port", "switch"))
    name = read_attribute(device, "phys_port_name") or read_attribute(device, "dev_port")
    return own or (f"{switch} {name}" if switch and name else None)


def read_permanent_mac(device: str) -> str | None:
    """The burnt-in MAC (ethtool -P), which bonding and people cannot change; None for virtual NICs."""
    answer = call_ethtool(device, struct.pack("=II", _ETHTOOL_GPERMADDR, 32) + bytes(32))
    if not answer:
        return None
    (size,) = struct.unpack_from("=I", answer, 4)
    mac = answer[8 : 8 + size]
    return ":".join(f"{octet:02x}" for octet in mac) if size == 6 and any(mac) else None


def call_ethtool(device: str, request: bytes) -> bytes:
    """The answer of the driver to a command of ethtool (linux/ethtool.h); empty where it has none."""
    buffer = ctypes.create_string_buffer(request, len(request))
    interface = struct.pack("16sP", device.encode(), ctypes.addressof(buffer)).ljust(40, b"\0")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            fcntl.ioctl(any_socket, _SIOCETHTOOL, interface)
        except OSError:
            return b""
    return buffer.raw
