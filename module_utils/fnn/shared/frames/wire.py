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
_BUFFER = 1 << 20  # octets of received frames that may wait


def open_socket(device: str) -> socket.socket:
    """A raw socket for beacons on one NIC, promiscuous, so that the NIC filters no frames."""
    # With a protocol it would receive from all NICs, as if they shared a wire, until it is bound to one (packet(7)).
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    try:
        if find_master(device):
            # A bridge takes the frames of its ports before any socket of one protocol (tap.py).
            keep_incoming(made, ETHERTYPE)
        made.bind((device, EVERY_PROTOCOL if find_master(device) else ETHERTYPE))
        membership = struct.pack("iHH8s", socket.if_nametoindex(device), _PACKET_MR_PROMISC, 0, b"")
        made.setsockopt(_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, membership)
        enlarge_buffer(made)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def enlarge_buffer(wire: socket.socket) -> None:
    """Enlarges the receive buffer for a busy node; without CAP_NET_ADMIN it stays as it is."""
    with contextlib.suppress(OSError):
        wire.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
