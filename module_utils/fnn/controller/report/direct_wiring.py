# SPDX-License-Identifier: GPL-3.0-or-later
"""The wiring of nodes that are joined by cables: the picture, and both ends of every cable."""

from __future__ import annotations

from ..labels.cabling import Cabling
from ..labels.direct_picture import draw_direct_picture
from ..labels.paint_svg import paint_svg
from .figure import Cell, Figure, Section, Table
from .slim_svg import slim_svg
from .wiring import MANY_NODES


def show_direct_wiring(cabling: Cabling) -> Section:
    """The picture, with the table of all cables. From 32 nodes on the table is first, and the picture is folded."""
    hue = "Color vision is not needed: a cable has a name, and its color has a name and a code."
    words = "A line is a cable, with the code of its color. The number at each end is the NIC."
    drawing = slim_svg(paint_svg(draw_direct_picture(cabling)).decode())
    folded = len(cabling.nodes) >= MANY_NODES
    picture = Figure("wiring", "Every cable", words, _list_cables(cabling), drawing, True, True, folded=folded)
    return Section("wiring", "Wiring", [hue], [picture])


def _list_cables(cabling: Cabling) -> Table:
    rows: list[list[Cell]] = [
        [switch.name, switch.color.name, switch.color.code, str(cable.near), str(cable.far)]
        for switch in cabling.fabric
        for cable in switch.cables.values()
    ]
    return Table(["cable", "color", "code", "one end", "other end"], rows)
