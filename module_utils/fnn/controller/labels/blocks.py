# SPDX-License-Identifier: GPL-3.0-or-later
"""Several checklists on one page, in letters that are readable at arm's length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .paper import MARGIN, Paper, start_page
from .shapes import GREY, Page, Shape, Style, words_within, wrap
from .ticklist import TableLook, Ticklist, draw_table, leave_out_empty, place_ticklist

LOOK = TableLook(row=16.5, cell=Style(9.5), patch=34.0)
_TITLE, _NOTE, _GAP = 20.0, 11.5, 15.0
_TITLE_STYLE, _NOTE_STYLE = Style(14, True), Style(8.5)


@dataclass
class _Sheet:
    """The checklists of one page, and the room that is left."""

    room: float
    blocks: list[Ticklist] = field(default_factory=list)


def place_blocks(blocks: Sequence[Ticklist], paper: Paper, title: str, remark: str) -> Iterator[Page]:
    """Pages with as many checklists as fit, without their heads. One that is longer than a page has pages of its own.

    title, remark: of each page; those of a checklist are at its top. Each checklist has a bookmark.
    """
    sheets = _share_out(blocks, paper)
    for number, sheet in enumerate(sheets, start=1):
        if len(sheet.blocks) == 1 and sheet.room < 0:
            yield from place_ticklist(sheet.blocks[0], paper)
            continue
        page = start_page(paper, title, remark, number, len(sheets))
        page.title, page.bookmarks = "", [block.title for block in sheet.blocks]
        top = paper.top
        for block in sheet.blocks:
            page.add(*_draw_block(block, paper, top))
            top += _measure(block, paper)
        yield page


def _share_out(blocks: Sequence[Ticklist], paper: Paper) -> list[_Sheet]:
    full = paper.bottom - paper.top + _GAP  # The last block of a page needs no gap below.
    sheets: list[_Sheet] = []
    for block in blocks:
        height = _measure(block, paper)
        if not sheets or sheets[-1].room < height:
            sheets.append(_Sheet(full))
        sheets[-1].blocks.append(block)
        sheets[-1].room -= height
    return sheets


def _measure(block: Ticklist, paper: Paper) -> float:
    """The height of a block and the gap below it."""
    return _TITLE + (len(block.rows) + 1) * LOOK.row + len(_wrap_notes(block, paper)) * _NOTE + _GAP


def _wrap_notes(block: Ticklist, paper: Paper) -> list[str]:
    return [line for note in block.notes for line in wrap(note, paper.inside, _NOTE_STYLE.size)]


def _draw_block(block: Ticklist, paper: Paper, top: float) -> Iterator[Shape]:
    half = paper.inside / 2
    yield words_within((MARGIN, top + 14, half - 6), block.title, _TITLE_STYLE)
    yield words_within((MARGIN + half, top + 14, half), block.remark, Style(8.5, color=GREY, anchor="end"))
    columns, rows = leave_out_empty(block.columns, block.rows)
    yield from draw_table(columns, rows, paper, top + _TITLE - 4, LOOK)
    y = top + _TITLE + (len(rows) + 1) * LOOK.row - 4
    for index, text in enumerate(_wrap_notes(block, paper), start=1):
        yield words_within((MARGIN, y + index * _NOTE, paper.inside), text, _NOTE_STYLE)
