# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of the switch check: probes, which a switch forwards or not, and messages between the stations.

A switch may treat frames by their EtherType or destination, so there are three layers:

    experimental   EtherType 0x88B5, as all other frames of the toolkit           content at octet 14
    ip             IPv4 and UDP from 0.0.0.0 to 192.0.2.1 (RFC 5737)              content at octet 42
    lldp           EtherType 0x88CC, an LLDPDU; the content is in its last TLV    content at octet 42

A host drops the packets of `ip`: 0.0.0.0 is the source of no packet that it forwards or answers.

The content of a probe, which has no authenticator, as the kernel counts it at line rate:

    octets  0-3    "FNNp" if the station reads the probe, "FNNq" if the kernel counts it (counters.py)
            4-11   the run, derived from its key
           12-15   the number of the test
           16-19   the index of the probe in its test

The content of a message is a sealed frame (shared/frames/envelope.py): as it is, or whole behind the UDP header.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ...shared.frames.control import FAKE
from ...shared.frames.frame import BROADCAST, ETHERTYPE, SHORTEST
from ...shared.frames.switch_check import EXPERIMENTAL, IP
from ...shared.mac import format_mac, to_octets
from ...shared.packet import compute_checksum

LLDP = "lldp"
BROADCAST_MAC = format_mac(BROADCAST)
PAUSE_ADDRESS = "01:80:c2:00:00:01"
READ, COUNTED = b"FNNp", b"FNNq"
MESSAGE_MAGIC = b"FNNs"
_INVENTED = to_octets(FAKE)  # of the addresses of no host, as in the relearn probe

CONTENT = {EXPERIMENTAL: 14, IP: 42, LLDP: 42}
_CONTENT_OCTETS = 20
_IP_ETHERTYPE, _LLDP_ETHERTYPE, _CONTROL_ETHERTYPE = 0x0800, 0x88CC, 0x8808
ETHERTYPES = {EXPERIMENTAL: ETHERTYPE, IP: _IP_ETHERTYPE, LLDP: _LLDP_ETHERTYPE}
_DISCARD = 9  # the UDP port (RFC 863)
_TO = b"\xc0\x00\x02\x01"
TO_NUMBER = int.from_bytes(_TO, "big")
_QUANTA = 0xFFFF  # of 512 bit times each (IEEE 802.3, annex 31B)


@dataclass(frozen=True)
class Probe:
    """The content of a received probe."""

    source: str
    destination: str
    test: int
    index: int


@dataclass(frozen=True)
class Content:
    """Of a probe. counted: by the kernel of the receiver, not read by its station."""

    run: bytes
    test: int
    index: int = 0
    counted: bool = False

    def pack(self) -> bytes:
        return (COUNTED if self.counted else READ) + self.run + struct.pack("!II", self.test, self.index)


def make_probe(layer: str, ends: tuple[str, str], content: Content, size: int = 0) -> bytes:
    """ends: source and destination. size: octets of the payload at least; short frames are padded."""
    packed, payload = content.pack(), max(size, SHORTEST - 14)
    if layer == IP:
        payload = max(payload, 28 + _CONTENT_OCTETS)
        packed = _make_ip_header(payload) + packed
    elif layer == LLDP:
        packed = _make_lldpdu(ends[0], packed)
    header = to_octets(ends[1]) + to_octets(ends[0]) + struct.pack("!H", ETHERTYPES[layer])
    return header + packed.ljust(payload, b"\0")


def _make_ip_header(length: int) -> bytes:
    """The headers of an IPv4 packet of so many octets."""
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, length, 0, 0, 1, 17, 0, bytes(4), _TO)
    head = head[:10] + struct.pack("!H", compute_checksum(head)) + head[12:]
    return head + struct.pack("!HHHH", _DISCARD, _DISCARD, length - 20, 0)


def _make_lldpdu(source: str, content: bytes) -> bytes:
    """Chassis, port, a time to live of one second, and an organizationally specific TLV (IEEE 802.1AB, 8.4 and 8.6)."""
    mac = to_octets(source)
    chassis, port = (struct.pack("!HB", kind << 9 | 7, subtype) + mac for kind, subtype in ((1, 4), (2, 3)))
    lifetime = struct.pack("!HH", 3 << 9 | 2, 1)
    ours = struct.pack("!H", 127 << 9 | 4 + len(content)) + _INVENTED + b"\0\1" + content
    return chassis + port + lifetime + ours + b"\0\0"


def make_pause(source: str) -> bytes:
    """A frame that asks the other end of the link to pause as long as possible (IEEE 802.3, annex 31B)."""
    header = to_octets(PAUSE_ADDRESS) + to_octets(source) + struct.pack("!HHH", _CONTROL_ETHERTYPE, 1, _QUANTA)
    return header.ljust(SHORTEST, b"\0")


def read_probe(frame: bytes, run: bytes) -> Probe | None:
    """The probe in a frame; None for other frames, and those of another run."""
    layer = find_layer(frame)
    if layer is None:
        return None
    content = frame[CONTENT[layer] : CONTENT[layer] + _CONTENT_OCTETS]
    if len(content) < _CONTENT_OCTETS or content[:4] != READ or content[4:12] != run:
        return None
    test, index = struct.unpack_from("!II", content, 12)
    return Probe(format_mac(frame[6:12]), format_mac(frame[:6]), test, index)


def find_layer(frame: bytes) -> str | None:
    (ethertype,) = struct.unpack_from("!H", frame.ljust(14, b"\0"), 12)
    return next((layer for layer, each in ETHERTYPES.items() if each == ethertype), None)


def wrap_message(layer: str, sealed: bytes) -> bytes:
    """A sealed frame as the frame of a layer."""
    if layer == EXPERIMENTAL:
        return sealed
    payload = 28 + len(sealed)
    return sealed[:12] + struct.pack("!H", _IP_ETHERTYPE) + _make_ip_header(payload) + sealed


def unwrap_message(frame: bytes) -> tuple[str, bytes] | None:
    """The layer of a message and its sealed frame; None for other frames."""
    layer = find_layer(frame)
    if layer == EXPERIMENTAL:
        return (layer, frame) if frame[14:18] == MESSAGE_MAGIC else None
    if layer == IP:
        sealed = frame[CONTENT[IP] :]
        # A switch that rewrites the outer addresses must not pass unnoticed.
        return (layer, sealed) if sealed[14:18] == MESSAGE_MAGIC and sealed[:12] == frame[:12] else None
    return None


def invent_mac(base: int, index: int) -> str:
    """The invented address of a number. The addresses of a base are spread, as a switch hashes them (Knuth, 6.4)."""
    return format_mac(_INVENTED + ((base + index * 2654435761) & 0xFFFFFFFF).to_bytes(4, "big"))
