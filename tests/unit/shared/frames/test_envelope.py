# SPDX-License-Identifier: GPL-3.0-or-later
"""The envelope of frames: which frames are authentic, and which sequence numbers are new."""

from __future__ import annotations

import random

import pytest
from ansible.module_utils.fnn.shared.frames.envelope import (
    BODY,
    Header,
    Seal,
    Window,
    make_key,
    open_envelope,
    read_key,
)
from ansible.module_utils.fnn.shared.frames.storm import Storm

KEY = make_key()
HEADER = Header(b"FNNb", 0xDEADBEEF, "02:f0:00:00:00:01", "02:aa:00:00:00:01", "ff:ff:ff:ff:ff:ff")


def test_an_envelope_comes_out_as_it_went_in() -> None:
    frame = Seal(KEY).close(HEADER, b"body")
    envelope = open_envelope(frame)
    assert envelope is not None
    assert (envelope.magic, envelope.sender, envelope.origin) == (b"FNNb", 0xDEADBEEF, "02:f0:00:00:00:01")
    assert (envelope.source, envelope.destination) == ("02:aa:00:00:00:01", "ff:ff:ff:ff:ff:ff")
    assert (envelope.sequence, envelope.length, envelope.body) == (1, BODY + 4, b"body")


def test_octets_after_the_frame_are_ignored() -> None:
    frame = Seal(KEY).close(HEADER, b"body") + b"trailer of a driver"
    envelope = open_envelope(frame)
    assert envelope is not None
    assert (envelope.body, Seal(KEY).find_fault(frame)) == (b"body", None)


def test_every_octet_is_authenticated() -> None:
    frame = Seal(KEY).close(HEADER, b"body")
    for at in range(len(frame)):
        changed = frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]
        assert open_envelope(changed) is None or Seal(KEY).find_fault(changed), at


def test_random_octets_are_no_envelope_and_raise_nothing() -> None:
    dice = random.Random(1)
    frame = Seal(KEY).close(HEADER, b"body")
    for _ in range(20000):
        changed = bytearray(frame[: dice.randrange(len(frame) + 1)])
        for _ in range(dice.randrange(6)):
            if changed:
                changed[dice.randrange(len(changed))] = dice.randrange(256)
        if changed != frame and open_envelope(bytes(changed)):
            assert Seal(KEY).find_fault(bytes(changed))


@pytest.mark.parametrize("key", ["", "5e", "5e" * 31, "5e" * 33, "zz" * 32, "é" * 64])
def test_an_invalid_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=f"^expected 64 hexadecimal digits, not {len(key)} characters$"):
        read_key(key)


def test_a_window_takes_each_number_once() -> None:
    window = Window()
    assert [window.take(number) for number in (5, 5, 3, 4, 3, 6)] == [True, False, True, True, False, True]
    assert window.take(2000)
    assert not window.take(6), "too old to be known"
    assert window.take(1999)


def test_a_window_accepts_the_same_numbers_as_a_set() -> None:
    dice, window, seen, highest = random.Random(2), Window(), set(), 0
    for _ in range(20000):
        number = max(1, highest + dice.randint(-1100, 20))
        expected = number not in seen and number > highest - 1024
        assert window.take(number) is expected
        seen.add(number)
        highest = max(highest, number)


def test_equal_frames_that_come_again_and_again_are_a_storm_and_others_are_none() -> None:
    same, other = Storm(), Storm()
    assert [same.take(b"frame", 0.001 * number) for number in range(60)].index(True) == 41
    assert not any(other.take(str(number).encode(), 0.001 * number) for number in range(10000))
    slow = Storm()
    assert not any(slow.take(b"frame", 0.2 * number) for number in range(10000)), "five a second"
