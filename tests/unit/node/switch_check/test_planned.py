# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/planned.py, over the loopback device where a packet socket may be opened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ansible.module_utils.fnn.node.switch_check.orders import BurstOrder
from ansible.module_utils.fnn.node.switch_check.planned import PlannedBursts
from ansible.module_utils.fnn.node.switch_check.sender import Sender
from packet_sockets import needs_packet_sockets

ORDER = BurstOrder(7, "02:f0:00:00:00:00", "02:f0:00:00:01:00", count=3)


@pytest.fixture
def bursts() -> PlannedBursts:
    return PlannedBursts(b"abcdefgh")


def test_a_burst_waits_for_its_time(bursts: PlannedBursts) -> None:
    bursts.plan(replace(ORDER, delay=5.0))
    bursts.send_due(None)
    assert (bursts.is_waiting(7), bursts.is_waiting(8), bursts.describe(7)) == (True, False, None)
    assert len(bursts.times) == 1


def test_a_burst_that_is_due_is_dropped_without_a_sender(bursts: PlannedBursts) -> None:
    bursts.plan(ORDER)
    bursts.send_due(None)
    assert (bursts.is_waiting(7), bursts.times, bursts.describe(7)) == (False, [], None)


@needs_packet_sockets
def test_frames_of_two_bursts_of_a_test_are_added_up(bursts: PlannedBursts) -> None:
    sender = Sender("lo")
    try:
        bursts.plan(ORDER)
        bursts.plan(ORDER)
        bursts.send_due(sender)
        frames, seconds, error = bursts.describe(7) or []
        assert (frames, error) == (6, "")
        assert 0 <= seconds < 1
        bursts.plan(ORDER)
        assert bursts.describe(7) is None, "a new burst starts the count again"
    finally:
        sender.socket.close()
        sender.direct.close()
