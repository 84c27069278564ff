# SPDX-License-Identifier: GPL-3.0-or-later
"""A PC on the house LAN: requests an address every half second, as on a busy LAN, and never accepts one.

A NIC plugged into the house LAN receives its broadcasts, and the offers with which a real server answers them.
Runs as a program of its own, in the house's namespace, until that is removed; goes to the background at once:

    ip netns exec fnn-house python3 lan_host.py pc
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
import time
from pathlib import Path

_SECONDS = 0.5
_BROADCAST = b"\xff" * 6
_COOKIE = b"\x63\x82\x53\x63"
_DISCOVER = b"\x35\x01\x01\xff"
_ANSWER_BY_BROADCAST = 0x8000


def make_discover(mac: bytes, number: int) -> bytes:
    """A DHCPDISCOVER as a frame."""
    message = struct.pack("!BBBBIHH", 1, 1, 6, 0, number, 0, _ANSWER_BY_BROADCAST) + bytes(16) + mac.ljust(208, b"\0")
    message = (message + _COOKIE + _DISCOVER).ljust(300, b"\0")
    datagram = struct.pack("!HHHH", 68, 67, 8 + len(message), 0) + message
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0, bytes(4), b"\xff" * 4)
    return _BROADCAST + mac + b"\x08\x00" + head[:10] + _sum_up(head) + head[12:] + datagram


def _sum_up(head: bytes) -> bytes:
    """The checksum of an IPv4 header."""
    total = sum(struct.unpack(f"!{len(head) // 2}H", head))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def request_addresses(device: str) -> None:
    """Sends a DHCPDISCOVER every half second, for ever."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind((device, 0))
        mac = wire.getsockname()[4]
        number = 0
        while True:
            number += 1
            # The cable may be pulled; the next request follows soon.
            with contextlib.suppress(OSError):
                wire.send(make_discover(mac, number))
            time.sleep(_SECONDS)


def main(device: str) -> None:
    """Returns at once; a child process sends the requests, without the standard streams of the caller."""
    if os.fork() == 0:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        os.chdir(Path("/"))
        request_addresses(device)


if __name__ == "__main__":
    main(*sys.argv[1:])
