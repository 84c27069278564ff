# SPDX-License-Identifier: GPL-3.0-or-later
"""Executes the orders of the coordinator on the NIC of a station (station.py): bursts, counters, frame size, bounce.

    {"do": "send", "test": 7, ...}    plans a burst, and answers {"planned": 7}
    {"do": "result", "test": 7}       answers {"waits": true} until it is sent, then what was sent and received

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from ...shared.frames.switch_check import EXPERIMENTAL
from ..beacon.counts import read_number
from .counters import Counters
from .ethtool import read_pause, read_pause_counters
from .nic_setup import bounce_link, change_mtu
from .orders import LONGEST_BOUNCE, check_number, read_burst_order
from .planned import PlannedBursts
from .tally import Tally

_SOURCES = 16  # senders that are counted
_LONGEST_MESSAGE = 1200  # octets, so that any switch carries it

Order = dict[str, Any]  # of a message: {"id", "do", ...}


class Executor:
    """device: the NIC. run: derived from the key of the run. may_bounce: whether its link may go down for a moment."""

    def __init__(self, device: str, run: bytes, may_bounce: bool) -> None:
        self.device, self.may_bounce = device, may_bounce
        self.tally, self.bursts, self.counters = Tally(), PlannedBursts(run), Counters(device, run)
        self._bounce_seconds = 0.0
        self._bounced: Order = {}

    def execute(self, order: Order, loop: bool = False) -> Order:
        """The answer to an order; {"error": why} if it cannot be executed. loop: whether frames of this node return."""
        orders: dict[str, Callable[[Order], Order]] = {
            "inspect": self._inspect_nic,
            "send": partial(self._plan_burst, loop),
            "result": self._report_result,
            "arm": self._arm,
            "mtu": self._set_mtu,
            "bounce": self._plan_bounce,
            "bounced": lambda _: self._bounced,
        }
        try:
            answer = orders[str(order.get("do"))](order)
        except (KeyError, ValueError, TypeError, OSError) as error:
            return {"error": str(error)}
        return answer if len(json.dumps(answer)) <= _LONGEST_MESSAGE else {"error": "the answer is too long"}

    def _inspect_nic(self, _: Order) -> Order:
        return {
            "speed": read_number(self.device, "speed") or None,
            "mtu": read_number(self.device, "mtu"),
            "may_bounce": self.may_bounce,
            "pause": read_pause(self.device),
            "pause_counters": count_pause_frames(read_pause_counters(self.device)),
        }

    def _plan_burst(self, loop: bool, order: Order) -> Order:
        burst = read_burst_order(order)
        if loop:
            raise ValueError("a loop of cables returns the frames of this node")
        self.bursts.plan(burst)
        return {"planned": burst.test}

    def _report_result(self, order: Order) -> Order:
        """What the station has sent and received of a test."""
        test = int(order["test"])
        if self.bursts.is_waiting(test):
            return {"waits": True}
        counted, drops = self.counters.read(test)
        if order.get("last"):
            self.counters.close(test)
        return {
            "sent": self.bursts.describe(test),
            "received": self.tally.describe(test),
            "counted": counted,
            "drops": drops,
        }

    def _arm(self, order: Order) -> Order:
        sources = [str(each) for each in order["sources"]][:_SOURCES]
        self.counters.arm(int(order["test"]), str(order.get("layer", EXPERIMENTAL)), sources)
        return {"armed": len(sources)}

    def _set_mtu(self, order: Order) -> Order:
        return {"mtu": change_mtu(self.device, int(order["mtu"]))}

    def _plan_bounce(self, order: Order) -> Order:
        """The link goes down for a moment, to measure when frames pass again."""
        if not self.may_bounce:
            raise ValueError("its NIC was in use before")
        check_number("seconds", order["seconds"], LONGEST_BOUNCE)
        self._bounce_seconds, self._bounced = order["seconds"], {"waits": True}
        return {"planned": True}

    def bounce_if_planned(self, listen: Callable[[], int]) -> None:
        """listen: receives, and returns how many messages there were so far."""
        if not self._bounce_seconds:
            return
        try:
            self._bounced = bounce_link(self.device, listen, self._bounce_seconds)
        except ValueError as error:
            self._bounced = {"error": str(error)}
        self._bounce_seconds = 0.0


def count_pause_frames(counters: dict[str, int] | None) -> int | None:
    """Received pause frames. A driver may count a frame in several counters; the largest counts it."""
    return None if counters is None else max(counters.values())
