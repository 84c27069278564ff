# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/counters.py: bad and dropped frames of NICs."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.counters import measure_growth
from ansible.module_utils.fnn.controller.bench.rank_sum import correct


def make(**grown: dict[str, int]) -> dict[str, Any]:
    """Counters of a NIC of each node, which began at 7."""
    return {node: {"nic0": {"before": dict.fromkeys(each, 7), "after": _add(each, 7)}} for node, each in grown.items()}


def _add(counters: dict[str, int], number: int) -> dict[str, int]:
    return {name: number + count for name, count in counters.items()}


def test_bad_frames_are_counted_once_although_several_counters_have_them() -> None:
    growth = measure_growth(make(k00={"rx_errors": 5, "rx_crc_errors": 5, "rx_dropped": 9, "rx_packets": 100}))
    nic = growth["k00", "nic0"]
    assert (nic.bad_frames, nic.frames) == (5, 100)
    assert nic.to_json() == {"rx_crc_errors": 5, "rx_dropped": 9, "rx_errors": 5}


def test_a_nic_is_significant_by_its_share_of_the_frames() -> None:
    # 4 of 5 bad frames on one of 20 equal NICs: 5 * 0.05^4 * 0.95 + 0.05^5 = 3.0e-5, for 20 NICs 6.0e-4.
    nics = {f"k{at:02}": {"rx_errors": [4, 1][at] if at < 2 else 0, "rx_packets": 1000} for at in range(20)}
    growth = measure_growth(make(**nics))
    assert growth["k00", "nic0"].p == pytest.approx(6.0e-4, rel=0.01)
    assert [nic for nic, each in growth.items() if each.is_significant] == [("k00", "nic0")]


def test_a_busy_nic_may_have_more_bad_frames() -> None:
    growth = measure_growth(make(k00={"rx_errors": 90, "rx_packets": 9000}, k01={"rx_errors": 10, "rx_packets": 1000}))
    assert not any(each.is_significant for each in growth.values())


def test_a_counter_that_was_reset_counts_from_zero() -> None:
    reset = {"k00": {"nic0": {"before": {"rx_errors": 50}, "after": {"rx_errors": 2}}}}
    assert measure_growth(reset)["k00", "nic0"].bad == {"rx_errors": 2}


def test_dropped_frames_are_no_bad_frames() -> None:
    growth = measure_growth(make(k00={"rx_missed_errors": 70, "rx_fifo_errors": 7}, k01={"rx_errors": 0}))
    assert growth["k00", "nic0"].bad_frames == 0
    assert growth["k00", "nic0"].dropped == {"rx_missed_errors": 70, "rx_fifo_errors": 7}


def test_holm_corrects_each_test_for_those_that_are_left() -> None:
    # The example of Holm (1979): 0.01 * 4, 0.015 * 3, 0.03 * 2, 0.05, each at least as great as the one before.
    assert correct([0.03, 0.01, 0.05, 0.015]) == pytest.approx([0.06, 0.04, 0.06, 0.045])
