# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of live cabling as lines of text, the most urgent first.

    six: 7 of 12 cables right, 1 wrong, 2 to plug, 1 node unreachable

    wrong        k01 nic1: belongs to BLUE, is in GREEN

    next: k05 nic1 -> GREEN

    note         4 links at 100 Mb/s instead of 1000: k00 nic1, k02 nic0, … and 2 more

    unreachable  k03: sudo needs a password; allow sudo without a password: ...

    switches     RED 3/4    BLUE 3/4   GREEN 1/4
    nodes        k01 1/2  k02 1/2  k05 1/2  2 done

    12:31:07  k05 nic0: right, in BLUE

Wrong cables take up to half of the height, notes and unreachable nodes up to a third of the rest each, and nodes that
lack a cable up to half of what remains. The last events get the other lines. The cable to plug next has a line at any
time.
"""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Sequence

from ...shared.errors import count
from .board import Board, Event
from .paint import Painter

MARGIN = 13
LOW = 8  # lines of a terminal below which the screen has no blank lines


def render(board: Board, events: Sequence[Event], width: int, height: int, painter: Painter | None = None) -> list[str]:
    """At most `height` lines of at most `width` characters; the last `events` are shown, as many as fit."""
    paint = (painter or Painter()).paint
    lines = [headline(board)[:width]]
    wrong = cut(list_wrong(board, width), max(1, height // 2), width)
    if wrong:
        lines += ["", *(paint(line, "wrong") for line in wrong)]
    lines += ["", paint(board.describe_next()[:width], "next")]
    for block in (list_notes(board, width), list_unreachable(board, width)):
        shown = cut(block, max(1, (height - len(lines)) // 3), width)
        lines += ["", *map(paint, shown)] if shown else []
    lines += ["", *map(paint, tabulate("switches", list_switches(board), width))]
    lines += cut(tabulate("nodes", list_nodes(board), width), max(1, (height - len(lines)) // 2), width)
    if height < LOW:
        lines = [line for line in lines if line]
    room = height - len(lines) - 1
    if room > 0 and events:
        lines += ["", *(paint(describe_event(event, width), find_style(event)) for event in events[-room:])]
    return lines[:height]


def cut(lines: list[str], most: int, width: int) -> list[str]:
    """The first `most` lines; the last of them counts the omitted lines."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"{'':<{MARGIN}}and {count(len(lines) - most + 1, 'more line')}"[:width]]


def headline(board: Board) -> str:
    parts = [f"{board.wiring.cluster}: {board.count('right')} of {count(len(board.verdicts), 'cable')} right"]
    for kind, word in (("wrong", "wrong"), ("to-plug", "to plug"), ("plugged", "plugged without a verdict yet")):
        number = board.count(kind)
        if number:
            parts.append(f"{number} {word}")
    if board.unreachable_nodes:
        parts.append(f"{count(len(board.unreachable_nodes), 'node')} unreachable")
    return ", ".join(parts)


def list_switches(board: Board) -> list[str]:
    right = Counter(each.seen for each in board.verdicts.values() if each.kind == "right")
    return [
        f"{board.wiring.color(switch)} {right[switch]}/{len(nodes)}" for switch, nodes in board.wiring.members.items()
    ]


def list_nodes(board: Board) -> list[str]:
    """The reachable nodes that lack a cable, and the number of those that lack none."""
    right = Counter(each.node for each in board.verdicts.values() if each.kind == "right")
    unreachable = set(board.unreachable_nodes)
    reachable = {node: len(wants) for node, wants in board.wiring.wants.items() if node not in unreachable}
    lacking = [f"{node} {right[node]}/{cables}" for node, cables in reachable.items() if right[node] < cables]
    done = len(reachable) - len(lacking)
    return [*lacking, *([f"{done} done"] if done else [])]


def list_wrong(board: Board, width: int) -> list[str]:
    wrong = [board.describe(each) for each in board.verdicts.values() if each.kind == "wrong"]
    return [line for text in wrong for line in wrap(text, "wrong", width)]


def list_notes(board: Board, width: int) -> list[str]:
    """Findings other than wrong cables."""
    return [line for note in board.notes for line in wrap(note.text, "note", width)]


def list_unreachable(board: Board, width: int) -> list[str]:
    """Unreachable nodes: each one with a known reason, then the names of the others."""
    title, reasons = "unreachable", board.reasons
    lines = [line for node, why in reasons.items() for line in wrap(f"{node}: {why}", title, width)]
    return [*lines, *tabulate(title, [node for node in board.unreachable_nodes if node not in reasons], width)]


def tabulate(title: str, cells: Sequence[str], width: int) -> list[str]:
    """Cells side by side, in columns of one width, with the title before the first line."""
    broad = max((len(cell) for cell in cells), default=0) + 2
    columns = max(1, (width - MARGIN) // broad)
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    lines = ["".join(cell.ljust(broad) for cell in row).rstrip() for row in rows]
    return [f"{title if number == 0 else '':<{MARGIN}}{line}"[:width] for number, line in enumerate(lines)]


def wrap(text: str, title: str, width: int) -> list[str]:
    lines = textwrap.wrap(text, max(20, width - MARGIN))
    return [f"{title if number == 0 else '':<{MARGIN}}{line}"[:width] for number, line in enumerate(lines)]


def list_address(address: str, width: int) -> list[str]:
    """The address of the page for phones, in pieces that fit; none without a page."""
    size = max(1, width - MARGIN - 2)
    pieces = [address[at : at + size] for at in range(0, len(address), size)]
    return ["", *tabulate("page", pieces, width)] if pieces else []


def describe_event(event: Event, width: int) -> str:
    """ "12:31:07  k05 nic0: right, in BLUE" """
    return f"{time.strftime('%H:%M:%S', time.localtime(event['time']))}  {event['text']}"[:width]


def find_style(event: Event) -> str:
    """The style of an event of a cable is its verdict."""
    return str(event.get("verdict", "dim"))
