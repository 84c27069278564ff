# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags for both ends of every cable: strips that wrap around it and stick back to back, readable from both sides.

    | patch  k07:0         |  around   | patch  k07:0         |
    |   R    k07:0/red:12  | the cable |   R    k07:0/red:12  |

Flags for node ends come first, node by node, then those for the other ends: an installer carries one strip at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .cabling import SERIALS, Cabling
from .jackets import Color
from .paper import FAINT_CUT, GAP, LABEL_WIDTH, DrawLabel, Group, Paper, place_sheets
from .patch import draw_patch
from .shapes import Line, Page, Shape, Style, fits, words_within
from .tables import list_ends, write_flag

#: 19 mm in points: the circumference of a 6 mm cable.
_AROUND = 54.0
_HEIGHT = 31.0
_PATCH = 25.0
_PAD = 3.0
#: Width of a half that its patch and its padding take; text gets the rest.
_BESIDE = _PATCH + 4 + 2 * _PAD
#: Style and baseline of each line.
_LINES = ((Style(9.5, True), 11.0), (Style(7), 19.5), (Style(6.5, True), 27.5))


@dataclass(frozen=True)
class _Flag:
    """end: A or B. device: the node or switch at that end."""

    end: str
    device: str
    color: Color
    lines: tuple[str, str, str]


def draw_flags(cabling: Cabling, paper: Paper) -> Iterator[Page]:
    """Sheets of flags; with serial numbers, each cable has two equal flags in a row."""
    flags = list(_list_flags(cabling))
    width = LABEL_WIDTH if all(_fits(flag, LABEL_WIDTH) for flag in flags) else LABEL_WIDTH * 2 + GAP
    if cabling.identify == SERIALS:
        groups = [("cable flags", flags)]
    else:
        order = {node.name: node.rank for node in cabling.nodes}
        near = sorted((flag for flag in flags if flag.end == "A"), key=lambda each: order.get(each.device, len(order)))
        first, second = ("one end", "other end") if cabling.direct else ("node ends", "switch ends")
        groups = [(f"flags, {first}", near), (f"flags, {second}", [flag for flag in flags if flag.end == "B"])]
    sheets = [Group(f"{cabling.cluster}: {name}", [_draw(flag, width) for flag in some]) for name, some in groups]
    return place_sheets(paper, sheets, "fold between the dashed lines, around the cable", width, _HEIGHT)


def _list_flags(cabling: Cabling) -> Iterator[_Flag]:
    for cable in cabling.cables:
        for end, this, _ in list_ends(cable):
            yield _Flag(end, this.device, cable.color, write_flag(cabling, cable, this))


def _fits(flag: _Flag, width: float) -> bool:
    room = (width - _AROUND) / 2 - _BESIDE
    return all(fits(text, room, style) for text, (style, _) in zip(flag.lines, _LINES))


def _draw(flag: _Flag, width: float) -> DrawLabel:
    half = (width - _AROUND) / 2

    def draw(x: float, y: float) -> list[Shape]:
        folds = [x + half, x + half + _AROUND]
        shapes: list[Shape] = [Line(at, y, at, y + _HEIGHT, FAINT_CUT, 0.4, dashed=True) for at in folds]
        for left in (x, x + half + _AROUND):
            shapes += _draw_half(flag, left, y, half)
        return shapes

    return draw


def _draw_half(flag: _Flag, x: float, y: float, width: float) -> list[Shape]:
    left, room = x + _PAD + _PATCH + 4, width - _BESIDE
    patch = draw_patch(flag.color, x + _PAD, y + _PAD, _PATCH, _HEIGHT - 2 * _PAD)
    return [*patch, *(words_within((left, y + at, room), text, style) for text, (style, at) in zip(flag.lines, _LINES))]
