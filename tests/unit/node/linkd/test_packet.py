# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/shared/packet.py: headers of received frames: complete, truncated and inconsistent."""

from __future__ import annotations

import struct
from dataclasses import asdict

import pytest
from ansible.module_utils.fnn.node.linkd.echo import format_request
from ansible.module_utils.fnn.shared.packet import REQUEST, read_arp, read_echo, read_packet

FRAME = format_request("02:f0:00:00:00:00", "02:f0:00:00:01:00", "10.78.0.1", "10.78.0.2", 0x1234)
ARP = FRAME[:12] + bytes.fromhex("0806000108000604000102f0000000000a4e00010000000000000a4e0002")
LIMIT = 2048


def change(at: int, octets: bytes, frame: bytes = FRAME) -> bytes:
    return frame[:at] + octets + frame[at + len(octets) :]


@pytest.mark.parametrize("padding", [b"", b"\xff" * 9])
def test_an_echo_ends_with_its_packet_and_not_with_the_frame(padding: bytes) -> None:
    echo = read_echo(FRAME + padding, LIMIT)
    assert echo
    assert asdict(echo) == {
        "kind": REQUEST, "identifier": 0x1234, "source": "10.78.0.1", "target": "10.78.0.2", "data": b"fnn-linkd",
    }  # fmt: skip


def test_options_of_the_header_are_skipped() -> None:
    longer = change(14, b"\x46", FRAME[:34] + b"\1\1\1\0" + FRAME[34:])
    total = struct.pack("!H", len(longer) - 14)
    assert read_echo(change(16, total, longer), LIMIT) == read_echo(FRAME, LIMIT)


@pytest.mark.parametrize("length", range(len(FRAME)))
def test_a_packet_that_is_cut_off_is_none_unless_the_reader_cut_it(length: int) -> None:
    assert read_packet(FRAME[:length], LIMIT) is None
    assert (read_packet(FRAME[:length], length) is not None) == (length >= 34)
    assert (read_echo(FRAME[:length], length) is not None) == (length >= 42)


@pytest.mark.parametrize(
    ("at", "octets"),
    [
        (12, b"\x86\xdd"),  # the ethertype
        (14, b"\x65"),  # the version
        (14, b"\x44"),  # four words
        (14, b"\x4f"),  # more words than the packet has
        (16, b"\x00\x13"),  # a packet shorter than its header
        (16, b"\x00\x1b"),  # than its ICMP header
        (16, b"\x05\xdc"),  # longer than the frame
        (20, b"\x20\x01"),  # a later fragment
        (23, b"\x11"),  # UDP
        (34, b"\x03"),  # destination unreachable
        (35, b"\x01"),  # a code
    ],
)
def test_a_frame_whose_headers_contradict_one_another_is_no_echo(at: int, octets: bytes) -> None:
    assert read_echo(change(at, octets), LIMIT) is None


def test_arp_has_two_addresses_and_may_be_padded() -> None:
    assert read_arp(ARP) == read_arp(ARP + bytes(18)) == ("10.78.0.1", "10.78.0.2")


@pytest.mark.parametrize(
    "frame",
    [
        *(ARP[:length] for length in range(len(ARP))),
        change(14, b"\x00\x06", ARP),
        change(16, b"\x86\xdd", ARP),
        change(18, b"\x08", ARP),
        change(19, b"\x10", ARP),
    ],
)
def test_arp_of_other_lengths_and_kinds_has_none(frame: bytes) -> None:
    assert read_arp(frame) is None
