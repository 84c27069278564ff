# SPDX-License-Identifier: GPL-3.0-or-later
"""Live cabling from its documents: reads them, watches the nodes, and shows the cables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from ...shared.errors import problem
from ..check.connection import explain_message
from ..documents import Documents
from .bell import Bell
from .board import Board
from .display import Display, Page
from .page_address import is_loopback
from .page_code import draw_code
from .paint import Painter, find_color_system, find_jackets
from .ssh import READER, find_target, write_command
from .watch import Watch


def watch_cables(file: Path, schemas: Path, display: Display, revive: Callable[[Iterable[str]], None]) -> bool:
    """True when every cable is right, False at Ctrl-C. `file`: the fnn-wire document.

    Raises FnnError for documents that cannot be used.
    """
    documents = Documents(schemas)
    wire = documents.read(file, "fnn-wire")
    site = Path(wire["site"])
    board = Board(documents.read(site / "design.json", "fnn-design"), documents.read(site / "macs.json", "fnn-macs"))
    display.painter = Painter(find_color_system(display.out), find_jackets(board.design))
    commands = {node: write_command(reach, READER) for node, reach in wire["nodes"].items()}
    targets = {node: find_target(reach) for node, reach in wire["nodes"].items()}
    with display.opened():
        done = Watch(
            board, commands, display.show, revive, lambda node, text: explain_message(text, targets[node])
        ).run()
    display.close(board)
    return done


def open_display(as_json: bool, log: str | None, has_bell: bool, page: Page | None = None) -> Display:
    """A display on standard output. Raises FnnError for a log that cannot be written."""
    file = open_log(log) if log else None
    terminal = find_terminal(as_json) if has_bell else None
    return Display(sys.stdout, as_json, log=file, bell=Bell(terminal) if terminal else None, page=page)


def open_log(path: str) -> IO[str]:
    """Opens the log, which stays open until the program ends. Raises FnnError."""
    try:
        return Path(path).open("a", encoding="utf-8")
    except OSError as error:
        raise problem(f"--log {path}", f"{error.strerror}; name a file that can be written") from None


def describe_page(address: str, out: IO[str]) -> list[str]:
    """The address of the page, and on a terminal its QR code if other machines can reach it."""
    lines = [f"page: {address}"]
    if out.isatty() and not is_loopback(address):
        lines += draw_code(address, find_color_system(out))
    return lines


def find_terminal(as_json: bool) -> IO[str] | None:
    """The terminal for the bell: standard output, unless programs read it, or standard error."""
    return next((each for each in (sys.stderr if as_json else sys.stdout, sys.stderr) if each.isatty()), None)
