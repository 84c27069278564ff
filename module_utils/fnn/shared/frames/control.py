# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of the relearn probe (head/relearn/relearn.py): a head asks, the NICs that send beacons answer.

They are in an authenticated envelope (envelope.py) with the magic "FNNr"; its origin is the NIC that sends it, for the
head its own MAC. The body:

    octet   0     the kind, an index into KINDS
            1-4   the number of its trial; for here, the number of the NIC on its node
            5-10  another MAC, where the kind needs one
           11     1 for yes
           12-    cluster: an octet of length and ASCII

A receiver ignores unknown versions and kinds. Standard library only and Python 3.9.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ..mac import format_mac, to_octets
from .envelope import Envelope, Header, Seal, open_envelope

MAGIC = b"FNNr"
#: hello   head -> all     who is there?                          here    NIC -> head   I am
#: order   fake -> X       send tell from fake MAC to `other`     tell    fake -> Y     (teaches where the fake MAC is)
#: heard   Y -> head       tell reached me                        call    head -> fake  (where does it arrive?)
#: ask     head -> X       did call reach you?                    answer  X -> head     yes or no
#: stray   NIC -> head     a call reached me that was not for me
KINDS = ("hello", "here", "order", "tell", "heard", "call", "ask", "answer", "stray")
#: The prefix of fake MACs: locally administered, and used by no NIC of a lab.
FAKE = "02:0b:"
_BODY = struct.Struct("!BI6sB")
_NO_MAC = "00:00:00:00:00:00"


@dataclass(frozen=True)
class Control:
    """A control message. sender: a random number of 32 bits that identifies one run of a process."""

    kind: str
    sender: int
    origin: str
    cluster: str
    tag: int = 0
    other: str = _NO_MAC
    yes: bool = False


@dataclass(frozen=True)
class Message:
    """A control with the MACs of its frame."""

    control: Control
    source: str
    destination: str


def pack_control(control: Control, source: str, destination: str, seal: Seal) -> bytes:
    """The whole frame."""
    body = _BODY.pack(KINDS.index(control.kind), control.tag, to_octets(control.other), control.yes)
    name = control.cluster.encode("ascii")
    body += struct.pack("B", len(name)) + name
    return seal.close(Header(MAGIC, control.sender, control.origin, source, destination), body)


def unpack_control(frame: bytes) -> Message | None:
    """The message in a frame, authentic or not; None for another or broken frame."""
    envelope = open_envelope(frame)
    return read_control(envelope) if envelope else None


def read_control(envelope: Envelope) -> Message | None:
    """The message in an envelope; None when it holds something else or is broken."""
    body = envelope.body
    if envelope.magic != MAGIC or len(body) <= _BODY.size:
        return None
    kind, tag, other, yes = _BODY.unpack_from(body)
    length, name = body[_BODY.size], body[_BODY.size + 1 :]
    if kind >= len(KINDS) or length > len(name):
        return None
    try:
        cluster = name[:length].decode("ascii")
    except UnicodeDecodeError:
        return None
    control = Control(KINDS[kind], envelope.sender, envelope.origin, cluster, tag, format_mac(other), bool(yes))
    return Message(control, envelope.source, envelope.destination)
