# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of live cabling as lines of text: how far we are, what is wrong, what has just happened, who is missing.

    six: 7 of 12 cables right, 1 wrong, 3 to plug, 1 node away

    switches  RED 3/4  BLUE 2/4  GREEN 2/4
    nodes     k00 2/2  k01 1/2  k02 1/2  k03 away  k04 2/2  k05 1/2

    wrong     k01 nic1: belongs to BLUE, is in GREEN

    12:31:07  k05 nic0: right, in BLUE

What does not fit is cut: of the events the oldest, of the rest the end, but what is wrong comes before what is done.
"""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Sequence

from ..errors import count
from .board import Board, Event

MARGIN = 10
STYLES = {"right": "\x1b[32m", "wrong": "\x1b[1;31m", "dim": "\x1b[2m"}
PLAIN = "\x1b[0m"


def render(board: Board, events: Sequence[Event], width: int, height: int, color: bool = False) -> list[str]:
    """At most `height` lines of at most `width` characters; the last `events` are shown, as many as fit."""
    lines = [headline(board), ""]
    lines += tabulate("switches", list_switches(board), width)
    lines += tabulate("nodes", list_nodes(board), width)
    wrong = [paint(line, "wrong", color) for line in list_wrong(board, width)]
    room = max(0, height - len(lines))
    shown = wrong[: max(0, room - 1)]
    if shown:
        lines += ["", *shown]
    room = height - len(lines) - 1
    if room > 0 and events:
        lines += ["", *(describe_event(event, width, color) for event in events[-room:])]
    return lines[:height]


def headline(board: Board) -> str:
    parts = [f"{board.wiring.cluster}: {board.count('right')} of {count(len(board.verdicts), 'cable')} right"]
    for kind, word in (("wrong", "wrong"), ("to-plug", "to plug"), ("plugged", "plugged, not told yet")):
        number = board.count(kind)
        if number:
            parts.append(f"{number} {word}")
    if board.away:
        parts.append(f"{count(len(board.away), 'node')} away")
    return ", ".join(parts)


def list_switches(board: Board) -> list[str]:
    right = Counter(each.seen for each in board.verdicts.values() if each.kind == "right")
    return [
        f"{board.wiring.color(switch)} {right[switch]}/{len(nodes)}" for switch, nodes in board.wiring.members.items()
    ]


def list_nodes(board: Board) -> list[str]:
    """Those that lack a cable first, as many lines of others may follow."""
    right = Counter(each.node for each in board.verdicts.values() if each.kind == "right")
    away = set(board.away)
    told = {
        node: f"{node} away" if node in away else f"{node} {right[node]}/{len(wants)}"
        for node, wants in board.wiring.wants.items()
    }
    lacking = [node for node, wants in board.wiring.wants.items() if right[node] < len(wants)]
    return [told[node] for node in [*lacking, *(node for node in told if node not in set(lacking))]]


def list_wrong(board: Board, width: int) -> list[str]:
    wrong = [board.describe(each) for each in board.verdicts.values() if each.kind == "wrong"]
    return [line for text in [*board.notes, *wrong] for line in wrap(text, "wrong", width)]


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


def describe_event(event: Event, width: int, color: bool) -> str:
    """ "12:31:07  k05 nic0: right, in BLUE" """
    line = f"{time.strftime('%H:%M:%S', time.localtime(event['time']))}  {event['text']}"[:width]
    return paint(line, event.get("verdict", "dim"), color)


def paint(line: str, style: str, color: bool) -> str:
    return f"{STYLES[style]}{line}{PLAIN}" if color and style in STYLES else line
