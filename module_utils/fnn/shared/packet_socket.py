# SPDX-License-Identifier: GPL-3.0-or-later
"""Packet sockets on one NIC (packet(7)), and filters that the kernel runs on received frames.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import socket
import struct
from array import array
from collections.abc import Callable, Iterable

EVERY_PROTOCOL = 0x0003
_SO_ATTACH_FILTER = 26
_SOL_PACKET = 263
_PACKET_ADD_MEMBERSHIP = 1
_PACKET_MR_PROMISC = 1
_PACKET_STATISTICS = 6
_PACKET_QDISC_BYPASS = 20


def open_packet_socket(
    device: str, protocol: int, prepare: Callable[[socket.socket], None], promiscuous: bool = False
) -> socket.socket:
    """A socket for the frames of one protocol on one NIC, which never blocks. Raises OSError.

    prepare: sets its filter and options, before it receives a frame. promiscuous: the NIC filters no frames.
    """
    # With a protocol it would receive from all NICs, as if they shared a wire, until it is bound to one (packet(7)).
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    try:
        prepare(made)
        made.bind((device, protocol))
        if promiscuous:
            membership = struct.pack("iHH8s", socket.if_nametoindex(device), _PACKET_MR_PROMISC, 0, b"")
            made.setsockopt(_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, membership)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def read_statistics(wire: socket.socket) -> tuple[int, int]:
    """Frames that passed the filter since the last call, and those of them that found a full buffer (packet(7)).

    Raises OSError.
    """
    frames, dropped = struct.unpack("II", wire.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
    return frames, dropped


def bypass_queue(wire: socket.socket) -> None:
    """Frames go to the driver at once, past queueing disciplines and filters on their way out (packet(7)).

    Raises OSError.
    """
    wire.setsockopt(_SOL_PACKET, _PACKET_QDISC_BYPASS, 1)


def attach_filter(wire: socket.socket, program: Iterable[tuple[int, int, int, int]]) -> None:
    """The kernel runs a program on each frame and keeps as many octets as it returns. Raises OSError.

    program: classic BPF (linux/filter.h) as (code, jump if true, jump if false, constant).
    """
    held = array("B", b"".join(struct.pack("=HBBI", *line) for line in program))
    address, length = held.buffer_info()
    wire.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("HL", length // 8, address))
