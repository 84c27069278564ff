# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages as PDF, without times or random names: the same pages give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from .shapes import BOLD, PLAIN, Box, Curve, Line, Page, Shape, Words, measure

_DASHES = (2, 2)
_DRAW = {"start": "drawString", "middle": "drawCentredString", "end": "drawRightString"}


def paint_pdf(pages: Sequence[Page], title: str) -> bytes:
    """One PDF of all pages, with a bookmark for each that has a title."""
    measure("", 1, False)  # registers the fonts
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("FNN toolkit")
    for number, page in enumerate(pages):
        canvas.setPageSize((page.width, page.height))
        if page.title:
            canvas.bookmarkPage(f"page-{number}")
            canvas.addOutlineEntry(page.title, f"page-{number}")
        for shape in page.shapes:
            _paint(canvas, shape, page.height)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _paint(canvas: Canvas, shape: Shape, height: float) -> None:
    """PDF counts y upwards from the bottom."""
    if isinstance(shape, Words):
        canvas.setFont(BOLD if shape.bold else PLAIN, shape.size)
        canvas.setFillColor(HexColor(shape.color))
        getattr(canvas, _DRAW[shape.anchor])(shape.x, height - shape.y, shape.text)
    elif isinstance(shape, Box):
        if shape.fill:
            canvas.setFillColor(HexColor(shape.fill))
        if shape.line:
            _set_line(canvas, shape.line, shape.thickness, shape.dashed)
        bottom = height - shape.y - shape.height
        canvas.rect(shape.x, bottom, shape.width, shape.height, stroke=bool(shape.line), fill=bool(shape.fill))
    elif isinstance(shape, Line):
        _set_line(canvas, shape.color, shape.thickness, shape.dashed)
        canvas.line(shape.x1, height - shape.y1, shape.x2, height - shape.y2)
    elif isinstance(shape, Curve):
        _set_line(canvas, shape.color, shape.thickness, shape.dashed)
        canvas.bezier(*(value for x, y in shape.points for value in (x, height - y)))


def _set_line(canvas: Canvas, color: str, thickness: float, dashed: bool) -> None:
    canvas.setStrokeColor(HexColor(color))
    canvas.setLineWidth(thickness)
    canvas.setDash(*((_DASHES, 0) if dashed else ((), 0)))
