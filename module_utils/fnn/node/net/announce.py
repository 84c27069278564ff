# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells everybody on a cable which MAC has an address now (gratuitous ARP, RFC 5227), after it moved between devices.

Without it, who spoke to the address a moment ago goes on sending to the former MAC for half a minute. The kernel tells
it by itself where arp_notify is set, but once, when the device comes up; and a NIC that came up in the same moment may
need seconds until its cable carries anything, and the port of its switch a moment more. So it is told again after that.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Sequence
from pathlib import Path

ETH_P_ARP = 0x0806
PATIENCE = 5.0  # seconds for the cable to carry
PAUSES = (0.0, 0.3, 1.0)  # seconds before each time

_SYSFS = Path("/sys/class/net")


def announce(moved: Sequence[tuple[str, str]]) -> None:
    """moved: (device, IPv4 address). One whose cable is out is announced by whoever speaks first once it is in."""
    until = time.monotonic() + PATIENCE
    for pause in PAUSES if moved else ():
        time.sleep(pause)
        for device, address in moved:
            while not is_open(device) and time.monotonic() < until:
                time.sleep(0.05)
            send(device, address)


def is_open(device: str) -> bool:
    """Whether frames can leave a device: it has carrier, and the kernel has taken note.

    The kernel looks at carriers that have come at most once a second (net/core/link_watch.c), and until it has,
    whatever is sent is dropped without a word. Only `operstate` tells; some drivers never set it.
    """
    try:
        carrier, state = ((_SYSFS / device / name).read_text("ascii").strip() for name in ("carrier", "operstate"))
    except OSError:
        return False
    return carrier == "1" and state in ("up", "unknown")


def send(device: str, address: str) -> None:
    with contextlib.suppress(OSError), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind((device, 0))
        wire.send(make_announcement(wire.getsockname()[4], address))


def make_announcement(mac: bytes, address: str) -> bytes:
    """An ARP request in the name of the address, for itself."""
    ours = socket.inet_aton(address)
    message = struct.pack("!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, mac, ours, bytes(6), ours)
    return b"\xff" * 6 + mac + struct.pack("!H", ETH_P_ARP) + message.ljust(46, b"\0")
