# SPDX-License-Identifier: GPL-3.0-or-later
"""Senders that a NIC heard before its cable was moved, and senders that merely lose beacons."""

from __future__ import annotations

import random

import pytest
from ansible.module_utils.fnn.node.beacon.counts import ReceivedBeacons
from ansible.module_utils.fnn.node.beacon.former import Period, find_former

Times = dict[str, list[float]]  # sender -> when its beacons arrived; one is sent each second, and more may be lost


def find(arrivals: Times, lost: float = 0.0) -> set[str]:
    periods = {mac: Period(times[0], times[-1]) for mac, times in arrivals.items()}
    counts = {
        mac: ReceivedBeacons(int(times[0]), int(times[-1]), len(times)) for mac, times in arrivals.items() if times
    }
    return find_former(periods, counts, lost)


def every_second(first: int, last: int) -> list[float]:
    return [float(second) for second in range(first, last + 1)]


def test_all_senders_of_a_cable_in_place_are_present() -> None:
    assert find({"a": every_second(1, 30), "b": every_second(4, 20), "c": every_second(12, 30)}) == set()


def test_a_moved_cable_leaves_the_senders_of_its_former_switch() -> None:
    moved = {"a": every_second(1, 10), "b": every_second(3, 11), "c": every_second(13, 30)}
    assert find(moved) == {"a", "b"}


def test_a_cable_moved_twice_has_the_senders_of_the_last_switch_only() -> None:
    moved = {"a": every_second(1, 10), "b": every_second(12, 21), "c": every_second(22, 40)}
    assert find(moved) == {"a", "b"}


def test_a_sender_that_only_ended_or_only_began_early_moves_no_cable() -> None:
    assert find({"a": every_second(1, 3), "b": every_second(2, 30)}) == set()
    assert find({"a": every_second(1, 3), "b": every_second(4, 5), "c": every_second(1, 30)}) == set()


def test_a_few_beacons_on_one_side_are_no_move_unless_the_carrier_was_lost() -> None:
    few = {"a": every_second(1, 3), "b": every_second(5, 30)}
    assert find(few) == set()
    assert find(few, lost=4.0) == {"a"}


def test_a_carrier_loss_on_one_switch_leaves_no_former_senders() -> None:
    assert find({"a": every_second(1, 30), "b": every_second(1, 30)}, lost=10.5) == set()


def test_a_cable_moved_into_a_switch_without_others_has_former_senders_only() -> None:
    assert find({"a": every_second(1, 10), "b": every_second(1, 10)}, lost=11.0) == {"a", "b"}


@pytest.mark.parametrize("kept", [0.1, 0.3, 0.5, 0.7])
def test_lost_beacons_of_few_senders_are_no_move(kept: float) -> None:
    chance = random.Random(7)
    for _ in range(5000):
        arrivals = {mac: [time for time in every_second(1, 35) if chance.random() < kept] for mac in "ab"}
        assert find({mac: times for mac, times in arrivals.items() if times}) == set()
