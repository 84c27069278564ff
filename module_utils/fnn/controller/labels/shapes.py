# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages made of a few kinds of shapes, so that a layout can be checked before anything is drawn.

Lengths are points (1/72 inch) from the top left corner, x to the right and y down. What a page looks like is decided
here and by those who fill pages; paint_pdf.py, paint_svg.py and paint_png.py only put shapes on paper. All of them use
the same font, which comes with reportlab, so that words are as wide everywhere as they are measured here.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from .jackets import INK

PLAIN, BOLD = "Vera", "VeraBd"
#: How far letters reach above and below the line they stand on, in parts of their size.
ASCENT, DESCENT = 0.76, 0.24
#: The smallest letters that can be read on paper.
LEAST = 4.5
GREY = "#5f6368"
FAINT = "#b8bcc2"


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    line: str | None = None
    thickness: float = 0.6
    dashed: bool = False


@dataclass(frozen=True)
class Words:
    """x: their left, middle or right end, as `anchor` says. y: the line they stand on."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    color: str = INK
    anchor: str = "start"

    @property
    def width(self) -> float:
        return measure(self.text, self.size, self.bold)

    @property
    def left(self) -> float:
        return self.x - {"start": 0.0, "middle": self.width / 2, "end": self.width}[self.anchor]


@dataclass(frozen=True)
class Style:
    """How words look that have a place to stand in. anchor: where in it."""

    size: float
    bold: bool = False
    color: str = INK
    anchor: str = "start"


@dataclass(frozen=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    color: str = INK
    thickness: float = 0.6
    dashed: bool = False


@dataclass(frozen=True)
class Curve:
    """A cubic Bezier curve: from the first point to the last, drawn towards those between. title: shown on hovering."""

    points: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    color: str
    thickness: float
    dashed: bool = False
    title: str = ""


Shape = Union[Box, Words, Line, Curve]


@dataclass
class Page:
    """title: for the table of contents of a PDF; pages that go on from the one before have none."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    title: str = ""

    def add(self, *shapes: Shape) -> None:
        self.shapes.extend(shapes)


def fits(text: str, width: float, style: Style) -> bool:
    """Whether the whole text can stand in that width in letters that can be read."""
    return measure(text, LEAST, style.bold) <= width


def fit(text: str, width: float, size: float, bold: bool = False) -> tuple[str, float]:
    """The text and the size in which it fits into that width: smaller letters first, then fewer of them."""
    natural = measure(text, size, bold)
    if natural <= width:
        return text, size
    smaller = size * width / natural
    if smaller >= LEAST:
        return text, round(smaller - 0.005, 2)
    while text and measure(f"{text}...", LEAST, bold) > width:
        text = text[:-1]
    return f"{text}..." if text else "", LEAST


def words_within(place: tuple[float, float, float], text: str, style: Style) -> Words:
    """Words at (left, line they stand on, room to the right), in letters as small as it takes."""
    left, y, room = place
    text, size = fit(text, room, style.size, style.bold)
    at = {"start": left, "middle": left + room / 2, "end": left + room}[style.anchor]
    return Words(at, y, text, size, style.bold, style.color, style.anchor)


def wrap(text: str, width: float, size: float) -> list[str]:
    """Lines that fit, broken at blanks."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and measure(f"{lines[-1]} {word}", size, False) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def measure(text: str, size: float, bold: bool) -> float:
    """How wide these words are."""
    _register_fonts()
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, size))


def find_font(bold: bool) -> Path:
    """The file of a font."""
    return Path(reportlab.__file__).parent / "fonts" / f"{BOLD if bold else PLAIN}.ttf"


@functools.cache
def _register_fonts() -> None:
    for bold in (False, True):
        path = find_font(bold)
        pdfmetrics.registerFont(TTFont(path.stem, str(path)))
