# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits in tests until a condition holds."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], object], seconds: float, every: float = 0.02) -> float:
    """Seconds until the condition holds; fails after `seconds`. every: the pause between two checks, in seconds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"not within {seconds:g} s"
        time.sleep(every)
    return time.monotonic() - began
