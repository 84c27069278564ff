# SPDX-License-Identifier: GPL-3.0-or-later
"""Checklists on paper, on as many pages as needed: a drawing at the top, rows to tick off, notes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Union

from .jackets import INK, Color
from .paper import MARGIN, Paper, start_page
from .patch import draw_patch
from .shapes import FAINT, GREY, Box, Line, Page, Shape, Style, words_within, wrap

ROW = 15.0
PLAIN = Style(8.5)
_HEADING = Style(7.5, color=GREY)


@dataclass(frozen=True)
class Column:
    """share: fraction of the table's width."""

    title: str
    share: float


@dataclass(frozen=True)
class Tick:
    """A cell with an empty checkbox."""


Row = Sequence[Union[str, Color, Tick]]


@dataclass(frozen=True)
class TableLook:
    """row: height of a row. cell: style of its text. patch: width of a color's patch. In points."""

    row: float
    cell: Style
    patch: float


_LOOK = TableLook(ROW, PLAIN, 30.0)


@dataclass(frozen=True)
class Ticklist:
    """head: shapes at the top of the first page, `head_height` high. rows: one cell per column."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    remark: str = ""
    head: Sequence[Shape] = field(default_factory=list)
    head_height: float = 0.0
    notes: Sequence[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Part:
    """The rows and note lines of one page, placed below `top`."""

    top: float
    rows: slice
    lines: slice


def place_ticklist(ticklist: Ticklist, paper: Paper) -> Iterator[Page]:
    """The pages of a checklist."""
    columns, rows = leave_out_empty(ticklist.columns, ticklist.rows)
    lines = [line for note in ticklist.notes for line in wrap(note, paper.inside, PLAIN.size)]
    parts = list(_share_out(paper, ticklist.head_height, len(rows), len(lines)))
    for number, part in enumerate(parts, start=1):
        page = start_page(paper, ticklist.title, ticklist.remark, number, len(parts))
        page.add(*(ticklist.head if number == 1 else []))
        table = rows[part.rows]
        page.add(*draw_table(columns, table, paper, part.top))
        y = part.top + (len(table) + 1) * ROW if table else part.top
        for index, text in enumerate(lines[part.lines], start=1):
            page.add(words_within((MARGIN, y + index * ROW, paper.inside), text, PLAIN))
        yield page


def leave_out_empty(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """Drop columns that are empty in every row, such as unmeasured meters, and widen the others."""
    kept = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    room = sum(columns[index].share for index in kept)
    return (
        [Column(columns[index].title, columns[index].share / room) for index in kept],
        [[row[index] for index in kept] for row in rows],
    )


def _share_out(paper: Paper, head: float, rows: int, lines: int) -> Iterator[_Part]:
    """Split rows, then note lines over pages. Every page with rows repeats the heading; notes begin a row below."""
    top, row, line = paper.top + head, 0, 0
    while True:
        room = int((paper.bottom - top) // ROW)
        some = min(rows - row, max(0, room - 1))
        room -= some + 1 if some else 0
        few = min(lines - line, max(0, room - 1)) if row + some == rows else 0
        yield _Part(top, slice(row, row + some), slice(line, line + few))
        top, row, line = paper.top, row + some, line + few
        if row == rows and line == lines:
            return


def draw_table(
    columns: Sequence[Column], rows: Sequence[Row], paper: Paper, top: float, look: TableLook = _LOOK
) -> Iterator[Shape]:
    """The heading and the rows, each below a line."""
    lefts = [MARGIN + paper.inside * sum(each.share for each in columns[:index]) for index in range(len(columns))]
    widths = [column.share * paper.inside - 4 for column in columns]
    if rows:
        for column, left, width in zip(columns, lefts, widths):
            yield words_within((left, top + look.row - 4, width), column.title, _HEADING)
    for index, row in enumerate(rows, start=1):
        y = top + index * look.row
        yield Line(MARGIN, y, paper.width - MARGIN, y, FAINT, 0.4)
        for cell, left, width in zip(row, lefts, widths):
            yield from _draw_cell(cell, left, y, width, look)


def _draw_cell(cell: str | Color | Tick, x: float, y: float, width: float, look: TableLook) -> Iterator[Shape]:
    if isinstance(cell, Color):
        yield from draw_patch(cell, x, y + 1.5, min(width, look.patch), look.row - 3)
    elif isinstance(cell, Tick):
        yield Box(x + 2, y + 3, look.row - 6, look.row - 6, line=INK)
    elif cell:
        yield words_within((x, y + look.row - 4.2, width), cell, look.cell)
