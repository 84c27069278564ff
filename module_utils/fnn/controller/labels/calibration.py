# SPDX-License-Identifier: GPL-3.0-or-later
"""A page to print on plain paper and to hold against a sheet of labels: the outlines of all labels, and two rulers.

The rulers are printed in millimeters from the edges of the sheet. They show whether a printer scales the page; the
outlines show by how much it shifts the page, which the offset corrects.
"""

from __future__ import annotations

from collections.abc import Iterator

from .jackets import INK, PAPER
from .paper import MM
from .shapes import GREY, Box, Line, Page, Shape, Style, Words, words_within
from .sheets import Sheet

#: Lengths of the marks of a ruler in mm, for every millimeter, every fifth and every tenth.
_MARKS = (1.5, 2.5, 4.0)
#: The distance of a ruler's ends from the edges of the sheet, in mm.
_MARGIN = 10
_NUMBER = 6.0
_OUTLINE = 0.4


def draw_calibration(sheet: Sheet, offset: tuple[float, float]) -> Iterator[Page]:
    """One page. offset: the correction of the printer in mm, right and down."""
    page = Page(sheet.paper[0] * MM, sheet.paper[1] * MM, title=f"calibration of {sheet.name}")
    for index in range(sheet.labels):
        x, y = sheet.place(index, offset)
        page.add(Box(x, y, *sheet.size, line=INK, thickness=_OUTLINE))
    page.add(*_draw_ruler(sheet, offset, across=True), *_draw_ruler(sheet, offset, across=False))
    page.add(*_write_advice(sheet, offset))
    yield page


def _draw_ruler(sheet: Sheet, offset: tuple[float, float], across: bool) -> Iterator[Shape]:
    """A ruler through the middle of the page."""
    length = sheet.paper[0] if across else sheet.paper[1]
    middle = (sheet.paper[1] if across else sheet.paper[0]) / 2
    for at in range(_MARGIN, int(length) - _MARGIN + 1):
        mark = _MARKS[2 if at % 10 == 0 else 1 if at % 5 == 0 else 0]
        ends = ((at, middle), (at, middle + mark)) if across else ((middle, at), (middle + mark, at))
        (x1, y1), (x2, y2) = (((x + offset[0]) * MM, (y + offset[1]) * MM) for x, y in ends)
        yield Line(x1, y1, x2, y2, INK, 0.3)
        if at % 10 == 0 and across:
            yield Words(x2, y2 + _NUMBER, str(at), _NUMBER, anchor="middle")
        elif at % 10 == 0:
            yield Words(x2 + 2, y2 + _NUMBER * 0.36, str(at), _NUMBER)


def _write_advice(sheet: Sheet, offset: tuple[float, float]) -> Iterator[Shape]:
    """What the page is for, on white, at the left of the middle and above the ruler across."""
    lines = (
        f"{sheet.name}: {sheet.labels} labels of {sheet.label[0]:g} x {sheet.label[1]:g} mm",
        "Print at 100 %, not fitted to the page; the rulers show mm.",
        "Hold the page and a sheet of labels against the light.",
        f"fnn_labels_offset_mm: [{offset[0]:g}, {offset[1]:g}], to the right and down",
    )
    width, height, size = (sheet.paper[0] / 2 - _MARGIN - 6) * MM, 38.0, 7.5
    left, top = _MARGIN * MM, (sheet.paper[1] / 2 - 3) * MM - height
    yield Box(left, top, width, height, fill=PAPER)
    for index, line in enumerate(lines):
        style = Style(size, True) if index in (0, len(lines) - 1) else Style(size, color=GREY)
        yield words_within((left + 3, top + 8 + index * 9, width - 6), line, style)
