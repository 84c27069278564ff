# SPDX-License-Identifier: GPL-3.0-or-later
"""A page as PNG. It is drawn larger and scaled down, which smooths its lines (supersampling)."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator

from PIL import Image, ImageDraw, ImageFont

from .jackets import PAPER
from .shapes import Box, Curve, Line, Page, Shape, Words, find_font

#: Pixels per point: 144 per inch, sharp on high-density screens.
_SCALE = 2.0
_SMOOTHING = 2
#: Larger pictures are scaled down; thousands of nodes would exhaust the memory otherwise.
_MOST_PIXELS = 24_000_000
_DASH = 4.0
#: Least step along a line: rounding must not make a step too small to advance.
_LEAST_DASH = 0.01
_STEPS = 48

_Point = tuple[float, float]


def paint_png(page: Page) -> bytes:
    """The page as one PNG file."""
    scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (page.width * page.height)))
    size = (math.ceil(page.width * scale), math.ceil(page.height * scale))
    large = Image.new("RGB", (size[0] * _SMOOTHING, size[1] * _SMOOTHING), PAPER)
    painter = _Painter(ImageDraw.Draw(large), scale * _SMOOTHING)
    for shape in page.shapes:
        painter.paint(shape)
    target = io.BytesIO()
    large.resize(size, Image.Resampling.BOX).save(target, "PNG", optimize=False)
    return target.getvalue()


class _Painter:
    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self._draw, self._scale = draw, scale
        self._fonts: dict[tuple[bool, float], ImageFont.FreeTypeFont] = {}

    def paint(self, shape: Shape) -> None:
        if isinstance(shape, Words):
            at = self._at((shape.left, shape.y))
            self._draw.text(at, shape.text, fill=shape.color, font=self._font(shape.bold, shape.size), anchor="ls")
        elif isinstance(shape, Box):
            self._paint_box(shape)
        elif isinstance(shape, Line):
            self._paint_path([(shape.x1, shape.y1), (shape.x2, shape.y2)], shape.color, shape.thickness, shape.dashed)
        elif isinstance(shape, Curve):
            self._paint_path(list(_follow(shape)), shape.color, shape.thickness, shape.dashed)

    def _paint_box(self, box: Box) -> None:
        right, bottom = box.x + box.width, box.y + box.height
        if box.fill:
            self._draw.rectangle([self._at((box.x, box.y)), self._at((right, bottom))], fill=box.fill)
        if box.line:
            corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y)]
            for start, end in zip(corners, corners[1:]):
                self._paint_path([start, end], box.line, box.thickness, box.dashed)

    def _paint_path(self, path: list[_Point], color: str, thickness: float, dashed: bool) -> None:
        width = max(1, round(thickness * self._scale))
        for piece in _cut(path) if dashed else [path]:
            self._draw.line([self._at(point) for point in piece], fill=color, width=width, joint="curve")

    def _at(self, point: _Point) -> _Point:
        return point[0] * self._scale, point[1] * self._scale

    def _font(self, bold: bool, size: float) -> ImageFont.FreeTypeFont:
        """Basic layout gives the same result on every machine; the other one depends on a system library."""
        if (bold, size) not in self._fonts:
            engine = ImageFont.Layout.BASIC
            self._fonts[bold, size] = ImageFont.truetype(str(find_font(bold)), size * self._scale, layout_engine=engine)
        return self._fonts[bold, size]


def _follow(curve: Curve) -> Iterator[_Point]:
    """Points on a Bezier curve."""
    for step in range(_STEPS + 1):
        t = step / _STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        yield (
            sum(weight * x for weight, (x, _) in zip(weights, curve.points)),
            sum(weight * y for weight, (_, y) in zip(weights, curve.points)),
        )


def _cut(path: list[_Point]) -> Iterator[list[_Point]]:
    """The dashes of a line: every other piece of length `_DASH`."""
    gone = 0.0
    for (x1, y1), (x2, y2) in zip(path, path[1:]):
        length = math.hypot(x2 - x1, y2 - y1)
        at = 0.0
        while at < length:
            step = max(min(_DASH - gone % _DASH, length - at), _LEAST_DASH)
            if int(gone / _DASH) % 2 == 0 and step > 0:
                start, end = at / length, (at + step) / length
                yield [(x1 + (x2 - x1) * t, y1 + (y2 - y1) * t) for t in (start, end)]
            at, gone = at + step, gone + step
