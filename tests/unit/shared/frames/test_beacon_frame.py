# SPDX-License-Identifier: GPL-3.0-or-later
"""The beacon frame survives packing and unpacking, and frames that are not ours are rejected."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.shared.frames.envelope import Seal, make_key
from ansible.module_utils.fnn.shared.frames.frame import Beacon, pack, unpack

SEAL = Seal(make_key())
BEACON = Beacon(0xDEADBEEF, "02:f0:00:00:00:01", "six", "k00", "nic1")


def test_a_beacon_comes_out_as_it_went_in() -> None:
    assert unpack(pack(BEACON, "02:aa:00:00:00:01", SEAL)) == BEACON


def test_the_shortest_frame_is_a_legal_ethernet_frame() -> None:
    frame = pack(Beacon(1, BEACON.mac, "a", "b", "c"), BEACON.mac, SEAL)
    assert len(frame) == 75
    assert frame[:14].hex() == "ffffffffffff" + "02f000000001" + "88b5"


def test_a_long_frame_has_the_size_that_was_asked_for() -> None:
    frame = pack(BEACON, BEACON.mac, SEAL, 9014)
    assert len(frame) == 9014
    assert unpack(frame) == BEACON


def test_longest_names_fit() -> None:
    beacon = Beacon(1, BEACON.mac, "c" * 32, "n" * 15, "d" * 15)
    assert unpack(pack(beacon, BEACON.mac, SEAL)) == beacon


@pytest.mark.parametrize(
    ("at", "octet", "what"),
    [
        (12, 0x08, "another ethertype"),
        (14, 0x58, "another magic"),
        (18, 1, "another version"),
        (65, 200, "a name too long"),
        (19, 200, "a frame too long"),
    ],
)
def test_other_frames_are_no_beacons(at: int, octet: int, what: str) -> None:
    frame = bytearray(pack(BEACON, BEACON.mac, SEAL))
    frame[at] = octet
    assert unpack(bytes(frame)) is None, what


def test_cut_frames_are_none() -> None:
    frame = pack(BEACON, BEACON.mac, SEAL)
    assert all(unpack(frame[:length]) is None for length in range(len(frame)))
