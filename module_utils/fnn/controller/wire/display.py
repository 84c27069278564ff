# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows live cabling as a screen on a terminal, else as a line per event or JSON lines; logs the events; and hands the
board to the page for phones.

Whenever another cable is the one to plug next, that is an event as well:

    {"time": 1700000000.0, "event": "next", "node": "k38", "nic": 3, "device": "nic3", "expected": "yellow",
     "seen": null, "text": "next: k38 nic3 -> YELLOW"}

node, nic, device and expected are null if no cable can be plugged. seen: the switch that a wrong cable must leave.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Protocol

from .bell import Bell
from .board import Board, Event
from .paint import Painter
from .screen import headline, list_address, list_notes, list_unreachable, list_wrong, render
from .verdict import Verdict

_REMEMBERED = 200  # events kept for the screen
_OPEN, _CLOSE, _HOME = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[2J"
#: Terminals that cannot move the cursor.
_DUMB = ("dumb", "unknown")


class Page(Protocol):
    """The page for phones. address: its URL."""

    address: str

    def publish(self, board: Board, events: list[Event]) -> None:
        """Shows the present board and the new events."""


@dataclass
class Display:
    """out: where to show; as_json: events instead of text; log: a file that gets every event as a line of JSON."""

    out: IO[str]
    as_json: bool = False
    painter: Painter = field(default_factory=Painter)
    log: IO[str] | None = None
    bell: Bell | None = None
    page: Page | None = None
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    drawn: list[str] = field(default_factory=list)
    next_cable: Verdict | None = None

    @property
    def has_screen(self) -> bool:
        return self.out.isatty() and os.environ.get("TERM", "") not in _DUMB and not self.as_json

    def show(self, board: Board, events: list[Event]) -> None:
        """events: of the last review."""
        self.events += events
        for event in [*events, *self._report_next(board)]:
            line = json.dumps(event)
            if self.log:
                print(line, file=self.log, flush=True)
            if not self.has_screen:
                print(line if self.as_json else event["text"], file=self.out, flush=True)
        if self.has_screen:
            self.draw(board)
        if self.bell:
            self.bell.review(events)
        if self.page:
            self.page.publish(board, events)

    def _report_next(self, board: Board) -> Iterator[Event]:
        """An event if another cable is the one to plug next."""
        cable = board.find_next()
        if cable == self.next_cable:
            return
        self.next_cable = cable
        values = {name: getattr(cable, name, None) for name in ("node", "nic", "device", "expected", "seen")}
        yield {"time": time.time(), "event": "next", **values, "text": board.describe_next()}

    def draw(self, board: Board) -> None:
        """Writes only when a line has changed: the terminal may be on a slow connection."""
        size = shutil.get_terminal_size()
        last = list_address(self.page.address, size.columns) if self.page else []
        height = size.lines - 1 - len(last)
        lines = [*render(board, list(self.events), size.columns, height, self.painter), *last]
        if lines != self.drawn:
            self.drawn = lines
            self.out.write(_HOME + "\n".join(lines) + "\n")
            self.out.flush()

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Opens the screen, and restores the terminal at the end."""
        if self.has_screen:
            self.out.write(_OPEN)
        try:
            yield
        finally:
            if self.has_screen:
                self.out.write(_CLOSE)
                self.out.flush()

    def close(self, board: Board) -> None:
        """Prints the summary, the wrong cables and the notes after the screen is closed."""
        if not self.as_json:
            width = shutil.get_terminal_size().columns
            lines = [
                headline(board),
                *list_wrong(board, width),
                *list_notes(board, width),
                *list_unreachable(board, width),
            ]
            print(*map(self.painter.paint, lines), sep="\n", file=self.out, flush=True)
