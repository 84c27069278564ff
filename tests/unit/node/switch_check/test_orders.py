# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/orders.py"""

from __future__ import annotations

import re
from typing import Any

import pytest
from ansible.module_utils.fnn.node.switch_check.frames import invent_mac
from ansible.module_utils.fnn.node.switch_check.orders import PAUSE, BurstOrder, read_burst_order
from ansible.module_utils.fnn.shared.mac import to_octets

NIC = "02:f0:00:00:00:00"
GOOD: dict[str, Any] = {"id": 5, "do": "send", "test": 7, "source": NIC, "destination": NIC, "count": 3, "rate": 500}
RUN = b"abcdefgh"


def test_an_order_is_read() -> None:
    assert read_burst_order(GOOD) == BurstOrder(7, NIC, NIC, count=3, rate=500)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "nic0"}, "source: expected a MAC or the base of invented ones, not 'nic0'"),
        ({"destination": {"step": 1}}, "destination: expected a MAC or the base of invented ones"),
        ({"destination": {"base": -1}}, "destination: expected a MAC"),
        ({"rate": 0}, "rate: expected more than 0"),
        ({"count": 1e9}, "count: expected a whole number from 0 to 2e"),
        ({"size": True}, "size: expected a whole number from 0 to 16384, not True"),
        ({"count": 2.5}, "count: expected a whole number from 0 to 2e+07, not 2.5"),
        ({"seconds": float("nan")}, "seconds: expected a number"),
        ({"delay": "soon"}, "delay: expected a number"),
        ({"layer": "ipx"}, "layer: unknown 'ipx'"),
    ],
)
def test_an_order_that_no_coordinator_sends_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read_burst_order({**GOOD, **change})


def test_an_order_without_a_test_is_refused() -> None:
    with pytest.raises(ValueError, match="missing"):
        read_burst_order({"source": NIC, "destination": NIC})


def test_frames_from_invented_addresses_follow_each_other() -> None:
    burst = read_burst_order({**GOOD, "source": {"base": 9, "first": 4, "step": 2}, "counted": True}).make_burst(RUN)
    assert [burst.make(index)[6:12] for index in range(3)] == [to_octets(invent_mac(9, 4 + 2 * n)) for n in range(3)]
    assert not burst.is_constant


def test_equal_frames_are_made_once() -> None:
    assert read_burst_order({**GOOD, "counted": True}).make_burst(RUN).is_constant
    assert read_burst_order({**GOOD, "layer": PAUSE}).make_burst(RUN).is_constant
    assert not read_burst_order(GOOD).make_burst(RUN).is_constant, "each has an index"
