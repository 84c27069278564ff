# SPDX-License-Identifier: GPL-3.0-or-later
"""One label per node, to be stuck beside its NICs: their cables' colors in NIC order, as KLAT2's had them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .cabling import Cable, Cabling, NodeCables, SwitchCables
from .paper import GAP, LABEL_WIDTH, DrawLabel, Group, Paper, lay_out_sheets
from .patch import draw_patch
from .shapes import GREY, Box, Page, Shape, words_within

_PAD = 6.0
_HEAD = 30.0
_ROW = 47.0
_PATCH = 21.0
_NARROW, _WIDE = 6, 12


def draw_node_labels(cabling: Cabling, paper: Paper) -> list[Page]:
    """Sheets of them, all of one size."""
    most = max(len(node.nics) for node in cabling.nodes)
    wide = most > 4 * _NARROW
    columns = _WIDE if wide else min(_NARROW, max(3, most))
    width = LABEL_WIDTH * 2 + GAP if wide else LABEL_WIDTH
    height = _HEAD + math.ceil(most / columns) * _ROW + 2
    labels = [_draw(cabling, node, width, columns) for node in cabling.nodes]
    remark = "cables in NIC order: color, code, switch"
    return lay_out_sheets(paper, [Group(f"{cabling.cluster}: node labels", labels)], remark, width, height)


def _draw(cabling: Cabling, node: NodeCables, width: float, columns: int) -> DrawLabel:
    def draw(x: float, y: float) -> list[Shape]:
        right = f"{cabling.cluster}, rank {node.rank}" + (f", rack {node.rack}" if node.rack else "")
        half = (width - 2 * _PAD) / 2
        return [
            words_within(x + _PAD, y + 22, half, node.name, 20, True),
            words_within(x + _PAD + half + 4, y + 22, half - 4, right, 7.5, color=GREY, anchor="end"),
            *draw_nics(node, cabling.switches, x + _PAD, y + _HEAD, width - 2 * _PAD, columns),
        ]

    return draw


def draw_nics(
    node: NodeCables, switches: Sequence[SwitchCables], x: float, y: float, width: float, columns: int
) -> list[Shape]:
    """A patch for each NIC in rows of `columns`, its name above and its cable's color and switch below."""
    colors = {switch.name: switch.color.name for switch in switches}
    step = width / columns
    shapes: list[Shape] = []
    for index, (name, cable) in enumerate(node.nics):
        left, top = x + index % columns * step, y + index // columns * _ROW
        shapes += _draw_nic(name, cable, colors, left + 1.5, top, step - 3)
    return shapes


def _draw_nic(
    name: str, cable: Cable | None, colors: dict[str, str], x: float, y: float, width: float
) -> list[Shape]:
    above = words_within(x, y + 6, width, f"NIC {name}", 6.5, color=GREY, anchor="middle")
    if cable is None:
        return [
            above,
            Box(x, y + 9, width, _PATCH, line=GREY, dashed=True),
            words_within(x, y + 9 + _PATCH + 7.5, width, "no cable", 6.5, color=GREY, anchor="middle"),
        ]
    below = [words_within(x, y + 9 + _PATCH + 7.5, width, cable.color.name, 7.5, True, anchor="middle")]
    if cable.far.device.upper() != colors[cable.far.device]:
        below.append(words_within(x, y + 9 + _PATCH + 14.5, width, cable.far.device, 6, anchor="middle"))
    return [above, *draw_patch(cable.color, x, y + 9, width, _PATCH), *below]
