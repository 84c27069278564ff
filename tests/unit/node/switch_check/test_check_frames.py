# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/frames.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.node.switch_check.frames import (
    LLDP,
    MESSAGE_MAGIC,
    Content,
    Probe,
    invent_mac,
    make_pause,
    make_probe,
    read_probe,
    unwrap_message,
    wrap_message,
)
from ansible.module_utils.fnn.shared.frames.envelope import Header, Seal, open_envelope
from ansible.module_utils.fnn.shared.frames.switch_check import EXPERIMENTAL, IP

RUN, KEY = b"abcdefgh", "5e" * 32
ONE, OTHER = "02:f0:00:00:00:00", "02:f0:00:00:01:00"


@pytest.mark.parametrize("layer", [EXPERIMENTAL, IP, LLDP])
def test_a_probe_is_read_in_each_layer(layer: str) -> None:
    frame = make_probe(layer, (ONE, OTHER), Content(RUN, 7, 3))
    assert len(frame) >= 60
    assert read_probe(frame, RUN) == Probe(ONE, OTHER, 7, 3)
    assert read_probe(frame, b"another!") is None, "of another run"


@pytest.mark.parametrize("layer", [EXPERIMENTAL, IP])
def test_a_payload_has_the_size_asked_for(layer: str) -> None:
    assert len(make_probe(layer, (ONE, OTHER), Content(RUN, 7), 1500)) == 1514


def test_a_counted_probe_is_not_read() -> None:
    assert read_probe(make_probe(EXPERIMENTAL, (ONE, OTHER), Content(RUN, 7, counted=True)), RUN) is None


def test_the_packets_of_ip_are_valid_and_come_from_no_host() -> None:
    head = make_probe(IP, (ONE, OTHER), Content(RUN, 7), 100)[14:34]
    total = sum(int.from_bytes(head[at : at + 2], "big") for at in range(0, 20, 2))
    assert (total & 0xFFFF) + (total >> 16) == 0xFFFF  # a header with its checksum adds up to this
    assert head[2:4] == (100).to_bytes(2, "big")
    assert head[12:16] == bytes(4)
    assert head[16:20] == bytes((192, 0, 2, 1))


def test_lldp_has_the_tlvs_that_the_standard_requires() -> None:
    """IEEE 802.1AB, 8.2: chassis, port and time to live, in this order; others; the end."""
    text, found = make_probe(LLDP, (ONE, "01:80:c2:00:00:0e"), Content(RUN, 7))[14:], []
    while True:
        kind, length = text[0] >> 1, (text[0] & 1) << 8 | text[1]
        found.append((kind, length))
        if not kind:
            break
        text = text[2 + length :]
    assert found == [(1, 7), (2, 7), (3, 2), (127, 24), (0, 0)]


def test_a_message_passes_as_it_is_or_inside_of_ip() -> None:
    seal = Seal(KEY)
    sealed = seal.close(Header(MESSAGE_MAGIC, 1, ONE, ONE, OTHER), b'{"hello": true}')
    for layer in (EXPERIMENTAL, IP):
        frame = wrap_message(layer, sealed)
        assert unwrap_message(frame) == (layer, sealed)
        envelope = open_envelope(sealed)
        assert envelope is not None
        assert (envelope.origin, seal.find_fault(sealed)) == (ONE, None)


def test_a_message_whose_outer_source_was_rewritten_is_none() -> None:
    sealed = Seal(KEY).close(Header(MESSAGE_MAGIC, 1, ONE, ONE, OTHER), b"{}")
    frame = wrap_message(IP, sealed)
    assert unwrap_message(frame[:6] + b"\2\xbb\0\0\0\1" + frame[12:]) is None


def test_a_pause_frame_is_that_of_the_standard() -> None:
    frame = make_pause(ONE)
    assert frame[:6] == bytes.fromhex("0180c2000001")
    assert frame[12:18] == bytes.fromhex("88080001ffff")
    assert len(frame) == 60


def test_invented_addresses_differ_and_belong_to_no_maker() -> None:
    found = {invent_mac(4_000_000_000, index) for index in range(10_000)}
    assert len(found) == 10_000
    assert all(each.startswith("02:0b:") for each in found)
