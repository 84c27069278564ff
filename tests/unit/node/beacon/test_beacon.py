# SPDX-License-Identifier: GPL-3.0-or-later
"""How a node treats received frames: beacons, forged frames, and greetings, above all those that circle in a loop."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.beacon.answer import Answerer
from ansible.module_utils.fnn.node.beacon.beacon import BeaconNic, Pace, Station
from ansible.module_utils.fnn.node.beacon.strangers import SenderLog
from ansible.module_utils.fnn.shared.frames.control import Control, pack_control
from ansible.module_utils.fnn.shared.frames.envelope import Seal, make_key
from ansible.module_utils.fnn.shared.frames.frame import Beacon, pack

KEY = make_key()
HEAD, MAC, OTHER = "02:aa:00:00:00:01", "02:f0:00:00:00:00", "02:f0:00:00:01:00"
BROADCAST = "ff:ff:ff:ff:ff:ff"


@pytest.fixture
def nic() -> Iterator[BeaconNic]:
    ours, other = socket.socketpair(type=socket.SOCK_DGRAM)
    seal = Seal(KEY)
    yield BeaconNic(
        Beacon(7, MAC, "six", "k00", "nic0"), seal, ours, SenderLog(ours), Answerer("six", 7, MAC, MAC, seal)
    )
    ours.close()
    other.close()


@pytest.fixture
def station(nic: BeaconNic, tmp_path: Path) -> Station:
    made = Station("six", "k00", KEY, tmp_path / "heard", tmp_path / "lease", Pace(1.0), {"nic0": nic})
    made.sender = 7
    return made


def greet(key: str = KEY) -> bytes:
    return pack_control(Control("hello", 5, HEAD, "six"), HEAD, BROADCAST, Seal(key))


def speak(seal: Seal, mac: str = OTHER, source: str = OTHER, sender: int = 8) -> bytes:
    return pack(Beacon(sender, mac, "six", "k01", "nic0"), source, seal)


def forge(frame: bytes, at: int, octets: bytes) -> bytes:
    return frame[:at] + octets + frame[at + len(octets) :]


def refused(nic: BeaconNic) -> list[tuple[str, str, int]]:
    return [(each["source"], each["reason"], each["frames"]) for each in nic.unknown.describe()]


@pytest.mark.parametrize(("least", "seconds"), [(0.0, 0.04), (0.8, 0.8), (2.0, 2.0)])
def test_beacons_are_as_rare_as_a_switch_that_limits_broadcasts_needs(
    station: Station, least: float, seconds: float
) -> None:
    station.pace = replace(station.pace, least=least)
    assert station.choose_interval() == seconds


# --- Lease ---


@pytest.mark.parametrize("jump", [-86_400, 86_400])
def test_a_wall_clock_that_jumps_by_a_day_neither_ends_nor_stretches_the_lease(
    station: Station, jump: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    station.lease.touch()
    touched = station.lease.stat().st_mtime
    os.utime(station.lease, (touched + jump, touched + jump))
    clock = iter([100.0, 101.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    assert station.read_lease() == 100
    assert station.read_lease() == 100, "not touched again"
    os.utime(station.lease, (touched, touched))
    assert station.read_lease() == 101
    station.lease.unlink()
    assert station.read_lease() == 101


# --- Greetings ---


def test_a_hello_of_the_head_pauses_the_beacons(station: Station, nic: BeaconNic) -> None:
    station.take(nic, greet())
    assert station.paused_until > 0
    assert not nic.loop


def test_repeated_hellos_in_a_loop_pause_no_beacons(station: Station, nic: BeaconNic) -> None:
    hello = greet()
    for _ in range(100):
        station.take(nic, hello)
    assert nic.loop
    assert station.paused_until == 0


def test_hellos_on_a_nic_with_a_known_loop_pause_no_beacons(station: Station, nic: BeaconNic) -> None:
    station.take(nic, greet())
    station.note_loop(nic)
    station.take(nic, greet())
    assert station.paused_until == 0


def test_a_hello_of_another_run_pauses_no_beacons(station: Station, nic: BeaconNic) -> None:
    station.take(nic, greet(make_key()))
    assert station.paused_until == 0
    assert refused(nic) == [(HEAD, "run", 1)]


# --- Beacons ---


def test_an_authentic_beacon_is_heard(station: Station, nic: BeaconNic) -> None:
    station.take(nic, speak(Seal(KEY)))
    assert list(nic.hears) == [OTHER]
    assert refused(nic) == []


def test_a_beacon_that_is_heard_twice_is_no_fresh_evidence(station: Station, nic: BeaconNic) -> None:
    frame = speak(Seal(KEY))
    station.take(nic, frame)
    nic.hears.clear()  # as if the entry had been removed
    station.take(nic, frame)
    assert list(nic.hears) == []
    assert refused(nic) == [(OTHER, "repeated", 1)]


def test_beacons_out_of_order_are_heard(station: Station, nic: BeaconNic) -> None:
    seal = Seal(KEY)
    frames = [speak(seal) for _ in range(5)]
    for frame in reversed(frames):
        station.take(nic, frame)
    assert refused(nic) == []


def test_two_nics_of_one_node_with_one_mac_repeat_nothing(station: Station, nic: BeaconNic) -> None:
    """They share a process and its sequence numbers."""
    seal = Seal(KEY)
    for number in range(10):
        station.take(nic, pack(Beacon(8, OTHER, "six", "k01", f"nic{number % 2}"), OTHER, seal))
    assert refused(nic) == []


@pytest.mark.parametrize(
    ("frame", "source", "reason"),
    [
        pytest.param(speak(Seal(make_key())), OTHER, "run", id="recorded in another run, or made with another key"),
        pytest.param(forge(speak(Seal(KEY)), 37, b"\x02\xf0\x00\x00\x02\x00"), OTHER, "authenticator", id="MAC"),
        pytest.param(forge(speak(Seal(KEY)), 33, b"\0\0\xff\xff"), OTHER, "authenticator", id="sequence number"),
        pytest.param(forge(speak(Seal(KEY)), 71, b"9"), OTHER, "authenticator", id="node"),
        pytest.param(forge(speak(Seal(KEY)), 49, bytes(16)), OTHER, "authenticator", id="no authenticator"),
        pytest.param(forge(speak(Seal(KEY)), 6, b"\x02\xbb\0\0\0\1"), "02:bb:00:00:00:01", "source", id="source"),
    ],
)
def test_a_forged_beacon_is_counted_and_is_evidence_of_nothing(
    station: Station, nic: BeaconNic, frame: bytes, source: str, reason: str
) -> None:
    station.take(nic, frame)
    assert (list(nic.hears), station.sources, nic.loop) == ([], set(), False)
    assert refused(nic) == [(source, reason, 1)]


def test_our_own_forged_beacon_is_no_loop(station: Station, nic: BeaconNic) -> None:
    station.take(nic, forge(nic.pack(), 49, bytes(16)))
    assert not nic.loop
    station.take(nic, nic.pack())
    assert nic.loop


def test_a_flood_of_different_forged_frames_is_no_loop_and_takes_little_memory(
    station: Station, nic: BeaconNic
) -> None:
    frame = speak(Seal(KEY))
    for number in range(2000):
        station.take(nic, forge(frame, 6, number.to_bytes(6, "big")))
    assert not nic.loop
    assert len(nic.unknown.describe()) == 16


def test_a_claim_that_is_no_name_is_left_out(station: Station, nic: BeaconNic) -> None:
    station.take(nic, pack(Beacon(8, OTHER, "six", "k01", "nic0"), OTHER, Seal(make_key())))
    station.take(nic, pack(Beacon(8, MAC, "six", "\x1b[31m", "nic0"), MAC, Seal(make_key())))
    assert [each["claims"] for each in nic.unknown.describe()] == [None, "k01 nic0"]


def test_beacons_of_another_cluster_are_counted_apart(station: Station, nic: BeaconNic) -> None:
    station.take(nic, pack(Beacon(8, OTHER, "seven", "k01", "nic0"), OTHER, Seal(KEY)))
    station.take(nic, b"\xff" * 60)
    assert station.foreign == 2
    assert refused(nic) == []
