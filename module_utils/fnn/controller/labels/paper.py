# SPDX-License-Identifier: GPL-3.0-or-later
"""Paper sizes, page heads, and sheets of equal labels to cut out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .shapes import GREY, Box, Line, Page, Shape, Style, Words, words_within

#: A millimeter in points.
MM = 72 / 25.4
MARGIN = 36.0
GAP = 4.0
#: Height of a page head: a title, a remark, and a line below.
HEAD = 26.0
FAINT_CUT = "#9aa0a6"


@dataclass(frozen=True)
class Paper:
    """A paper size in points. inside: the width between the margins."""

    name: str
    width: float
    height: float

    @property
    def inside(self) -> float:
        return self.width - 2 * MARGIN

    @property
    def top(self) -> float:
        return MARGIN + HEAD

    @property
    def bottom(self) -> float:
        return self.height - MARGIN


PAPERS = {each.name: each for each in (Paper("a4", 595.28, 841.89), Paper("letter", 612.0, 792.0))}
#: Width at which two labels fit side by side on either paper.
LABEL_WIDTH = (min(paper.inside for paper in PAPERS.values()) - GAP) / 2

#: Draws one label with its top left corner at (x, y).
DrawLabel = Callable[[float, float], list[Shape]]


@dataclass(frozen=True)
class Group:
    """Labels under one title, starting on a new page."""

    title: str
    labels: Sequence[DrawLabel]


def place_sheets(paper: Paper, groups: Sequence[Group], remark: str, width: float, height: float) -> Iterator[Page]:
    """Sheets of labels of that size, in reading order, with lines to cut along."""
    columns = max(1, int((paper.inside + GAP) // (width + GAP)))
    rows = max(1, int((paper.bottom - paper.top + GAP) // (height + GAP)))
    for group in groups:
        chunks = list(_chunk(group.labels, columns * rows))
        for number, labels in enumerate(chunks, start=1):
            page = start_page(paper, group.title, remark, number, len(chunks))
            for index, draw in enumerate(labels):
                x = MARGIN + index % columns * (width + GAP)
                y = paper.top + index // columns * (height + GAP)
                page.add(Box(x, y, width, height, line=FAINT_CUT, thickness=0.4))
                page.add(*draw(x, y))
            yield page


def start_page(paper: Paper, title: str, remark: str, number: int = 1, of: int = 1) -> Page:
    """A page with its head. The first of several has a bookmark."""
    page = Page(paper.width, paper.height, title=title if number == 1 else "")
    where = f"{number} of {of}" if of > 1 else ""
    half = paper.inside / 2
    room = half - (50 if where else 6)
    page.add(words_within((MARGIN, MARGIN + 11, half - 6), title, Style(14, True)))
    page.add(words_within((MARGIN + half, MARGIN + 11, room), remark, Style(7.5, color=GREY, anchor="end")))
    page.add(Words(paper.width - MARGIN, MARGIN + 11, where, 7.5, color=GREY, anchor="end"))
    page.add(Line(MARGIN, MARGIN + 16, paper.width - MARGIN, MARGIN + 16))
    return page


def _chunk(labels: Sequence[DrawLabel], size: int) -> Iterator[Sequence[DrawLabel]]:
    for at in range(0, len(labels), size):
        yield labels[at : at + size]
