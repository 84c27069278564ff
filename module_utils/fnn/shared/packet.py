# SPDX-License-Identifier: GPL-3.0-or-later
"""IPv4 packets, ICMP echo messages and ARP in received Ethernet frames.

Any host on a wire can send any octets. A reader returns None for a frame that is shorter than its headers say, or whose
headers contradict each other:

    IPv4   version 4; a header of five words at least, no longer than the packet; a packet no longer than the frame
           (RFC 791, 3.1)
    echo   ICMP of type 8 or 0 and code 0, at the beginning of a packet, with all of its eight octets (RFC 792)
    ARP    from Ethernet and IPv4, so with addresses of six and of four octets, and all of its 28 octets (RFC 826)

Checksums are not verified: they detect errors of a cable, as the Ethernet checksum does, and no forged frame.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

REQUEST, REPLY = 8, 0
ICMP = 1
_ETHERNET = 14
_IPV4 = struct.Struct("!BxH2xHxB2x4s4s")  # version and words, total length, fragment, protocol, source, target
_ECHO = struct.Struct("!BB2xH2x")  # type, code, identifier
_ARP = struct.Struct("!8s6s4s6s4s")
_ETHERNET_AND_IPV4 = bytes.fromhex("000108000604")
_OFFSET = 0x1FFF  # of a fragment, in the word that has its flags


@dataclass(frozen=True)
class Packet:
    """source, target: IPv4 addresses. payload: the octets after the header; empty in any fragment but the first."""

    protocol: int
    source: str
    target: str
    payload: bytes


@dataclass(frozen=True)
class Echo:
    """kind: REQUEST or REPLY. source, target: IPv4 addresses."""

    kind: int
    identifier: int
    source: str
    target: str
    data: bytes


def read_packet(frame: bytes, limit: int) -> Packet | None:
    """limit: octets that the caller keeps of a frame; a packet may be longer than a frame of that length."""
    if len(frame) < _ETHERNET + _IPV4.size or frame[12:14] != b"\x08\x00":
        return None
    first, total, fragment, protocol, source, target = _IPV4.unpack_from(frame, _ETHERNET)
    start, end = _ETHERNET + 4 * (first & 0x0F), _ETHERNET + total
    if first >> 4 != 4 or not _ETHERNET + _IPV4.size <= start <= min(end, len(frame)) or len(frame) < min(end, limit):
        return None
    payload = b"" if fragment & _OFFSET else frame[start:end]
    return Packet(protocol, socket.inet_ntoa(source), socket.inet_ntoa(target), payload)


def read_echo(frame: bytes, limit: int) -> Echo | None:
    """limit: as of `read_packet`."""
    packet = read_packet(frame, limit)
    if packet is None or packet.protocol != ICMP or len(packet.payload) < _ECHO.size:
        return None
    kind, code, identifier = _ECHO.unpack_from(packet.payload)
    if kind not in (REQUEST, REPLY) or code:
        return None
    return Echo(kind, identifier, packet.source, packet.target, packet.payload[_ECHO.size :])


def read_arp(frame: bytes) -> tuple[str, str] | None:
    """The IPv4 addresses of sender and target."""
    if len(frame) < _ETHERNET + _ARP.size or frame[12:14] != b"\x08\x06":
        return None
    head, _, sender, _, target = _ARP.unpack_from(frame, _ETHERNET)
    return (socket.inet_ntoa(sender), socket.inet_ntoa(target)) if head.startswith(_ETHERNET_AND_IPV4) else None


def compute_checksum(octets: bytes) -> int:
    """The checksum of RFC 1071, for a packet that is sent."""
    padded = octets + bytes(len(octets) % 2)
    total: int = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
