# SPDX-License-Identifier: GPL-3.0-or-later
"""The authenticated envelope of all frames of verify: beacons (frame.py) and the relearn probe (control.py).

Without it any host on a wire could send a beacon in the name of any NIC, or one that it recorded in an earlier run, and
so make two separate switches appear joined. Each run of verify therefore has its own key: the controller makes it and
sends it to the nodes over SSH.

    octets  0-5   destination    6-11  source    12-13  88 b5    14-17  magic, the type of the body
           18     version, 2
           19-20  octets of the frame, the Ethernet header included; any after them are not ours
           21-28  the run, derived from its key
           29-32  a random number of the sending process
           33-36  sequence number, counted by process from 1
           37-42  the MAC of the NIC in macs.json (the burnt-in one; a bond may send from another)
           43-48  the source again, as it was sent
           49-64  authenticator: HMAC-SHA256 of all the rest but octets 6-11, its first 16 octets
           65-    body, padded with zeros

If the source alone differs, a switch or a repeater has rewritten it; otherwise the frame is forged. The anti-replay
window of RFC 4303 (`Window`) refuses frames received before, so a frame repeated on a wire is no fresh evidence.

Not defended: a host that relays frames between two switches at once, in both directions, is a cable between them for
every purpose; the first replay on a wire that never had the original; root on a node of the run.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import hmac
import secrets
import struct
from dataclasses import dataclass

from ..mac import format_mac, to_octets

ETHERTYPE = 0x88B5
VERSION = 2
SHORTEST = 14 + 46
BODY = 65
_HEAD = struct.Struct("!6s6sH4sBH8sII6s6s16s")
_TAG = slice(49, 65)
_KEY_OCTETS = 32
_WINDOW = 1024  # sequence numbers that may arrive out of order

#: Why a frame is refused: of another run, a wrong authenticator, a source that was rewritten, received before.
ANOTHER_RUN, FORGED, REWRITTEN, REPEATED = "run", "authenticator", "source", "repeated"


@dataclass(frozen=True)
class Header:
    """Sender and receiver of a frame. origin, source, destination: MACs, as above."""

    magic: bytes
    sender: int
    origin: str
    source: str
    destination: str


@dataclass(frozen=True)
class Envelope(Header):
    """The content of a received frame. length: octets of the frame."""

    sequence: int
    length: int
    body: bytes


class Seal:
    """The key of a run, and the sequence numbers of one process."""

    def __init__(self, key: str) -> None:
        """key: as `make_key` gives it. Raises ValueError."""
        self._key = read_key(key)
        self.run = hmac.digest(self._key, b"run", "sha256")[:8]
        self.sequence = 0

    def close(self, header: Header, body: bytes, size: int = 0) -> bytes:
        """The whole frame, of `size` octets at least."""
        self.sequence += 1
        length = max(size, SHORTEST, BODY + len(body))
        head = _HEAD.pack(
            to_octets(header.destination),
            to_octets(header.source),
            ETHERTYPE,
            header.magic,
            VERSION,
            length,
            self.run,
            header.sender,
            self.sequence & 0xFFFFFFFF,
            to_octets(header.origin),
            to_octets(header.source),
            bytes(16),
        )
        frame = bytearray((head + body).ljust(length, b"\0"))
        frame[_TAG] = self._authenticate(frame)
        return bytes(frame)

    def find_fault(self, frame: bytes) -> str | None:
        """Why a frame that `open_envelope` reads is not of this run; None where it is."""
        if frame[21:29] != self.run:
            return ANOTHER_RUN
        (length,) = struct.unpack_from("!H", frame, 19)
        if not hmac.compare_digest(self._authenticate(frame[:length]), bytes(frame[_TAG])):
            return FORGED
        return REWRITTEN if frame[6:12] != frame[43:49] else None

    def _authenticate(self, frame: bytes | bytearray) -> bytes:
        signed = bytes(frame[:6]) + bytes(frame[12:49]) + bytes(frame[65:])
        return hmac.digest(self._key, signed, "sha256")[:16]


class Window:
    """Anti-replay window: which sequence numbers of one sender were received."""

    def __init__(self) -> None:
        self.highest = 0
        self._seen = 0  # bit i: highest - i

    def take(self, sequence: int) -> bool:
        """Whether a number is new; then it counts as received."""
        ahead = sequence - self.highest
        if ahead > 0:
            self._seen = ((self._seen << min(ahead, _WINDOW)) | 1) & ((1 << _WINDOW) - 1)
            self.highest = sequence
            return True
        if -ahead >= _WINDOW or self._seen >> -ahead & 1:
            return False
        self._seen |= 1 << -ahead
        return True


def make_key() -> str:
    """A new key, as 64 hexadecimal digits."""
    return secrets.token_hex(_KEY_OCTETS)


def read_key(key: str) -> bytes:
    """Raises ValueError for an invalid key; the message does not repeat it."""
    try:
        octets = bytes.fromhex(key)
    except ValueError:
        octets = b""
    if len(octets) != _KEY_OCTETS:
        raise ValueError(f"expected {2 * _KEY_OCTETS} hexadecimal digits, not {len(key)} characters")
    return octets


def open_envelope(frame: bytes) -> Envelope | None:
    """The envelope in a frame, authentic or not; None for another or truncated frame."""
    if len(frame) < BODY:
        return None
    to, source, ethertype, magic, version, length, _, sender, sequence, origin, _, _ = _HEAD.unpack_from(frame)
    if (ethertype, version) != (ETHERTYPE, VERSION) or not BODY <= length <= len(frame):
        return None
    macs = (format_mac(origin), format_mac(source), format_mac(to))
    return Envelope(magic, sender, *macs, sequence, length, bytes(frame[BODY:length]))
