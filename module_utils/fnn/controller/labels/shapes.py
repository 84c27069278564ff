# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages made of a few kinds of shapes, so that a layout can be checked before it is drawn.

Lengths are points (1/72 inch) from the top left corner, x to the right and y down. This module and the modules that
fill pages decide the layout; paint_pdf.py and paint_svg.py only render shapes. Both use the font that comes with
reportlab, so that text has the width measured here in both formats.
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
#: How far letters reach above and below the baseline, as fractions of the font size.
ASCENT, DESCENT = 0.76, 0.24
#: The smallest font size, in points, that is readable on paper.
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
    """x: left, middle or right end of the text, depending on `anchor`. y: its baseline."""

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
    """The look of text that is fitted into a width. anchor: its alignment there."""

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
    """A cubic Bezier curve; the two middle points are its control points. title: shown on hovering."""

    points: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    color: str
    thickness: float
    dashed: bool = False
    title: str = ""


Shape = Union[Box, Words, Line, Curve]


@dataclass
class Page:
    """title: its bookmark in a PDF; continuation pages have none. bookmarks: those of several parts on one page."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    title: str = ""
    bookmarks: list[str] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        self.shapes.extend(shapes)


def fits(text: str, width: float, style: Style) -> bool:
    """Whether the whole text fits into that width at a readable size."""
    return measure(text, LEAST, style.bold) <= width


def fit(text: str, width: float, size: float, bold: bool = False) -> tuple[str, float]:
    """The text and the font size that fit into that width: shrink the font first, then cut the text."""
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
    """Text fitted into a place: (left, baseline, width)."""
    left, y, room = place
    text, size = fit(text, room, style.size, style.bold)
    at = {"start": left, "middle": left + room / 2, "end": left + room}[style.anchor]
    return Words(at, y, text, size, style.bold, style.color, style.anchor)


def wrap(text: str, width: float, size: float) -> list[str]:
    """Lines that fit into that width, broken at blanks."""
    lines: list[str] = []
    words: list[str] = []
    used, blank = 0.0, _measure_units(" ", False)
    for word in text.split(" "):
        units = _measure_units(word, False)
        if words and _to_points(used + blank + units, size) <= width:
            words.append(word)
            used += blank + units
            continue
        if words:
            lines.append(" ".join(words))
        words, used = [word], units
    return [*lines, " ".join(words)]


def measure(text: str, size: float, bold: bool) -> float:
    """The width of the text."""
    return _to_points(_measure_units(text, bold), size)


def _to_points(units: float, size: float) -> float:
    return 0.001 * size * units  # as reportlab computes it, to the last bit


@functools.lru_cache(maxsize=1 << 14)
def _measure_units(text: str, bold: bool) -> float:
    """The width in thousandths of the font size. Exact, so that the widths of the parts of a text add up to its own:
    a character has a multiple of 1000/2048, and 2048 is a power of two.
    """
    _register_fonts()
    return float(pdfmetrics.stringWidth(text, BOLD if bold else PLAIN, 1000.0))


@functools.cache
def _register_fonts() -> None:
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, str(Path(reportlab.__file__).parent / "fonts" / f"{name}.ttf")))
