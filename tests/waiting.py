# SPDX-License-Identifier: GPL-3.0-or-later
"""A clock and a wait for tests whose verdict does not depend on other load of the machine.

The kernel measures how long processes waited for a processor or a disk (pressure stall information, PSI), and how long
the hypervisor ran another machine. A busy machine delays several programs in turn, and fnn-linkd then extends its
timeouts. So each second of delay excuses several: limits are strict on a quiet machine, and on a busy one only end a
hang.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

HANG = 1800.0  # seconds by which a limit grows at most
EXCUSED = 5  # seconds, for each second of delay
REMEMBERED = 10.0  # seconds of the average "avg10": fnn-linkd remembers its timer lag, so earlier delays count as well
PRESSURE = Path("/proc/pressure")


def read_clock() -> float:
    """Seconds of a clock that a busy machine slows down, or even turns back."""
    return time.monotonic() - EXCUSED * _read_delays()[0]


def wait_until(holds: Callable[[], object], seconds: float, every: float = 0.02) -> float:
    """Seconds until the condition holds. Fails if a check that began later than `seconds` finds that it does not.

    every: the pause between two checks, in seconds.
    """
    began, clock = time.monotonic(), read_clock() + EXCUSED * _read_delays()[1]
    while True:
        passed, counted = time.monotonic() - began, read_clock() - clock
        if holds():
            return time.monotonic() - began
        assert counted <= seconds and passed <= seconds + HANG, f"not within {seconds:g} s, nor within {passed:.1f} s"
        time.sleep(every)


@contextmanager
def excusing() -> Iterator[Callable[[], float]]:
    """Measures the block; yields a function that returns the seconds by which a busy machine may have prolonged it."""
    began, clock = time.monotonic(), read_clock()
    excused = 0.0
    yield lambda: excused
    excused = time.monotonic() - began - (read_clock() - clock)


def _read_delays() -> tuple[float, float]:
    """Seconds of delay since boot, and in the last ten; a kernel without PSI counts only those of the hypervisor."""
    total, recent = _read_stolen(), 0.0
    for resource in ("cpu", "io"):
        if (PRESSURE / resource).exists():
            found = re.match(r"some avg10=([\d.]+) .* total=(\d+)", (PRESSURE / resource).read_text())
            assert found, "/proc/pressure has another format"
            recent, total = recent + float(found[1]) / 100 * REMEMBERED, total + int(found[2]) / 1e6
    return total, recent


def _read_stolen() -> float:
    ticks = int(Path("/proc/stat").read_text().split(maxsplit=9)[8])
    return ticks / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)
