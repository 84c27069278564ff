# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells everybody on a cable which MAC has an address now (gratuitous ARP, RFC 5227), after it moved between devices.

The kernel does that by itself only where arp_notify is set, which a NIC that is given back need not have.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterable

ETH_P_ARP = 0x0806


def announce(moved: Iterable[tuple[str, str]]) -> None:
    """moved: (device, IPv4 address). A device that is not up yet is announced by whoever speaks first."""
    for device, address in moved:
        with contextlib.suppress(OSError), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
            wire.bind((device, 0))
            wire.send(make_announcement(wire.getsockname()[4], address))


def make_announcement(mac: bytes, address: str) -> bytes:
    """An ARP request in the name of the address, for itself."""
    ours = socket.inet_aton(address)
    message = struct.pack("!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 1, mac, ours, bytes(6), ours)
    return b"\xff" * 6 + mac + struct.pack("!H", ETH_P_ARP) + message.ljust(46, b"\0")
