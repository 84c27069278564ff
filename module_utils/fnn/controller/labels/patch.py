# SPDX-License-Identifier: GPL-3.0-or-later
"""A color patch with its code: the symbol of a cable in every picture and on every label."""

from __future__ import annotations

from collections.abc import Callable

from .jackets import INK, PAPER, Color, choose_ink
from .shapes import ASCENT, Box, Shape, Style, words_within

#: Left edges of the two stripes and their width, as fractions of the patch's width. The code is between them.
_BANDS = (0.08, 0.82)
_BAND = 0.1


def draw_patch(color: Color, x: float, y: float, width: float, height: float) -> list[Shape]:
    """The jacket, its stripes, and the code in black or white."""
    shapes: list[Shape] = [Box(x, y, width, height, fill=color.rgb, line=INK)]
    inside, start = width * 0.86, x + width * 0.07
    if color.stripe_rgb:
        shapes += [Box(x + width * at, y, width * _BAND, height, color.stripe_rgb, INK, 0.3) for at in _BANDS]
        inside, start = width * 0.6, x + width * 0.2
    size = height * 0.72
    ink = choose_ink(color.rgb)
    code = words_within((start, 0, inside), color.code, Style(size, True, ink, "middle"))
    base = y + height / 2 + code.size * (ASCENT - 0.03) / 2
    return [*shapes, words_within((start, base, inside), color.code, Style(size, True, ink, "middle"))]


def draw_plain_patch(color: Color, x: float, y: float, width: float, height: float) -> list[Shape]:
    """The code of a color in a frame, for printers with one color."""
    size = min(height * 0.72, 30.0)
    code = words_within((x + 2, 0, width - 4), color.code, Style(size, True, anchor="middle"))
    base = y + height / 2 + code.size * 0.365
    frame = Box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, fill=PAPER, line=INK, thickness=0.8)
    return [frame, words_within((x + 2, base, width - 4), color.code, Style(code.size, True, anchor="middle"))]


DrawPatch = Callable[[Color, float, float, float, float], "list[Shape]"]


def choose_patch(plain: bool) -> DrawPatch:
    """How patches are drawn. plain: for printers with one color."""
    return draw_plain_patch if plain else draw_patch
