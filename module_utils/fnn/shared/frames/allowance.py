# SPDX-License-Identifier: GPL-3.0-or-later
"""A rate limit (token bucket) for frames that answer other frames.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Allowance:
    """`per_second` frames a second, in bursts of a tenth of a second's frames at most."""

    per_second: int
    left: float = 0.0
    filled: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more frame may be sent; then it counts as sent."""
        self.left = min(self.per_second / 10, self.left + (now - self.filled) * self.per_second)
        self.filled = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
