# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages as PDF, without times or random names: the same pages give the same bytes.

A cluster of a thousand nodes has a million shapes. Each call of reportlab's canvas formats its numbers and colors
again, and splits each text by character; that takes most of the time. So the operators of a page are formatted here,
those of equal colors and numbers once, and the canvas gets them as one text object. Text outside ASCII is left to
reportlab, which assigns codes to its characters.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfgen.canvas import Canvas

from .shapes import BOLD, PLAIN, Box, Line, Page, Shape, Words, measure

#: reportlab also writes each compressed page as printable characters, a quarter longer and slowly.
rl_config.useA85 = 0

_ESCAPES = str.maketrans({each: f"\\{each}" for each in "\\()"})
#: Operators that end a rectangle, by whether it has a line and is filled.
_END_BOX = {(True, True): "B*", (True, False): "S", (False, True): "f*", (False, False): "n"}


def paint_pdf(pages: Iterable[Page], title: str) -> tuple[bytes, int]:
    """One PDF of all pages, with their bookmarks; and the number of pages."""
    measure("", 1, False)  # registers the fonts
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("FNN toolkit")
    number, fonts = 0, _Fonts(canvas)
    for page in pages:
        canvas.setPageSize((page.width, page.height))
        entries = [page.title, *page.bookmarks] if page.title else page.bookmarks
        if entries:
            canvas.bookmarkPage(f"page-{number}")
        for index, entry in enumerate(entries):
            canvas.addOutlineEntry(entry, f"page-{number}" if index == 0 else f"page-{number}-{index}")
            if index:
                canvas.bookmarkPage(f"page-{number}-{index}")
        canvas.drawText(_Operators(page, fonts))
        canvas.showPage()
        number += 1
    canvas.save()
    return target.getvalue(), number


class _Operators:
    """The operators that draw a page, to the canvas a text object."""

    def __init__(self, page: Page, fonts: _Fonts) -> None:
        self._page, self._fonts = page, fonts

    def getCode(self) -> str:
        return "\n".join(_format(shape, self._page.height, self._fonts) for shape in self._page.shapes)


class _Fonts:
    """The fonts of a document. The canvas registers each as its first text is formatted."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._names: dict[bool, str] = {}

    def format(self, words: Words, y: float) -> str:
        """The operators that draw the words. y: their baseline, from the bottom."""
        if not (words.text and words.text.isascii() and words.text.isprintable()):
            return self._format_by_canvas(words, words.left, y)
        if words.bold not in self._names:
            self._names[words.bold] = self._format_by_canvas(words, 0, 0).split()[8]
        font = f"{self._names[words.bold]} {_number(words.size)} Tf {_number(words.size * 1.2)} TL"
        text = words.text.translate(_ESCAPES)
        return f"BT 1 0 0 1 {_number(words.left)} {_number(y)} Tm {font} ({text}) Tj T* ET"

    def _format_by_canvas(self, words: Words, x: float, y: float) -> str:
        self._canvas.setFont(BOLD if words.bold else PLAIN, words.size)
        text = self._canvas.beginText(x, y)
        text.textLine(words.text)
        return str(text.getCode())


def _format(shape: Shape, height: float, fonts: _Fonts) -> str:
    """The operators of a shape. PDF counts y upwards from the bottom."""
    if isinstance(shape, Words):
        return f"{_color(shape.color)} rg\n{fonts.format(shape, height - shape.y)}"
    if isinstance(shape, Box):
        fill = f"{_color(shape.fill)} rg\n" if shape.fill else ""
        line = _format_line(shape.line, shape.thickness, shape.dashed) if shape.line else ""
        bottom = height - shape.y - shape.height
        place = f"{_number(shape.x)} {_number(bottom)} {_number(shape.width)} {_number(shape.height)}"
        return f"{fill}{line}n {place} re {_END_BOX[bool(shape.line), bool(shape.fill)]}"
    line = _format_line(shape.color, shape.thickness, shape.dashed)
    if isinstance(shape, Line):
        start = f"{_number(shape.x1)} {_number(height - shape.y1)}"
        return f"{line}n {start} m {_number(shape.x2)} {_number(height - shape.y2)} l S"
    start, *rest = (f"{_number(x)} {_number(height - y)}" for x, y in shape.points)
    return f"{line}n {start} m {' '.join(rest)} c S"


def _format_line(color: str, thickness: float, dashed: bool) -> str:
    return f"{_color(color)} RG\n{_number(thickness)} w\n{'[2 2] 0 d' if dashed else '[] 0 d'}\n"


@functools.lru_cache(maxsize=1 << 8)
def _color(rgb: str) -> str:
    color = HexColor(rgb)
    return str(fp_str(color.red, color.green, color.blue))


@functools.lru_cache(maxsize=1 << 16)
def _number(value: float) -> str:
    return str(fp_str(value))
