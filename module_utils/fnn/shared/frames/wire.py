# SPDX-License-Identifier: GPL-3.0-or-later
"""A raw socket on one NIC for the frames of verify: beacons and the relearn probe.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import socket
import struct

from ..nic_masters import find_master
from .frame import ETHERTYPE
from .tap import EVERY_PROTOCOL, keep_incoming

_SOL_PACKET = 263
_PACKET_ADD_MEMBERSHIP = 1
_PACKET_MR_PROMISC = 1
_SO_RCVBUFFORCE = 33
_BUFFER = 1 << 20  # octets that may wait for us


def open_socket(device: str) -> socket.socket:
    """A raw socket for beacons on one NIC, promiscuous, so that no NIC filters what a switch delivers."""
    # With a protocol it would hear all NICs of the node until it is bound to one (packet(7)), as if they shared a wire.
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    try:
        if find_master(device):
            # A bridge takes what its ports receive before any socket of one protocol does.
            keep_incoming(made, ETHERTYPE)
        made.bind((device, EVERY_PROTOCOL if find_master(device) else ETHERTYPE))
        membership = struct.pack("iHH8s", socket.if_nametoindex(device), _PACKET_MR_PROMISC, 0, b"")
        made.setsockopt(_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, membership)
        widen(made)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def widen(wire: socket.socket) -> None:
    """More frames may wait for a busy node; without the right to it they remain as many as they are."""
    with contextlib.suppress(OSError):
        wire.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
