# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives frames of one ethertype on a NIC before a bridge or bond above it takes them.

The kernel passes a received frame first to sockets of every protocol, then to the master of the NIC. Sockets of its
ethertype get only what the master lets pass (packet(7); __netif_receive_skb_core in net/core/dev.c). So a socket of
every protocol reads a NIC that is a port of a bridge, and a filter keeps the frames of the ethertype.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import socket

from ..packet_socket import attach_filter

_WHOLE = 0x40000  # octets kept of a frame: all


def keep_incoming(wire: socket.socket, ethertype: int) -> None:
    """Filters the frames that a packet socket receives; call it before the socket is bound. Raises OSError."""
    program = (
        (0x28, 0, 0, 12),  # the ethertype
        (0x15, 0, 3, ethertype),  # another: drop
        (0x28, 0, 0, 0xFFFFF004),  # the packet type
        (0x15, 1, 0, socket.PACKET_OUTGOING),  # sent by this node: drop
        (0x06, 0, 0, _WHOLE),
        (0x06, 0, 0, 0),
    )
    attach_filter(wire, program)
