# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of one ethertype as they come in at a NIC, before a bridge or bond above it takes them.

The kernel offers an incoming frame to sockets of every protocol first, then to the master of the NIC, and only what
that lets pass to sockets of its ethertype (packet(7); __netif_receive_skb_core in net/core/dev.c). So a NIC that is a
port of a bridge is read by a socket of every protocol, of which a filter keeps the frames that are asked for.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ctypes
import socket
import struct

EVERY_PROTOCOL = 0x0003
_SO_ATTACH_FILTER = 26
_WHOLE = 0x40000  # octets kept of a frame: all


def keep_incoming(wire: socket.socket, ethertype: int) -> None:
    """Filters what a packet socket receives; call it before the socket is bound. Raises OSError."""
    # Classic BPF as (code, jump if true, jump if false, constant); the load at 0xfffff004 asks for the kind of frame.
    lines = (
        (0x28, 0, 0, 12),  # the ethertype
        (0x15, 0, 3, ethertype),  # another: drop
        (0x28, 0, 0, 0xFFFFF004),
        (0x15, 1, 0, socket.PACKET_OUTGOING),  # sent by this node: drop
        (0x06, 0, 0, _WHOLE),
        (0x06, 0, 0, 0),
    )
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    filter_ = struct.pack("HP", len(lines), ctypes.addressof(program))
    wire.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, filter_)
