# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of the relearn probe (relearn.py): a head station asks, the NICs that send beacons answer.

    octets  0-5   whom it is for          6-11  the MAC it is sent from          12-13  88 b5
           14-17  "FNNr"
           18     version, 1
           19     what is said, a number of KINDS
           20-23  a random number of the sending process
           24-27  the trial it belongs to
           28-33  the MAC by which macs.json knows the NIC that says it; of the head, its own
           34-39  another MAC, where the kind needs one
           40     1 for yes
           41-    cluster: an octet of length and ASCII
           padded with zeros to the shortest Ethernet frame

A receiver ignores versions and kinds it does not know. Standard library only and Python 3.9.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from .frame import ETHERTYPE, SHORTEST, spell_mac, to_octets

MAGIC = b"FNNr"
VERSION = 1
#: hello   head -> all     who is there?                          here    NIC -> head   I am
#: order   fake -> X       say tell from this fake MAC to `other` tell    fake -> Y     (teaches where the fake MAC is)
#: heard   Y -> head       tell reached me                        call    head -> fake  (where does it arrive?)
#: ask     head -> X       did call reach you?                    answer  X -> head     yes or no
#: stray   NIC -> head     a call reached me that was not for me
KINDS = ("hello", "here", "order", "tell", "heard", "call", "ask", "answer", "stray")
#: Fake MACs begin so: locally administered, and no NIC of a lab.
FAKE = "02:0b:"
_HEAD = struct.Struct("!6s6sH4sBBII6s6sB")
_NOBODY = "00:00:00:00:00:00"


@dataclass(frozen=True)
class Control:
    """What is said. sender: a random number of 32 bits that tells one run of a process apart."""

    kind: str
    sender: int
    origin: str
    cluster: str
    tag: int = 0
    other: str = _NOBODY
    yes: bool = False


@dataclass(frozen=True)
class Letter:
    """A control with the MACs of its frame."""

    control: Control
    source: str
    destination: str


def pack_control(control: Control, source: str, destination: str) -> bytes:
    """The whole frame."""
    head = _HEAD.pack(
        to_octets(destination),
        to_octets(source),
        ETHERTYPE,
        MAGIC,
        VERSION,
        KINDS.index(control.kind),
        control.sender,
        control.tag,
        to_octets(control.origin),
        to_octets(control.other),
        control.yes,
    )
    name = control.cluster.encode("ascii")
    return (head + struct.pack("B", len(name)) + name).ljust(SHORTEST, b"\0")


def unpack_control(frame: bytes) -> Letter | None:
    """What a frame says; None when it is not one of these or is broken."""
    if len(frame) <= _HEAD.size or frame[14:18] != MAGIC:
        return None
    to, source, ethertype, _, version, kind, sender, tag, origin, other, yes = _HEAD.unpack_from(frame)
    length, name = frame[_HEAD.size], frame[_HEAD.size + 1 :]
    if (ethertype, version) != (ETHERTYPE, VERSION) or kind >= len(KINDS) or length > len(name):
        return None
    try:
        cluster = name[:length].decode("ascii")
    except UnicodeDecodeError:
        return None
    control = Control(KINDS[kind], sender, spell_mac(origin), cluster, tag, spell_mac(other), bool(yes))
    return Letter(control, spell_mac(source), spell_mac(to))
