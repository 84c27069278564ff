# SPDX-License-Identifier: GPL-3.0-or-later
"""Announces the new MAC of an address that moved between devices (gratuitous ARP, RFC 5227).

Without it, hosts that have just used the address keep sending to the former MAC for half a minute. With arp_notify the
kernel announces it only once, when the device comes up. A NIC that came up at that moment may need seconds until it has
carrier, and the port of its switch a little longer. So the announcement is repeated after that.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Sequence
from pathlib import Path

ETH_P_ARP = 0x0806
CARRIER_TIMEOUT = 5.0  # seconds to wait for carrier
PAUSES = (0.0, 0.3, 1.0)  # seconds before each announcement

_SYSFS = Path("/sys/class/net")


def announce(moved: Sequence[tuple[str, str]]) -> None:
    """moved: (device, IPv4 address). If its cable is out, the first ARP exchange after plugging has this effect."""
    until = time.monotonic() + CARRIER_TIMEOUT
    for pause in PAUSES if moved else ():
        time.sleep(pause)
        for device, address in moved:
            while not is_open(device) and time.monotonic() < until:
                time.sleep(0.05)
            send(device, address)


def is_open(device: str) -> bool:
    """Whether frames can leave a device: it has carrier, and the kernel has processed the carrier event.

    The kernel processes these events at most once a second (net/core/link_watch.c), and until then silently drops
    outgoing frames. Only `operstate` shows it; some drivers never set it.
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
    """An ARP request whose sender and target are the same address."""
    ours = socket.inet_aton(address)
    message = struct.pack("!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, mac, ours, bytes(6), ours)
    return b"\xff" * 6 + mac + struct.pack("!H", ETH_P_ARP) + message.ljust(46, b"\0")
