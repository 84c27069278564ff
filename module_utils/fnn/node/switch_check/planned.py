# SPDX-License-Identifier: GPL-3.0-or-later
"""The bursts that a station has yet to send, and what it has sent of each test.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any

from .orders import BurstOrder
from .sender import Sender, Sent

_REMEMBERED = 256  # tests


class PlannedBursts:
    """run: derived from the key of the run, for the probes."""

    def __init__(self, run: bytes) -> None:
        self._run = run
        self._planned: list[tuple[float, BurstOrder]] = []
        self._sent: OrderedDict[int, Sent] = OrderedDict()

    def plan(self, burst: BurstOrder) -> None:
        self._sent.pop(burst.test, None)
        self._planned.append((time.monotonic() + burst.delay, burst))

    @property
    def times(self) -> list[float]:
        """Monotonic times at which bursts begin."""
        return [when for when, _ in self._planned]

    def send_due(self, sender: Sender | None) -> None:
        """sender: None drops what is due."""
        now = time.monotonic()
        due = [burst for when, burst in self._planned if when <= now]
        self._planned = [each for each in self._planned if each[0] > now]
        for burst in due:
            if sender:
                self._send(sender, burst)

    def _send(self, sender: Sender, burst: BurstOrder) -> None:
        sent = sender.send(burst.make_burst(self._run))
        before = self._sent.get(burst.test, Sent(0, 0.0))
        self._sent[burst.test] = Sent(before.frames + sent.frames, sent.seconds, sent.error)
        if len(self._sent) > _REMEMBERED:
            self._sent.popitem(last=False)

    def is_waiting(self, test: int) -> bool:
        """Whether a burst of a test has not begun yet."""
        return any(burst.test == test for _, burst in self._planned)

    def describe(self, test: int) -> list[Any] | None:
        """Frames, seconds and the error of a test; None if nothing was sent."""
        sent = self._sent.get(test)
        return [sent.frames, round(sent.seconds, 6), sent.error] if sent else None
