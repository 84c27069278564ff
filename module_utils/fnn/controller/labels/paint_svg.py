# SPDX-License-Identifier: GPL-3.0-or-later
"""A page as SVG, for browsers and for documents. Hovering over a cable shows its description."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from .shapes import Box, Curve, Line, Page, Shape, Words

_FONTS = "Bitstream Vera Sans, DejaVu Sans, Verdana, sans-serif"


def paint_svg(page: Page) -> bytes:
    """The page as one SVG file."""
    width, height = _number(page.width), _number(page.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONTS}">'
    )
    lines = [head, f"<title>{escape(page.title)}</title>", *(_paint(shape) for shape in page.shapes), "</svg>"]
    return ("\n".join(lines) + "\n").encode()


def _paint(shape: Shape) -> str:
    if isinstance(shape, Words):
        return _paint_words(shape)
    if isinstance(shape, Box):
        place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
        stroke = _stroke(shape.line, shape.thickness, shape.dashed) if shape.line else ""
        return f'<rect {place} fill="{shape.fill or "none"}"{stroke}/>'
    if isinstance(shape, Line):
        place = _attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
        return f"<line {place}{_stroke(shape.color, shape.thickness, shape.dashed)}/>"
    return _paint_curve(shape)


def _paint_words(words: Words) -> str:
    """`textLength` keeps the measured width when the viewer substitutes another font."""
    place = _attributes(x=words.x, y=words.y, font_size=words.size, textLength=words.width)
    weight = ' font-weight="bold"' if words.bold else ""
    anchor = f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
    stretch = ' lengthAdjust="spacingAndGlyphs"'
    return f'<text {place}{stretch}{weight}{anchor} fill="{words.color}">{escape(words.text)}</text>'


def _paint_curve(curve: Curve) -> str:
    (x, y), *rest = [(_number(x), _number(y)) for x, y in curve.points]
    data = f"M{x} {y} C" + " ".join(f"{x} {y}" for x, y in rest)
    path = f'<path d={quoteattr(data)} fill="none"{_stroke(curve.color, curve.thickness, curve.dashed)}'
    return f"{path}><title>{escape(curve.title)}</title></path>" if curve.title else f"{path}/>"


def _stroke(color: str, thickness: float, dashed: bool) -> str:
    dashes = ' stroke-dasharray="4 4"' if dashed else ""
    return f' stroke="{color}" stroke-width="{_number(thickness)}"{dashes}'


def _attributes(**values: float) -> str:
    names = {"font_size": "font-size"}
    return " ".join(f'{names.get(name, name)}="{_number(value)}"' for name, value in values.items())


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
