# SPDX-License-Identifier: GPL-3.0-or-later
"""The bell of the terminal, for people who look at cables: once for a right cable, twice for a wrong one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from .board import Event

_BELL = "\a"
_RINGS = {"right": 1, "wrong": 2}


class Bell:
    """out: a terminal. Terminals merge bells that follow at once, so there is at most one in each review."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self._due = out, 0

    def review(self, events: Iterable[Event]) -> None:
        """Rings for the events of a review, a wrong cable before right ones; or for the rest of an earlier review."""
        self._due = max([self._due, *(_RINGS.get(event.get("verdict", ""), 0) for event in events)])
        if self._due:
            self._due -= 1
            self._out.write(_BELL)
            self._out.flush()
