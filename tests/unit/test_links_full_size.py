# SPDX-License-Identifier: GPL-3.0-or-later
"""Beacons as long as the largest frame: when they are sent, and which frames count as such."""

from __future__ import annotations

from ansible.module_utils.fnn.node.beacon.full_size import FullSize, plan_full_size


def test_only_a_frame_of_full_size_counts_and_only_once() -> None:
    full = FullSize(9000)
    assert not full.note("02:f0:00:00:01:00", 9013)
    assert full.note("02:f0:00:00:01:00", 9014)
    assert not full.note("02:f0:00:00:01:00", 9014)
    assert full.carried == {"02:f0:00:00:01:00"}


def test_many_speakers_send_less_often() -> None:
    few, many = FullSize(9000), FullSize(9000)
    assert few.is_due(0.0, 3) and many.is_due(0.0, 1000)
    assert few.is_due(0.2, 3) and not many.is_due(0.2, 1000)
    assert not many.is_due(4.5, 1000) and many.is_due(4.6, 1000)


def test_shorter_ones_are_rare_too_where_many_send() -> None:
    full = FullSize(1500)
    assert full.is_due(0.0, 20) and not full.is_due(0.4, 20) and full.is_due(0.5, 20)


def test_nic_with_a_smaller_mtu_sends_none_and_hears_none() -> None:
    full = plan_full_size("lo", 70000)  # the MTU of lo is 65536
    assert full.mtu == 0
    assert not full.is_due(0.0, 0)
    assert not full.note("02:f0:00:00:01:00", 70014)


def test_the_beacon_is_filled_up_to_the_payload() -> None:
    full = plan_full_size("lo", 9000)
    assert (full.mtu, full.length) == (9000, 9014)
