# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends one datagram to each of the addresses argv[2:] at port argv[1], groups and broadcast included."""

from __future__ import annotations

import socket
import sys

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
    for address in sys.argv[2:]:
        wire.sendto(address.encode(), (address, int(sys.argv[1])))
