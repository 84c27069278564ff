# SPDX-License-Identifier: GPL-3.0-or-later
"""The label of a node in a place of any size, as labels and tapes that are for sale give it.

A high place has the name above the patches, a low one, such as tape, at their left. Where there is little room, the
names of the NICs go first and then those of the colors; the patches with their codes remain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .cabling import Cabling, LabeledCable, NodeCables
from .panels import Place
from .patch import choose_patch
from .shapes import GREY, LEAST, Box, Shape, Style, Words, fits, measure, words_within

#: The height from which the name stands above the patches.
_HIGH = 46.0
#: The name's part of a high place, of a low place, and its largest font size.
_ABOVE, _BESIDE, _NAME = 0.27, 0.34, 22.0
#: The smallest readable cell of a NIC.
_LEAST_CELL = (13.0, 9.0)
#: The usual width of a cell on tape, per point of height, and its limits.
_TAPE_CELL, _TAPE_LIMITS = 1.5, (30.0, 60.0)
#: The least heights of a cell with the name of its color, and also with that of the NIC.
_WITH_COLOR, _WITH_NIC = 17.0, 27.0
_GAP = 1.5


@dataclass(frozen=True)
class _Grid:
    """The cells of the NICs: columns, and the size of a cell."""

    columns: int
    width: float
    height: float


def fits_node(node: NodeCables, place: Place) -> bool:
    """Whether the codes of all NICs are readable there."""
    grid = _choose_grid(len(node.nics), _split(place)[1])
    return grid.width >= _LEAST_CELL[0] and grid.height >= _LEAST_CELL[1]


def measure_node(node: NodeCables, height: float) -> float:
    """The width of a label on tape of which that height is printed."""
    least, most = _TAPE_LIMITS
    cells = len(node.nics) * max(least, min(most, height * _TAPE_CELL))
    return cells + measure(node.name, min(_NAME, height * 0.6), True) + 8 if height < _HIGH else max(cells, 90.0)


def draw_node_on(cabling: Cabling, node: NodeCables, place: Place, plain: bool = False) -> Iterator[Shape]:
    """The shapes of the label. plain: for printers with one color."""
    head, body = _split(place)
    yield from _draw_head(cabling, node, head, place.height >= _HIGH)
    grid = _choose_grid(len(node.nics), body)
    for index, (name, cable) in enumerate(node.nics):
        x = body.x + index % grid.columns * grid.width
        y = body.y + index // grid.columns * grid.height
        yield from _draw_cell(name, cable, Place(x, y, grid.width - _GAP, grid.height - _GAP), plain)


def _split(place: Place) -> tuple[Place, Place]:
    """The places of the name and of the patches."""
    if place.height >= _HIGH:
        above = min(_NAME * 1.3, place.height * _ABOVE)
        return (
            Place(place.x, place.y, place.width, above),
            Place(place.x, place.y + above, place.width, place.height - above),
        )
    beside = min(place.width * _BESIDE, 110.0)
    left = place.x + beside
    return Place(place.x, place.y, beside - 4, place.height), Place(left, place.y, place.width - beside, place.height)


def _draw_head(cabling: Cabling, node: NodeCables, head: Place, above: bool) -> Iterator[Shape]:
    size = min(_NAME, head.height * 0.8)
    if not above:
        size = min(_NAME, head.height * 0.6)
        yield words_within((head.x, head.y + head.height / 2 + size * 0.36, head.width), node.name, Style(size, True))
        return
    name = words_within((head.x, head.y + size * 0.86, head.width), node.name, Style(size, True))
    yield name
    right = f"{cabling.cluster}, rank {node.rank}" + (f", rack {node.rack}" if node.rack else "")
    room = head.width - name.width - 6
    style = Style(max(LEAST, min(7.5, size * 0.5)), color=GREY, anchor="end")
    if room > 0 and fits(right, room, style):
        yield words_within((head.x + head.width - room, name.y, room), right, style)


def _choose_grid(nics: int, body: Place) -> _Grid:
    """The columns that make the patches largest; a patch may be twice as wide as high."""
    grids = [_Grid(n, body.width / n, body.height / math.ceil(nics / n)) for n in range(1, nics + 1)]
    return max(grids, key=lambda each: (min(each.width / 2, each.height), -each.columns))


def _draw_cell(name: str, cable: LabeledCable | None, cell: Place, plain: bool) -> Iterator[Shape]:
    top, bottom = cell.y, cell.y + cell.height
    small = max(LEAST, min(7.5, cell.height * 0.17))
    if cell.height >= _WITH_NIC and fits(f"NIC {name}", cell.width, Style(small)):
        yield words_within((cell.x, top + small * 0.8, cell.width), f"NIC {name}", Style(small, False, GREY, "middle"))
        top += small * 1.1
    below = cable.color.name if cable else "no cable"
    if cell.height >= _WITH_COLOR and fits(below, cell.width, Style(small, True)):
        yield _write_below(below, cell, small)
        bottom -= small * 1.2
    if cable is None:
        yield Box(cell.x, top, cell.width, bottom - top, line=GREY, dashed=True)
    else:
        yield from choose_patch(plain)(cable.color, cell.x, top, cell.width, bottom - top)


def _write_below(text: str, cell: Place, size: float) -> Words:
    return words_within(
        (cell.x, cell.y + cell.height - size * 0.24, cell.width), text, Style(size, True, anchor="middle")
    )
