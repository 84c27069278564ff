# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of a cable label in a given place: the color's patch, three lines, and perhaps a QR code.

wide    | patch  k07:0         QR |        high    | patch  |
        |   R    k07:0/red:12     |                | k07:0  |
                                                   |   QR   |

low     | R  k07:0  k07:0/red:12 |
"""

from __future__ import annotations

from dataclasses import dataclass

from .jackets import Color
from .patch import choose_patch
from .qr_code import LEAST_MODULE, MODULE, QUIET, QrCode, draw_code
from .shapes import ASCENT, LEAST, Shape, Style, fits, measure, words_within

#: Style and baseline of each line in a panel of `_HEIGHT` points; other heights scale them, as far as these factors.
_LINES = ((Style(9.5, True), 8.0), (Style(7), 16.5), (Style(6.5, True), 24.5))
_HEIGHT = 26.0
_SCALES = (0.72, 2.0)
_GAP = 4.0
#: A panel that is at least this many times as wide as high has its parts side by side.
_WIDE = 1.6
#: In a high panel: the usual height of a line, its least height in font sizes, and the limits of the patch.
_STEP, _LEADING = 14.0, 1.25
_LEAST_PATCH, _MOST_PATCH = 12.0, 40.0
#: In a low panel: the font size in heights of the panel, and the share of the text's width that the first line has.
_LOW_SIZE, _LOW_SHARE = 0.7, 0.4


@dataclass(frozen=True)
class Place:
    """A rectangle in points. white: the width of the margin around it in which nothing is printed."""

    x: float
    y: float
    width: float
    height: float
    white: float = 0.0

    @property
    def wide(self) -> bool:
        """Whether a panel here has its parts side by side."""
        return self.width >= _WIDE * self.height

    @property
    def low(self) -> bool:
        """Whether a panel here has one line: three in the smallest size are too high."""
        return self.height < _SCALES[0] * _HEIGHT


@dataclass(frozen=True)
class Panel:
    """lines: the text to read from afar, the identifier or the cluster, the name of the color. plain: for one color.

    whole: which of the lines may not be cut.
    """

    color: Color
    lines: tuple[str, str, str]
    code: QrCode | None = None
    plain: bool = False
    whole: tuple[bool, bool, bool] = (True, True, True)

    def fits(self, place: Place) -> bool:
        """Whether the lines that may not be cut are readable there, and the QR code."""
        if self.code and self._measure_module(place) < LEAST_MODULE:
            return False
        if place.low:
            return self._fits_low(place)
        room = self._room(place) if place.wide else place.width
        return room > 0 and all(fits(text, room, style) for text, style in self._list_whole())

    def measure(self, height: float) -> float:
        """The width of a panel of that height with its parts side by side."""
        scale = _scale(height)
        text = max(measure(text, style.size * scale, style.bold) for text, (style, _) in zip(self.lines, _LINES))
        code = self.code.modules * min(MODULE, height / len(self.code.rows)) if self.code else 0.0
        return max(height + _GAP + text + code, _WIDE * height)

    def draw(self, place: Place) -> list[Shape]:
        """The shapes of the panel."""
        if place.low:
            return self._draw_low(place)
        return self._draw_wide(place) if place.wide else self._draw_high(place)

    @property
    def _least_text(self) -> float:
        """The width of the lines in the smallest size."""
        return max(measure(text, LEAST, style.bold) for text, style in self._list_whole())

    def _list_whole(self) -> list[tuple[str, Style]]:
        """The lines that may not be cut."""
        return [(text, style) for text, (style, _), whole in zip(self.lines, _LINES, self.whole) if whole]

    def _measure_module(self, place: Place) -> float:
        """The size of a module of the QR code in points. Its white zones may reach into the margin of the place."""
        if not self.code:
            return 0.0
        dark, whole = len(self.code.rows), self.code.modules
        if place.wide:
            beside = place.width - self._patch_width(place) - _GAP - self._least_text
            across, height = (beside + place.white) / whole, place.height
        else:
            height = self._left_below(place)
            across = min(place.width / dark, (place.width + 2 * place.white) / whole)
        return min(MODULE, across, height / dark, (height + 2 * place.white) / whole)

    def _side(self, place: Place) -> float:
        """The side of the QR code with its white zones in points, 0 without one."""
        return self._measure_module(place) * self.code.modules if self.code else 0.0

    def _reach(self, place: Place) -> float:
        """How far a white zone reaches into the margin."""
        return min(place.white, self._measure_module(place) * QUIET)

    def _patch_width(self, place: Place) -> float:
        return min(place.height, place.width * (0.18 if self.code else 0.3))

    def _room(self, place: Place) -> float:
        """The width of the text beside the patch."""
        return place.width - self._patch_width(place) - _GAP - self._side(place) + self._reach(place)

    def _left_below(self, place: Place) -> float:
        """The height below the smallest patch and lines."""
        return place.height - _LEAST_PATCH - len(_LINES) * LEAST * _LEADING * 1.2 - 2

    def _fits_low(self, place: Place) -> bool:
        """Whether the first two lines are readable side by side; the name of the color has no room."""
        parts = zip(self._split_low(place), self.lines, _LINES, self.whole)
        return not self.code and all(fits(text, room, style) for (_, room), text, (style, _), whole in parts if whole)

    def _split_low(self, place: Place) -> list[tuple[float, float]]:
        """Left edge and width of the first two lines."""
        left = place.x + self._patch_width(place) + _GAP
        room = place.x + place.width - left - _GAP
        return [(left, room * _LOW_SHARE), (left + room * _LOW_SHARE + _GAP, room * (1 - _LOW_SHARE))]

    def _draw_low(self, place: Place) -> list[Shape]:
        shapes = [*choose_patch(self.plain)(self.color, place.x, place.y, self._patch_width(place), place.height)]
        for (left, room), text, (style, _) in zip(self._split_low(place), self.lines, _LINES):
            size = min(style.size, place.height * _LOW_SIZE)
            base = place.y + (place.height + size * ASCENT) / 2
            shapes.append(words_within((left, base, room), text, Style(size, style.bold)))
        return shapes

    def _draw_wide(self, place: Place) -> list[Shape]:
        scale = _scale(place.height)
        left, room, side = place.x + self._patch_width(place) + _GAP, self._room(place), self._side(place)
        base = place.y + (place.height - _HEIGHT * scale) / 2
        shapes = [*choose_patch(self.plain)(self.color, place.x, place.y, self._patch_width(place), place.height)]
        for text, (style, at) in zip(self.lines, _LINES):
            scaled = Style(max(LEAST, style.size * scale), style.bold)
            shapes.append(words_within((left, base + at * scale, room), text, scaled))
        if self.code:
            top = place.y + (place.height - side) / 2
            shapes += draw_code(self.code, place.x + place.width - side + self._reach(place), top, side)
        return shapes

    def _draw_high(self, place: Place) -> list[Shape]:
        side = self._side(place)
        bottom = place.y + place.height + self._reach(place)
        room = bottom - place.y - side - 2
        patch = min(_MOST_PATCH, max(_LEAST_PATCH, room - len(_LINES) * _STEP))
        step = min((room - patch) / len(_LINES), 1.2 * _STEP)
        shapes = [*choose_patch(self.plain)(self.color, place.x, place.y, place.width, patch)]
        for index, (text, (style, _)) in enumerate(zip(self.lines, _LINES), start=1):
            size = max(LEAST, min(style.size * 1.3, step / _LEADING))
            y = place.y + patch + index * step - size * 0.15
            shapes.append(words_within((place.x, y, place.width), text, Style(size, style.bold, anchor="middle")))
        if self.code:
            shapes += draw_code(self.code, place.x + (place.width - side) / 2, bottom - side, side)
        return shapes


def _scale(height: float) -> float:
    least, most = _SCALES
    return max(least, min(most, height / _HEIGHT))
