# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/executor.py"""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.node.switch_check.executor import Executor, count_pause_frames

OWN, PEER = "02:f0:00:00:00:00", "02:f0:00:00:01:00"


@pytest.fixture
def executor() -> Executor:
    return Executor("nic0", bytes(8), may_bounce=False)


def test_a_result_waits_for_what_is_not_sent_yet(executor: Executor) -> None:
    order = {"do": "send", "test": 1, "source": OWN, "destination": PEER, "delay": 5}
    assert executor.execute(order) == {"planned": 1}
    assert executor.execute({"do": "result", "test": 1}) == {"waits": True}


def test_a_link_in_use_is_not_taken_down(executor: Executor) -> None:
    assert executor.execute({"do": "bounce", "seconds": 1}) == {"error": "its NIC was in use before"}


def test_a_pause_frame_that_a_driver_counts_twice_is_one() -> None:
    assert count_pause_frames({"rx_pause_frames": 4, "rx_flow_control_xoff": 4}) == 4
    assert count_pause_frames(None) is None


@pytest.mark.parametrize("seconds", ["soon", -1, 61, float("inf")])
def test_a_link_is_not_taken_down_for_a_time_that_no_coordinator_asks_for(executor: Executor, seconds: Any) -> None:
    executor.may_bounce = True
    assert executor.execute({"do": "bounce", "seconds": seconds})["error"].startswith(
        "seconds: expected a number from "
    )
