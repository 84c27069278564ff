# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node makes of a head's greetings, above all of those that circle in a loop."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.links.answer import Answerer
from ansible.module_utils.fnn.links.beacon import Ear, Pace, Station
from ansible.module_utils.fnn.links.control import Control, Letter
from ansible.module_utils.fnn.links.strangers import Crowd

HEAD, MAC = "02:aa:00:00:00:01", "02:f0:00:00:00:00"
HELLO = Letter(Control("hello", 5, HEAD, "six"), HEAD, "ff:ff:ff:ff:ff:ff")


@pytest.fixture
def ear() -> Iterator[Ear]:
    ours, other = socket.socketpair(type=socket.SOCK_DGRAM)
    yield Ear("nic0", MAC, b"", ours, Crowd(ours), Answerer("six", 7, MAC, MAC))
    ours.close()
    other.close()


@pytest.fixture
def station(ear: Ear, tmp_path: Path) -> Station:
    return Station("six", "k00", tmp_path / "heard", tmp_path / "lease", Pace(1.0), {"nic0": ear})


def test_a_head_that_greets_hushes_the_beacons(station: Station, ear: Ear) -> None:
    station.answer(ear, HELLO)
    assert station.hushed > 0
    assert not ear.loop


def test_a_loop_that_is_full_of_old_greetings_hushes_nobody(station: Station, ear: Ear) -> None:
    for _ in range(100):
        station.answer(ear, HELLO)
    assert ear.loop
    assert station.hushed == 0


def test_once_a_loop_is_known_what_circles_there_hushes_nobody(station: Station, ear: Ear) -> None:
    station.answer(ear, HELLO)
    station.note_loop(ear)
    station.answer(ear, HELLO)
    assert station.hushed == 0
