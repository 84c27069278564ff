# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the event loop of fnn-linkd running: an error in a frame or timer is counted and logged, and ends only that.

It logs one line per kind of error in ten seconds, with the number of errors in between, so that a flood of bad frames
does not fill the journal. Errors of the kernel or of the plan are not caught here: they end the daemon. systemd
restarts it, and it makes its sockets and tables from the state of that moment.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

QUIET_S = 10.0


class Guard:
    """counts: what (such as "frame") -> errors so far. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.counts: Counter[str] = Counter()
        self._clock = clock
        self._logged: dict[tuple[str, str], float] = {}
        self._silent: Counter[tuple[str, str]] = Counter()

    def run(self, what: str, action: Callable[..., Any], *arguments: Any) -> bool:
        """Runs the action; False when it raised."""
        try:
            action(*arguments)
        except Exception as error:
            self.counts[what] += 1
            self._log(what, error)
            return False
        return True

    def _log(self, what: str, error: Exception) -> None:
        kind, now = (what, type(error).__name__), self._clock()
        if now - self._logged.get(kind, -QUIET_S) < QUIET_S:
            self._silent[kind] += 1
            return
        self._logged[kind] = now
        more = f" ({self._silent.pop(kind, 0)} more since the last line)" if self._silent[kind] else ""
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
        print(f"fnn-linkd: {what} skipped: {kind[1]}: {error} at {where}{more}", file=sys.stderr)
