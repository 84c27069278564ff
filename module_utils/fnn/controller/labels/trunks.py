# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between the switches of a tree: bows at the left of the switches in a picture, one for each trunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...shared.errors import count
from .cabling import Cabling, LabeledCable
from .jackets import INK, choose_ink
from .shapes import Curve, Shape, Words


def list_trunk_cables(cabling: Cabling) -> list[LabeledCable]:
    """Every cable between two switches of a tree once; not those to the uplink switch."""
    cables = [cable for switch in cabling.fabric for cable in switch.linked.values() if cable in switch.own]
    return [cable for cable in cables if cable.far.device != cabling.uplink]


def draw_trunks(cabling: Cabling, left: float, room: float, find_middle: Callable[[int], float]) -> Iterator[Shape]:
    """left: edge of the switches. room: beside it. find_middle: the height of a switch, by its index."""
    rank = {switch.name: index for index, switch in enumerate(cabling.fabric)}
    cables = list_trunk_cables(cabling)
    widths = Counter((cable.near.device, cable.far.device) for cable in cables)
    colors = {(cable.near.device, cable.far.device): cable.color for cable in cables}
    for (one, other), number in widths.items():
        top, bottom, color = find_middle(rank[one]), find_middle(rank[other]), colors[one, other]
        # Bows between adjacent switches are flatter, so that they do not cover those that pass them.
        out = left - room * (0.6 if abs(rank[one] - rank[other]) == 1 else 1.0)
        points = ((left, top), (out, top), (out, bottom), (left, bottom))
        yield Curve(points, INK if choose_ink(color.rgb) == INK else color.rgb, 3.4)
        yield Curve(points, color.rgb, 2.5, title=f"{count(number, 'cable')} from {one} to {other}")
        if color.stripe_rgb:
            yield Curve(points, color.stripe_rgb, 2.5, dashed=True)
        if number > 1:
            yield Words(left - 3, (top + bottom) / 2 + 3, str(number), 8, True, anchor="end")


def describe_trunk_cables(cabling: Cabling) -> str:
    """ ", 1 cable between switches"; nothing without a tree."""
    number = len(list_trunk_cables(cabling))
    return f", {count(number, 'cable')} between switches" if number else ""
