# SPDX-License-Identifier: GPL-3.0-or-later
"""One label per node, to stick beside its NICs: the colors of their cables in NIC order, as on KLAT2's nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from .cabling import Cabling, LabeledCable, NodeCables
from .paper import GAP, LABEL_WIDTH, DrawLabel, Group, Paper, place_sheets
from .patch import draw_patch
from .shapes import GREY, Box, Page, Shape, Style, fits, words_within

_PAD = 6.0
_HEAD = 30.0
#: Height of a NIC's patch with the text above and below it.
NIC_HEIGHT = 47.0
_PATCH = 21.0
#: Most NICs per row of a narrow and of a wide label, and most NICs of a node with a narrow one.
_NARROW, _WIDE, _MANY = 6, 12, 24
_SMALL = Style(6.5, color=GREY, anchor="middle")
_COLOR = Style(7.5, bold=True, anchor="middle")
_SWITCH = Style(6, anchor="middle")


def draw_node_labels(cabling: Cabling, paper: Paper) -> Iterator[Page]:
    """Sheets of node labels, all of one size."""
    most = max(len(node.nics) for node in cabling.nodes)
    wide = most > _MANY
    width = LABEL_WIDTH * 2 + GAP if wide else LABEL_WIDTH
    columns = _count_columns(cabling, width - 2 * _PAD, min(_WIDE if wide else _NARROW, max(2, most)))
    height = _HEAD + math.ceil(most / columns) * NIC_HEIGHT + 2
    labels = [_draw(cabling, node, width, columns) for node in cabling.nodes]
    remark = f"cables in NIC order: color, code, {'other node' if cabling.direct else 'switch'}"
    return place_sheets(paper, [Group(f"{cabling.cluster}: node labels", labels)], remark, width, height)


def _count_columns(cabling: Cabling, width: float, most: int) -> int:
    """The most patches per row that leave room for the longest name below each."""
    names = [
        (text, style) for each in cabling.fabric for text, style in ((each.color.name, _COLOR), (each.name, _SWITCH))
    ]
    able = (
        columns
        for columns in range(most, 1, -1)
        if all(fits(text, width / columns - 3, style) for text, style in names)
    )
    return next(able, 1)


def _draw(cabling: Cabling, node: NodeCables, width: float, columns: int) -> DrawLabel:
    def draw(x: float, y: float) -> list[Shape]:
        right = f"{cabling.cluster}, rank {node.rank}" + (f", rack {node.rack}" if node.rack else "")
        half = (width - 2 * _PAD) / 2
        return [
            words_within((x + _PAD, y + 22, half), node.name, Style(20, True)),
            words_within((x + _PAD + half + 4, y + 22, half - 4), right, Style(7.5, color=GREY, anchor="end")),
            *draw_nics(node.nics, (x + _PAD, y + _HEAD, width - 2 * _PAD), columns),
        ]

    return draw


def draw_nics(
    nics: Sequence[tuple[str, LabeledCable | None]], place: tuple[float, float, float], columns: int
) -> list[Shape]:
    """A patch for each NIC in rows of `columns`, its name above and its cable's color and switch below.

    place: left, top and width of all of them.
    """
    left, top, width = place
    step = width / columns
    shapes: list[Shape] = []
    for index, (name, cable) in enumerate(nics):
        x, y = left + index % columns * step + 1.5, top + index // columns * NIC_HEIGHT
        shapes.append(words_within((x, y + 6, step - 3), f"NIC {name}", _SMALL))
        shapes += _draw_nic(cable, x, y + 9, step - 3)
    return shapes


def _draw_nic(cable: LabeledCable | None, x: float, y: float, width: float) -> list[Shape]:
    below = (x, y + _PATCH + 7.5, width)
    if cable is None:
        return [Box(x, y, width, _PATCH, line=GREY, dashed=True), words_within(below, "no cable", _SMALL)]
    shapes = [*draw_patch(cable.color, x, y, width, _PATCH), words_within(below, cable.color.name, _COLOR)]
    if cable.far.device.upper() != cable.color.name:
        shapes.append(words_within((x, y + _PATCH + 14.5, width), cable.far.device, _SWITCH))
    return shapes
