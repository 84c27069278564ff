# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects strangers on the wire: DHCP servers by their replies, and senders of any frame that are not in the cluster.

While beacons run, a second socket on each NIC receives all frames but beacons and those between switches
(01:80:c2:..., spanning tree and LLDP), which a filter in the kernel drops. A busy network costs little: a few frames
are read at a time and the rest is dropped. Strangers are determined only at the end, when all MACs of the cluster were
heard. During live cabling a sender expires: at once when the NIC loses its carrier, else after a silence much longer
than a beacon's, because hosts broadcast rarely.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import math
import socket
import struct
import time
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...shared.frames.control import FAKE
from ...shared.frames.frame import ETHERTYPE
from ...shared.mac import format_mac
from ...shared.packet import Packet, read_arp, read_packet
from ...shared.packet_socket import EVERY_PROTOCOL, attach_filter, open_packet_socket

_SNAP = 128  # octets that suffice to recognize a DHCP offer
_MOST = 64  # senders remembered per NIC
_MAX_REPORTED = 8  # strangers reported per NIC
_AT_ONCE = 32  # frames read from one NIC before the others get their turn
_QUEUED = 10_000  # frames that may wait in a socket; its buffer holds fewer
# Classic BPF as (code, jump if true, jump if false, constant); the load at 0xfffff004 reads the packet type.
_FILTER = (
    (0x28, 0, 0, 12),  # the ethertype
    (0x15, 5, 0, ETHERTYPE),  # ours: drop
    (0x20, 0, 0, 0),  # the first four octets of the destination
    (0x15, 3, 0, 0x0180C200),  # between switches: drop
    (0x28, 0, 0, 0xFFFFF004),
    (0x15, 1, 0, socket.PACKET_OUTGOING),  # our own: drop
    (0x06, 0, 0, _SNAP),
    (0x06, 0, 0, 0),
)


@dataclass(frozen=True)
class Stranger:
    """kind: "dhcp" or "mac". detail: what its frame shows, such as "IPv4 from 192.168.7.254"."""

    kind: str
    mac: str
    detail: str


@dataclass
class SenderLog:
    """All senders that one NIC received. last: the monotonic time of a sender's latest frame."""

    socket: socket.socket
    heard: dict[tuple[str, str], Stranger] = field(default_factory=dict)
    last: dict[tuple[str, str], float] = field(default_factory=dict)

    def listen(self) -> bool:
        """Reads waiting frames; True when there was a new sender."""
        before, now = len(self.heard), time.monotonic()
        for frame in self.read(_AT_ONCE):
            stranger = recognize(frame)
            key = (stranger.kind, stranger.mac) if stranger else None
            if stranger and key and (key in self.heard or len(self.heard) < _MOST):
                self.heard.setdefault(key, stranger)
                self.last[key] = now
        return len(self.heard) > before

    def read(self, most: int) -> Iterator[bytes]:
        for _ in range(most):
            try:
                yield self.socket.recv(_SNAP)
            except OSError:
                return  # nothing left, or the NIC went down

    def expire(self, before: float) -> bool:
        """Removes senders without a frame since the monotonic time `before`; True when there was one."""
        silent = [key for key in self.heard if self.last.get(key, 0.0) < before]
        for key in silent:
            del self.heard[key]
            self.last.pop(key, None)
        return bool(silent)

    def clear(self) -> bool:
        """Removes all senders, and the frames that wait; True when there was a sender."""
        for _ in self.read(_QUEUED):
            pass
        return self.expire(math.inf)

    def describe(self, ours: Container[str]) -> list[dict[str, Any]]:
        """DHCP servers, then senders that are not in `ours`."""
        strangers = [each for each in self.heard.values() if each.kind == "dhcp" or each.mac not in ours]
        servers = {each.mac for each in strangers if each.kind == "dhcp"}
        reported = [each for each in strangers if each.kind == "dhcp" or each.mac not in servers]
        reported.sort(key=lambda each: (each.kind, each.mac))
        return [{"kind": each.kind, "mac": each.mac, "detail": each.detail} for each in reported[:_MAX_REPORTED]]


def recognize(frame: bytes) -> Stranger | None:
    """The sender of a frame; None for one without an Ethernet header, or from a MAC that no host has.

    If its IPv4 or ARP is cut off or contradicts itself (shared/packet.py), only the ethertype is reported.
    """
    if len(frame) < 14 or frame[6] & 1 or not any(frame[6:12]):
        return None
    mac = format_mac(frame[6:12])
    if mac.startswith(FAKE):
        return None
    (ethertype,) = struct.unpack_from("!H", frame, 12)
    packet = read_packet(frame, _SNAP)
    if packet:
        if is_dhcp_reply(packet):
            return Stranger("dhcp", mac, f"DHCP server {packet.source}")
        return Stranger("mac", mac, f"IPv4 from {packet.source}")
    addresses = read_arp(frame)
    if addresses:
        return Stranger("mac", mac, f"ARP from {addresses[0]}")
    return Stranger("mac", mac, "IPv6" if ethertype == 0x86DD else f"ethertype {ethertype:04x}")


def is_dhcp_reply(packet: Packet) -> bool:
    """Whether a packet is UDP from port 67 to 68 and a BOOTP reply."""
    if packet.protocol != socket.IPPROTO_UDP or len(packet.payload) <= 8:
        return False
    return packet.payload[:4] == b"\0\x43\0\x44" and packet.payload[8] == 2


def open_sender_log(device: str) -> SenderLog:
    """Listens on one NIC, which the beacon socket has made promiscuous. Raises OSError."""
    return SenderLog(open_packet_socket(device, EVERY_PROTOCOL, lambda made: attach_filter(made, _FILTER)))
