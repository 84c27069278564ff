# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check: steps and session, with interrupts, closed ports and other hosts on the switch.

tests/kernel/test_switch_check_kernel.py has a switch.
"""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.switch_check.coordinator import Coordinator, NoAnswerError, StepError
from ansible.module_utils.fnn.node.switch_check.session import serve_step
from ansible.module_utils.fnn.node.switch_check.station import Peer, Station
from ansible.module_utils.fnn.node.switch_check.steps import moves, pause, sizes, storm
from waiting import read_clock

OWN, OTHER, THIRD = "02:f0:00:00:00:00", "02:f0:00:00:01:00", "02:f0:00:00:02:00"


@pytest.fixture
def station(tmp_path: Path) -> Station:
    made = Station("nic0", OWN, "5e" * 32, tmp_path / "received", 100.0)
    made.peers = {mac: Peer(mac) for mac in (OTHER, THIRD)}
    return made


def test_a_module_that_was_killed_before_it_asked_ends_no_station(station: Station) -> None:
    ours, other = socket.socketpair()
    other.close()
    with ours:
        serve_step(station, ours)
    assert not station.coordinates


def test_a_step_with_a_station_that_was_never_received_has_no_result(station: Station) -> None:
    ours, other = socket.socketpair()
    with ours, other:
        other.sendall(b'{"step": "sizes", "macs": ["' + OWN.encode() + b'", "02:f0:00:00:09:00"], "seconds": 5}\n')
        serve_step(station, ours)
        assert other.recv(4096) == b'{"error": "nothing received from 02:f0:00:00:09:00"}\n'


def test_an_interrupted_step_does_not_wait_for_links_to_negotiate(station: Station) -> None:
    coordinator = Coordinator(station, [OWN, OTHER], deadline=time.monotonic() - 1)
    began = read_clock()
    with pytest.raises(StepError, match="the time was over"):
        sizes.raise_mtus(coordinator, {OWN: 1500})
    assert read_clock() - began < 1


def test_a_port_that_is_switched_off_by_moves_is_a_result(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard against addresses that move may do so; then the station behind the port does not answer."""

    def lose(*_: Any) -> bool:
        raise NoAnswerError(f"{OTHER} does not answer any more")

    monkeypatch.setattr(moves, "measure_move", lambda _: 0.001)
    monkeypatch.setattr(moves, "flap", lose)
    monkeypatch.setattr(moves, "answers", lambda _, mac: mac != OTHER)
    found = moves.measure_moves(Coordinator(station, [OWN, OTHER, THIRD]), {})
    assert (found["flapped"], found["reachable"], found["stations"]) == (False, 2, 3)


def test_a_station_that_does_not_answer_is_not_reachable(station: Station) -> None:
    coordinator = Coordinator(station, [OWN, OTHER])
    began, clock = time.monotonic(), read_clock()
    with pytest.raises(NoAnswerError, match=f"^{OTHER} does not answer any more$"):
        coordinator.call(OTHER, "inspect", 0.3)
    assert time.monotonic() - began >= 0.3
    assert read_clock() - clock < 2


def test_no_broadcasts_are_sent_to_other_hosts(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "describe", lambda: {"strangers": [{"mac": "9c:c7:a6:00:00:01"}]})
    monkeypatch.setattr(station, "execute", lambda _: pytest.fail("an order was given"))
    found = storm.measure_storm(Coordinator(station, [OWN, OTHER]), {})
    assert found == {"bursts": [], "strangers": ["9c:c7:a6:00:00:01"]}


@pytest.mark.parametrize(("gaps", "gap"), [([0.01, 0.02], 0.02), ([0.01, 0.3, 0.02], 0.02), ([0.01, 0.3, 0.31], 0.3)])
def test_a_gap_counts_as_a_pause_if_it_comes_again(
    station: Station, monkeypatch: pytest.MonkeyPatch, gaps: list[float], gap: float
) -> None:
    """A node that was busy for a moment leaves one as well."""
    left = iter(gaps)
    monkeypatch.setattr(pause, "receive_frames", lambda *_: {"gap": next(left), "frames": 750, "apart": 0.001})
    coordinator = Coordinator(station, [OWN], deadline=time.monotonic() + 600)
    assert pause.measure_pause(coordinator, {})["gap"] == gap
    assert not list(left)
