# SPDX-License-Identifier: GPL-3.0-or-later
"""A raw socket on one NIC for the frames of verify: beacons and the relearn probe.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import socket

from ..nic_masters import find_master
from ..packet_socket import EVERY_PROTOCOL, open_packet_socket
from .frame import ETHERTYPE
from .tap import keep_incoming

_SO_RCVBUFFORCE = 33
_BUFFER = 1 << 20  # octets of received frames that may wait


def open_socket(device: str) -> socket.socket:
    """A raw socket for beacons on one NIC, promiscuous, so that the NIC filters no frames."""
    is_taken = bool(find_master(device))

    def prepare(made: socket.socket) -> None:
        if is_taken:
            # A bridge takes the frames of its ports before any socket of one protocol (tap.py).
            keep_incoming(made, ETHERTYPE)
        enlarge_buffer(made)

    return open_packet_socket(device, EVERY_PROTOCOL if is_taken else ETHERTYPE, prepare, promiscuous=True)


def enlarge_buffer(wire: socket.socket) -> None:
    """Enlarges the receive buffer for a busy node; without CAP_NET_ADMIN it stays as it is."""
    with contextlib.suppress(OSError):
        wire.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
