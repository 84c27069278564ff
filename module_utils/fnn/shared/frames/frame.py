# SPDX-License-Identifier: GPL-3.0-or-later
"""The beacon: a raw Ethernet frame that names its NIC, node and cluster.

It goes to ff:ff:ff:ff:ff:ff, so that every NIC of the neighborhood hears it. Where nodes are joined by cables it goes
to the nearest bridge (IEEE 802.1Q, 8.6.3), which no bridge forwards: only the NIC at the other end of the cable hears
it, also if nodes bridge.

It is in an authenticated envelope (envelope.py) with the magic "FNNb". The body is cluster, node and device, each an
octet of length and ASCII, and then its number in four octets: from 1 for each NIC, 0 for a beacon that is not counted
(node/beacon/counts.py).

A receiver ignores other versions. Standard library only and Python 3.9.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ..mac import format_mac
from .envelope import ETHERTYPE, SHORTEST, Envelope, Header, Seal, open_envelope

__all__ = ["BROADCAST", "ETHERTYPE", "LINKD_MAGIC", "MAGIC", "NEAREST_BRIDGE", "SHORTEST", "Beacon", "pack"]

MAGIC = b"FNNb"
LINKD_MAGIC = b"FNNl"  # frames of fnn-linkd (node/linkd/frame.py), which beacons ignore
BROADCAST = b"\xff" * 6
NEAREST_BRIDGE = b"\x01\x80\xc2\x00\x00\x0e"
_NUMBER = struct.Struct("!I")


@dataclass(frozen=True)
class Beacon:
    """mac: "02:f0:00:00:00:00". sender: a random number of 32 bits that identifies one run of a process."""

    sender: int
    mac: str
    cluster: str
    node: str
    device: str
    number: int = 0


def pack(beacon: Beacon, source: str, seal: Seal, size: int = 0, destination: bytes = BROADCAST) -> bytes:
    """The whole frame, sent from the MAC `source`, of `size` octets at least."""
    names = b"".join(
        struct.pack("B", len(name)) + name.encode("ascii") for name in (beacon.cluster, beacon.node, beacon.device)
    )
    header = Header(MAGIC, beacon.sender, beacon.mac, source, format_mac(destination))
    return seal.close(header, names + _NUMBER.pack(beacon.number & 0xFFFFFFFF), size)


def unpack(frame: bytes) -> Beacon | None:
    """The beacon in a frame, authentic or not; None when it is not one of ours or is broken."""
    envelope = open_envelope(frame)
    return read_beacon(envelope) if envelope else None


def read_beacon(envelope: Envelope) -> Beacon | None:
    """The beacon in an envelope; None when it holds something else or is broken."""
    if envelope.magic != MAGIC:
        return None
    names, at, body = [], 0, envelope.body
    try:
        for _ in range(3):
            length = body[at]
            if at + 1 + length > len(body):
                return None
            names.append(body[at + 1 : at + 1 + length].decode("ascii"))
            at += 1 + length
        (number,) = _NUMBER.unpack_from(body, at)
    except (IndexError, UnicodeDecodeError, struct.error):
        return None
    return Beacon(envelope.sender, envelope.origin, names[0], names[1], names[2], number)
