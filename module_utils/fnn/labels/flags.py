# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags for both ends of every cable: strips that go around the cable and stick back to back, so that both sides read.

    | patch  k07:0        |  around   | patch  k07:0        |
    |   R    to red:12    | the cable |   R    to red:12    |

First come the ends at nodes, node by node, then those at switches, so that a person takes one strip of flags along.
"""

from __future__ import annotations

from .cabling import SERIALS, Cable, Cabling, End
from .paper import FAINT_CUT, LABEL_WIDTH, DrawLabel, Group, Paper, lay_out_sheets
from .patch import draw_patch
from .shapes import GREY, Line, Page, Shape, words_within
from .tables import list_ends, write_flag

#: 19 mm, once around a cable of 6 mm.
_AROUND = 54.0
_HEIGHT = 31.0
_PATCH = 25.0
_PAD = 3.0


def draw_flags(cabling: Cabling, paper: Paper) -> list[Page]:
    """Sheets of them; with serial numbers each cable has the same flag twice, one after the other."""
    ends = [end for cable in cabling.cables for end in _list_flags(cabling, cable)]
    if cabling.identify == SERIALS:
        groups = [Group(f"{cabling.cluster}: cable flags", [draw for _, _, draw in ends])]
    else:
        order = {node.name: node.rank for node in cabling.nodes}
        near = sorted((each for each in ends if each[0] == "A"), key=lambda each: order.get(each[1], len(order)))
        groups = [
            Group(f"{cabling.cluster}: flags, node ends", [draw for _, _, draw in near]),
            Group(f"{cabling.cluster}: flags, switch ends", [draw for end, _, draw in ends if end == "B"]),
        ]
    remark = "fold between the dashed lines, around the cable"
    return lay_out_sheets(paper, groups, remark, LABEL_WIDTH, _HEIGHT)


def _list_flags(cabling: Cabling, cable: Cable) -> list[tuple[str, str, DrawLabel]]:
    return [(end, this.device, _draw(cabling, cable, this, peer)) for end, this, peer in list_ends(cable)]


def _draw(cabling: Cabling, cable: Cable, this: End, peer: End) -> DrawLabel:
    lines = write_flag(cabling, cable, this, peer)
    half = (LABEL_WIDTH - _AROUND) / 2

    def draw(x: float, y: float) -> list[Shape]:
        folds = [x + half, x + half + _AROUND]
        shapes: list[Shape] = [Line(at, y, at, y + _HEIGHT, FAINT_CUT, 0.4, dashed=True) for at in folds]
        for left in (x, x + half + _AROUND):
            shapes += _draw_half(cable, lines, left, y, half)
        return shapes

    return draw


def _draw_half(cable: Cable, lines: tuple[str, str, str], x: float, y: float, width: float) -> list[Shape]:
    left = x + _PAD + _PATCH + 4
    room = x + width - _PAD - left
    return [
        *draw_patch(cable.color, x + _PAD, y + _PAD, _PATCH, _HEIGHT - 2 * _PAD),
        words_within(left, y + 11, room, lines[0], 9.5, True),
        words_within(left, y + 19.5, room, lines[1], 7),
        words_within(left, y + 27, room, lines[2], 6, color=GREY),
    ]
