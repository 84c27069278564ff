# SPDX-License-Identifier: GPL-3.0-or-later
"""The beacon frame: "I am this NIC of this node of this cluster", in raw Ethernet.

    octets  0-5   ff:ff:ff:ff:ff:ff, so that every NIC of the neighborhood hears it
            6-11  MAC the NIC sends from
           12-13  88 b5, the ethertype IEEE keeps for local experiments
           14-17  "FNNb"
           18     version, 1
           19-22  a random number of the sending process
           23-28  the MAC by which macs.json knows the NIC (the burnt-in one; a bond may send from another)
           29-    cluster, node, device: each an octet of length and ASCII
           padded with zeros to the shortest Ethernet payload, 46 octets

A receiver ignores versions it does not know. Standard library only and Python 3.9.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

ETHERTYPE = 0x88B5
MAGIC = b"FNNb"
VERSION = 1
LINKD_MAGIC = b"FNNl"  # frames of fnn-linkd (node/linkd/frame.py), which are none of a beacon's business
BROADCAST = b"\xff" * 6
_HEAD = struct.Struct("!6s6sH4sBI6s")
SHORTEST = 14 + 46


@dataclass(frozen=True)
class Beacon:
    """mac: "02:f0:00:00:00:00". sender: a random number of 32 bits that tells one run of a process apart."""

    sender: int
    mac: str
    cluster: str
    node: str
    device: str


def to_octets(mac: str) -> bytes:
    return bytes.fromhex(mac.replace(":", ""))


def spell_mac(octets: bytes) -> str:
    return ":".join(f"{octet:02x}" for octet in octets)


def pack(beacon: Beacon, source: str) -> bytes:
    """The whole frame, sent from the MAC `source`."""
    head = _HEAD.pack(BROADCAST, to_octets(source), ETHERTYPE, MAGIC, VERSION, beacon.sender, to_octets(beacon.mac))
    for name in (beacon.cluster, beacon.node, beacon.device):
        head += struct.pack("B", len(name)) + name.encode("ascii")
    return head.ljust(SHORTEST, b"\0")


def unpack(frame: bytes) -> Beacon | None:
    """The beacon in a frame; None when it is not one of ours or is broken."""
    if len(frame) < _HEAD.size:
        return None
    _, _, ethertype, magic, version, sender, mac = _HEAD.unpack_from(frame)
    if (ethertype, magic, version) != (ETHERTYPE, MAGIC, VERSION):
        return None
    names, at = [], _HEAD.size
    try:
        for _ in range(3):
            length = frame[at]
            if at + 1 + length > len(frame):
                return None
            names.append(frame[at + 1 : at + 1 + length].decode("ascii"))
            at += 1 + length
    except (IndexError, UnicodeDecodeError):
        return None
    return Beacon(sender, spell_mac(mac), *names)
