# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of cables and nodes on sheets and tapes that are sold as such, instead of paper to cut out.

A wide label is a flag: it is folded around the cable and its halves stick together. A narrow one wraps the cable along
its length; if it is high enough it has its text twice, so that one is in view from either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...shared.errors import FnnError, Problem
from .cabling import Cabling, NodeCables
from .flags import AROUND, draw_folds, group_flags
from .node_on_label import draw_node_on, fits_node, measure_node
from .panels import Panel, Place
from .paper import MM, DrawLabel
from .shapes import Page, Shape
from .sheets import VARIABLE, Sheet, Tape

Offset = tuple[float, float]
#: The places of a label's text, by the label's top left corner.
PlacePanels = Callable[[Sheet, float, float], "list[Place]"]
#: The narrowest label that is a flag: two halves of 16 mm and the cable between them.
_LEAST_FLAG = AROUND + 2 * 16 * MM
#: The least height of a label that wraps a 6 mm cable, and so has its text twice.
_LEAST_TWICE = 18 * MM
#: Points between a text and a fold, and between two texts.
_GAP = 3.0


def draw_sheet_flags(cabling: Cabling, sheet: Sheet, offset: Offset = (0, 0), qr: bool = False) -> Iterator[Page]:
    """Labels for both ends of every cable. Raises FnnError if the text or the QR code is too large for the sheet."""
    groups = group_flags(cabling, qr)
    place_panels = _choose_layout(sheet, [flag.panel for group in groups for flag in group.flags])
    labels = [(group.title, _draw_panels(flag.panel, sheet, place_panels)) for group in groups for flag in group.flags]
    return place_on_sheets(sheet, labels, offset)


def draw_sheet_nodes(cabling: Cabling, sheet: Sheet, offset: Offset = (0, 0)) -> Iterator[Page]:
    """A label per node. Raises FnnError if a node has too many NICs for the sheet."""
    for node in cabling.nodes:
        if not fits_node(node, _place_inside(sheet, 0, 0)):
            text = f"the label of node {node.name} with {len(node.nics)} NICs does not fit on {sheet.name}"
            raise FnnError([Problem(VARIABLE, text)])
    labels = [("node labels", _draw_node(cabling, node, sheet)) for node in cabling.nodes]
    return place_on_sheets(sheet, labels, offset)


def draw_tape_flags(cabling: Cabling, tape: Tape, qr: bool = False) -> Iterator[Page]:
    """A page per flag, as wide as the flag is long and as high as the tape. Raises FnnError for too large a QR code."""
    groups = group_flags(cabling, qr, plain=True)
    height, top = tape.printed * MM, (tape.width - tape.printed) / 2 * MM
    panels = [flag.panel for group in groups for flag in group.flags]
    half = max(panel.measure(height) for panel in panels)
    for group in groups:
        for index, flag in enumerate(group.flags):
            places = [Place(_GAP + at, top, half, height, _GAP) for at in (0.0, half + 2 * _GAP + AROUND)]
            if not all(flag.panel.fits(place) for place in places):
                raise FnnError([Problem(VARIABLE, _describe_large(tape, flag.panel))])
            width = 2 * (half + 2 * _GAP) + AROUND
            page = Page(width, tape.width * MM, title=group.title if index == 0 else "")
            page.add(*draw_folds(0, 0, width, tape.width * MM))
            page.add(*(shape for place in places for shape in flag.panel.draw(place)))
            yield page


def draw_tape_nodes(cabling: Cabling, tape: Tape) -> Iterator[Page]:
    """A page per node, as wide as the label is long."""
    height, top = tape.printed * MM, (tape.width - tape.printed) / 2 * MM
    for index, node in enumerate(cabling.nodes):
        width = measure_node(node, height)
        page = Page(width + 2 * _GAP, tape.width * MM, title="node labels" if index == 0 else "")
        page.add(*draw_node_on(cabling, node, Place(_GAP, top, width, height), plain=True))
        yield page


def place_on_sheets(sheet: Sheet, labels: Sequence[tuple[str, DrawLabel]], offset: Offset) -> Iterator[Page]:
    """Sheets filled in reading order, without gaps between groups. labels: (group, drawing); a group has a bookmark."""
    paper = (sheet.paper[0] * MM, sheet.paper[1] * MM)
    before = ""
    for start in range(0, len(labels), sheet.labels):
        page = Page(*paper)
        for index, (title, draw) in enumerate(labels[start : start + sheet.labels]):
            if title != before:
                page.bookmarks.append(title)
                before = title
            page.add(*draw(*sheet.place(index, offset)))
        yield page


def _place_inside(sheet: Sheet, x: float, y: float) -> Place:
    """The part of a label that is printed on."""
    (width, height), (across, down) = sheet.size, sheet.pad
    return Place(x + across, y + down, width - 2 * across, height - 2 * down, min(across, down))


def _place_flag(sheet: Sheet, x: float, y: float) -> list[Place]:
    """The halves of a label that is folded around the cable."""
    inside, half = _place_inside(sheet, x, y), (sheet.size[0] - AROUND) / 2
    width = half - sheet.pad[0] - _GAP
    return [
        Place(inside.x, inside.y, width, inside.height, _GAP),
        Place(x + half + AROUND + _GAP, inside.y, width, inside.height, _GAP),
    ]


def _place_twice(sheet: Sheet, x: float, y: float) -> list[Place]:
    """The text of a label that wraps the cable, twice."""
    inside = _place_inside(sheet, x, y)
    height = (inside.height - _GAP) / 2
    return [Place(inside.x, inside.y + at, inside.width, height, _GAP / 2) for at in (0.0, height + _GAP)]


def _place_once(sheet: Sheet, x: float, y: float) -> list[Place]:
    return [_place_inside(sheet, x, y)]


def _choose_layout(sheet: Sheet, panels: Sequence[Panel]) -> PlacePanels:
    """The first layout in which all panels are readable. Raises FnnError if there is none."""
    layouts: list[PlacePanels] = [_place_flag] if sheet.size[0] >= _LEAST_FLAG else []
    layouts += [_place_twice, _place_once] if sheet.size[1] >= _LEAST_TWICE else [_place_once]
    large: list[Panel] = []
    for place_panels in layouts:
        places = place_panels(sheet, 0, 0)
        large = [panel for panel in panels if not all(panel.fits(place) for place in places)]
        if not large:
            return place_panels
    raise FnnError([Problem(VARIABLE, _describe_large(sheet, large[0]))])


def _draw_node(cabling: Cabling, node: NodeCables, sheet: Sheet) -> DrawLabel:
    return lambda x, y: list(draw_node_on(cabling, node, _place_inside(sheet, x, y)))


def _draw_panels(panel: Panel, sheet: Sheet, place_panels: PlacePanels) -> DrawLabel:
    def draw(x: float, y: float) -> list[Shape]:
        inside = _place_inside(sheet, x, y)
        folds = draw_folds(x, inside.y, sheet.size[0], inside.height) if place_panels is _place_flag else []
        return [*folds, *(shape for place in place_panels(sheet, x, y) for shape in panel.draw(place))]

    return draw


def _describe_large(stock: Sheet | Tape, panel: Panel) -> str:
    code = " with its QR code (fnn_labels_qr)" if panel.code else ""
    return f"the label of {panel.lines[0]} ({panel.lines[1]}){code} does not fit on {stock.name}"
