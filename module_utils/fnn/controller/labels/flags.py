# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags for both ends of every cable: strips that wrap around it and stick back to back, readable from both sides.

    | patch  k07:0         |  around   | patch  k07:0         |
    |   R    k07:0/red:12  | the cable |   R    k07:0/red:12  |

Flags for node ends come first, node by node, then those for the other ends: an installer carries one strip at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .cabling import SERIALS, Cabling
from .panels import Panel, Place
from .paper import FAINT_CUT, GAP, LABEL_WIDTH, MM, DrawLabel, Group, Paper, place_sheets
from .qr_code import MODULE, encode
from .shapes import Line, Page, Shape
from .tables import list_ends, write_flag

#: The circumference of a 6 mm cable.
AROUND = 19 * MM
_HEIGHT = 31.0
_PAD = 3.0


@dataclass(frozen=True)
class Flag:
    """end: A or B. device: the node or switch at that end. identifier: of its cable."""

    end: str
    device: str
    identifier: str
    panel: Panel


@dataclass(frozen=True)
class FlagGroup:
    """title: which ends these flags are for."""

    title: str
    flags: Sequence[Flag]


def draw_flags(cabling: Cabling, paper: Paper, qr: bool = False) -> Iterator[Page]:
    """Sheets of flags to cut out; with serial numbers, each cable has two equal flags in a row."""
    groups = group_flags(cabling, qr)
    flags = [flag for group in groups for flag in group.flags]
    height = max([_HEIGHT, *(flag.panel.code.modules * MODULE for flag in flags if flag.panel.code)])
    fitting = all(flag.panel.fits(_place_half(0, 0, LABEL_WIDTH, height)) for flag in flags)
    width = LABEL_WIDTH if fitting else LABEL_WIDTH * 2 + GAP
    sheets = [
        Group(f"{cabling.cluster}: {group.title}", [_draw(flag, width, height) for flag in group.flags])
        for group in groups
    ]
    return place_sheets(paper, sheets, "fold around the cable between the dashed lines", width, height)


def group_flags(cabling: Cabling, qr: bool = False, plain: bool = False) -> list[FlagGroup]:
    """All flags in the order of printing. qr: with codes of the identifiers. plain: for printers with one color."""
    whole = (True, cabling.identify != SERIALS, True)  # With serial numbers, the second line is the cluster.
    flags = [
        Flag(
            end,
            this.device,
            cable.identifier,
            Panel(cable.color, write_flag(cabling, cable, this), code, plain, whole),
        )
        for cable in cabling.cables
        for code in [encode(cable.identifier) if qr else None]
        for end, this, _ in list_ends(cable)
    ]
    if cabling.identify == SERIALS:
        return [FlagGroup("cable flags", flags)]
    order = {node.name: node.rank for node in cabling.nodes}
    near = sorted((flag for flag in flags if flag.end == "A"), key=lambda each: order.get(each.device, len(order)))
    first, second = ("one end", "other end") if cabling.direct else ("node ends", "switch ends")
    far = [flag for flag in flags if flag.end == "B"]
    return [FlagGroup(f"flags, {first}", near), FlagGroup(f"flags, {second}", far)]


def draw_folds(x: float, y: float, width: float, height: float) -> list[Shape]:
    """The lines between which a flag of that size is folded around the cable."""
    half = (width - AROUND) / 2
    return [Line(at, y, at, y + height, FAINT_CUT, 0.4, dashed=True) for at in (x + half, x + half + AROUND)]


def _place_half(x: float, y: float, width: float, height: float) -> Place:
    half = (width - AROUND) / 2
    return Place(x + _PAD, y + _PAD, half - 2 * _PAD, height - 2 * _PAD, _PAD)


def _draw(flag: Flag, width: float, height: float) -> DrawLabel:
    right = (width + AROUND) / 2

    def draw(x: float, y: float) -> list[Shape]:
        shapes = draw_folds(x, y, width, height)
        for left in (x, x + right):
            shapes += flag.panel.draw(_place_half(left, y, width, height))
        return shapes

    return draw
