# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes that a station has read, by test and sender.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from .frames import Probe

_TESTS = 32  # tests that are remembered
_SENDERS = 16  # senders of a test
_INDEXES = 1 << 17  # different indexes of a sender


@dataclass
class Received:
    """Of one sender. Times are monotonic seconds of this node."""

    frames: int = 0
    first: float = 0.0
    last: float = 0.0
    gap: float = 0.0  # the longest between two of them
    indexes: set[int] = field(default_factory=set)

    def take(self, index: int, now: float) -> None:
        if self.frames:
            self.gap = max(self.gap, now - self.last)
        else:
            self.first = now
        self.frames, self.last = self.frames + 1, now
        if len(self.indexes) < _INDEXES:
            self.indexes.add(index)

    def describe(self) -> dict[str, Any]:
        return {
            "frames": self.frames,
            "different": len(self.indexes),
            "first": self.first,
            "gap": round(self.gap, 4),
        }


class Tally:
    def __init__(self) -> None:
        self._tests: OrderedDict[int, dict[str, Received]] = OrderedDict()

    def take(self, probe: Probe, now: float) -> None:
        senders = self._tests.setdefault(probe.test, {})
        if len(self._tests) > _TESTS:
            self._tests.popitem(last=False)
        if probe.source in senders or len(senders) < _SENDERS:
            senders.setdefault(probe.source, Received()).take(probe.index, now)

    def describe(self, test: int) -> dict[str, dict[str, Any]]:
        """Sender -> what arrived of it."""
        return {source: each.describe() for source, each in self._tests.get(test, {}).items()}
