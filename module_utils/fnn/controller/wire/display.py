# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows live cabling as a screen on a terminal, else as a line per event or JSON lines; and logs the events."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from ..check.connection import explain_message
from ..documents import Documents
from .board import Board, Event
from .screen import headline, list_away, list_wrong, render
from .ssh import READER, find_target, write_command
from .watch import Watch

_REMEMBERED = 200  # events kept for the screen
_OPEN, _CLOSE, _HOME = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[2J"


@dataclass
class Display:
    """out: where to show; as_json: events instead of text; log: a file that gets every event as a line of JSON."""

    out: IO[str]
    as_json: bool = False
    color: bool = True
    log: IO[str] | None = None
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    drawn: list[str] = field(default_factory=list)

    @property
    def has_screen(self) -> bool:
        return self.out.isatty() and not self.as_json

    def show(self, board: Board, events: list[Event]) -> None:
        self.events += events
        for event in events:
            line = json.dumps(event)
            if self.log:
                print(line, file=self.log, flush=True)
            if not self.has_screen:
                print(line if self.as_json else event["text"], file=self.out, flush=True)
        if self.has_screen:
            self.draw(board)

    def draw(self, board: Board) -> None:
        """Writes only when a line has changed: the terminal may be on a slow connection."""
        size = shutil.get_terminal_size()
        lines = render(board, list(self.events), size.columns, size.lines - 1, self.color)
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
        """Prints the summary and the wrong cables after the screen is closed."""
        if not self.as_json:
            width = shutil.get_terminal_size().columns
            print(
                headline(board),
                *list_wrong(board, width),
                *list_away(board, width),
                sep="\n",
                file=self.out,
                flush=True,
            )


def watch_cables(file: Path, schemas: Path, display: Display, revive: Callable[[Iterable[str]], None]) -> bool:
    """True when every cable is right, False at Ctrl-C. `file`: the fnn-wire document.

    Raises FnnError for documents that cannot be used.
    """
    documents = Documents(schemas)
    wire = documents.read(file, "fnn-wire")
    site = Path(wire["site"])
    board = Board(documents.read(site / "design.json", "fnn-design"), documents.read(site / "macs.json", "fnn-macs"))
    commands = {node: write_command(reach, READER) for node, reach in wire["nodes"].items()}
    targets = {node: find_target(reach) for node, reach in wire["nodes"].items()}
    with display.opened():
        done = Watch(
            board, commands, display.show, revive, lambda node, text: explain_message(text, targets[node])
        ).run()
    display.close(board)
    return done


def open_display(as_json: bool, log: str | None) -> Display:
    """A display on standard output."""
    file = Path(log).open("a", encoding="utf-8") if log else None  # noqa: SIM115 (until we end)
    return Display(sys.stdout, as_json, log=file)
