# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects repeated frames: the sign of a loop of cables that may not return our own frames.

No two frames of verify are equal, because each has a sequence number. So equal frames, of any sender and run, circle.
A few may come from a host that repeats frames; more than _MOST within a tenth of a second are a loop.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_WINDOW = 0.1  # seconds over which frames are counted
_MOST = 40  # repetitions in that time
_REMEMBERED = 4096  # different frames


@dataclass
class Storm:
    """Frames that one NIC received in the present window and in the one before."""

    repeated: int = 0
    since: float = 0.0
    present: set[int] = field(default_factory=set)
    former: set[int] = field(default_factory=set)

    def take(self, frame: bytes, now: float) -> bool:
        """Counts a frame; True if there are too many repetitions. now: monotonic time in seconds."""
        if now - self.since > _WINDOW:
            self.former = self.present if now - self.since <= 2 * _WINDOW else set()
            self.present, self.repeated, self.since = set(), 0, now
        mark = hash(frame)
        if mark in self.present or mark in self.former:
            self.repeated += 1
        if len(self.present) < _REMEMBERED:
            self.present.add(mark)
        return self.repeated > _MOST
