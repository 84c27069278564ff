# SPDX-License-Identifier: GPL-3.0-or-later
"""The sockets of fnn-linkd: raw Ethernet on each NIC, and rtnetlink for link changes.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...shared.packet_socket import attach_filter, open_packet_socket
from .frame import ETHERTYPE, MAGIC

_BURST = 64  # frames read from one NIC before the others get their turn
_LONGEST = 2048
_LOAD = {"I": 0x20, "H": 0x28, "B": 0x30}
_IF_EQUAL, _RETURN = 0x15, 0x06  # operations of a classic BPF program (linux/filter.h)
PACKET_TYPE = 0xFFFFF000 + 4  # offset of the packet type (SKF_AD_PKTTYPE); 0: to this host
_RTMGRP_LINK = 1
_RTM_NEWLINK, _RTM_DELLINK = 16, 17
_HEADER, _LINK = struct.Struct("=IHHII"), struct.Struct("=BxHiII")
_UP, _LOWER_UP = 1, 0x10000
_BUFFER = 1 << 20


def open_nic(device: str) -> socket.socket:
    """A raw socket that receives only frames of fnn-linkd for this NIC. Raises OSError."""
    return open_packet_socket(device, ETHERTYPE, _filter)


def _filter(made: socket.socket) -> None:
    """The kernel drops beacons, messages of a head, and frames that a switch floods for other NICs."""
    keep_only(made, (("I", PACKET_TYPE, 0), ("I", 14, int.from_bytes(MAGIC, "big"))))


def keep_only(made: socket.socket, conditions: Sequence[tuple[str, int, int]]) -> None:
    """The kernel keeps only frames that have the value at the offset, for each (size as in struct, offset, value)."""
    lines: list[tuple[int, int, int, int]] = []
    for number, (size, offset, value) in enumerate(conditions, start=1):
        rest = len(conditions) - number
        lines += [(_LOAD[size], 0, 0, offset), (_IF_EQUAL, 0, 2 * rest + 1, value)]
    lines += [(_RETURN, 0, 0, _LONGEST), (_RETURN, 0, 0, 0)]
    attach_filter(made, lines)


def read_frames(nic: socket.socket) -> Iterator[bytes]:
    """Waiting frames of a NIC, _BURST at most; none when it went down."""
    for _ in range(_BURST):
        try:
            yield nic.recv(_LONGEST)
        except OSError:
            return


@dataclass(frozen=True)
class LinkNews:
    """A link change that the kernel reports. index: ifindex."""

    index: int
    up: bool
    carrier: bool
    there: bool


class NetlinkOverflow(Exception):
    """The buffer of the netlink socket overflowed (ENOBUFS): all links must be read again."""


def open_news() -> socket.socket:
    """A netlink socket that receives every link change. Raises OSError."""
    made = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    with contextlib.suppress(OSError):
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
    made.bind((0, _RTMGRP_LINK))
    made.setblocking(False)
    return made


def read_news(news: socket.socket) -> Iterator[LinkNews]:
    """Raises Lost."""
    while True:
        try:
            octets = news.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno == errno.ENOBUFS:
                raise NetlinkOverflow from None
            raise
        yield from parse_news(octets)


def parse_news(octets: bytes) -> Iterator[LinkNews]:
    """The links in one datagram of rtnetlink(7)."""
    at = 0
    while at + _HEADER.size + _LINK.size <= len(octets):
        length, kind, _, _, _ = _HEADER.unpack_from(octets, at)
        if kind in (_RTM_NEWLINK, _RTM_DELLINK):
            _, _, index, flags, _ = _LINK.unpack_from(octets, at + _HEADER.size)
            up = bool(flags & _UP)
            yield LinkNews(index, up, up and bool(flags & _LOWER_UP), kind == _RTM_NEWLINK)
        if length < _HEADER.size:
            return
        at += (length + 3) & ~3
