# SPDX-License-Identifier: GPL-3.0-or-later
"""The wiring in the colors of the switches: single cables if every node has its own row, bundles otherwise.

switches              nodes                     R   B   G
[ R red  ]=====\\=====  k0000-k0048  49 nodes   49  .   49
[ B blue ]======\\====  k0049-k0097  49 nodes   .   49  49
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...shared.errors import count
from ..design.single_switches import describe_lost_pairs
from ..labels.cabling import Cabling, SwitchCables
from ..labels.jackets import INK, PAPER, choose_ink
from ..labels.paint_svg import paint_svg
from ..labels.patch import draw_patch
from ..labels.picture import draw_picture
from ..labels.shapes import FAINT, GREY, Box, Curve, Line, Page, Shape, Style, Words, measure, words_within
from ..labels.trunks import describe_trunk_cables, draw_trunks, list_trunk_cables
from ..segments import is_neighborhood_network
from .figure import Cell, Figure, Section, Table
from .groups import Group, group_nodes
from .matrix import make_wiring_matrix
from .slim_svg import slim_svg

_PAD, _HEAD, _ROW, _SWITCH, _GAP, _CELL = 24.0, 58.0, 22.0, 110.0, 240.0, 30.0
#: Nodes from which on the matrix is first, and the drawing is folded.
MANY_NODES = 32
#: Columns of a matrix that fit into half the width of the page.
_NARROW = 10
#: Thickness of the largest bundle.
_BUNDLE = 9.0


def show_wiring(design: Mapping[str, Any], cabling: Cabling) -> Section:
    """The matrix, the drawing with the table of all cables, and the table of switches.

    From 32 nodes on the lines of the drawing are too dense to follow; then the matrix is first.
    """
    groups = group_nodes(design)
    matrix, drawing = _show_matrix(design, cabling, groups), _show_drawing(design, cabling, groups)
    ports = "All ports of a switch with the same medium and speed are interchangeable."
    switches = Figure("switches", "The switches", ports, _list_switches(cabling))
    hue = "Color vision is not needed: a switch has a name, and the color of its cables has a name and a code."
    order = [matrix, switches, drawing] if drawing.folded else [drawing, matrix, switches]
    return Section("wiring", "Wiring", [hue], order)


def _show_matrix(design: Mapping[str, Any], cabling: Cabling, groups: Sequence[Group]) -> Figure:
    single = len(groups) == len(design["nodes"])
    chosen = is_neighborhood_network(design["spec"])
    failing = describe_lost_pairs(design) if chosen else "They have no path until the repair."
    matrix = make_wiring_matrix(design, cabling, groups, failing if len(cabling.fabric) > 1 else "")
    words = (
        "A cell has the number of the NIC by which the node is on the switch. The first NIC is 0."
        if single
        else f"A cell has the number of nodes of the row on the switch. {_describe_rows(groups)}"
    )
    table = Table(["node" if single else "nodes", *(each.name for each in matrix.columns)], matrix.list_rows(), False)
    wide = len(matrix.columns) > _NARROW
    return Figure("matrix", "Nodes and switches", words, table, wide=wide, matrix=matrix)


def _show_drawing(design: Mapping[str, Any], cabling: Cabling, groups: Sequence[Group]) -> Figure:
    drawn = len(groups) == len(design["nodes"])
    page = draw_picture(cabling) if drawn else draw_bundles(design, cabling, groups)
    words = (
        "A line is a cable from its switch to its node. At the right is the NIC by which a node is on a switch."
        if drawn
        else "A line is a bundle of cables, thicker for more cables. At the right is the number of nodes of a row on"
        f" each switch. {_describe_rows(groups)}"
    )
    if list_trunk_cables(cabling):
        words += " A curve at the left is a trunk: the cables between two switches."
    svg = slim_svg(paint_svg(page).decode())
    folded = len(design["nodes"]) >= MANY_NODES
    return Figure("wiring", "Every cable", words, _list_cables(cabling), svg, True, True, folded=folded)


def _describe_rows(groups: Sequence[Group]) -> str:
    if groups[0].alike:
        return "The nodes of a row are on the same switches."
    return "The nodes of a row have adjacent ranks."


def _list_cables(cabling: Cabling) -> Table:
    """Cables of nodes, then those between the switches of a tree."""
    rows: list[list[Cell]] = [
        [node.name, name, cable.far.device, cable.color.name, cable.color.code]
        for node in cabling.nodes
        for name, cable in node.nics
        if cable
    ]
    rows += [
        [cable.near.device, cable.near.port, cable.far.device, cable.color.name, cable.color.code]
        for cable in list_trunk_cables(cabling)
    ]
    return Table(["node", "NIC", "switch", "color", "code"], rows, shown=False)


def _list_switches(cabling: Cabling) -> Table:
    """In each row, cables and free ports add up to the ports."""
    names = {switch.name for switch in cabling.switches}
    linked = any(switch.linked for switch in cabling.switches)
    rows: list[list[Cell]] = []
    for switch in cabling.switches:
        joined = len(switch.linked) + sum(cable.near.device in names for cable in switch.cables.values())
        row = [len(switch.cables) + len(switch.linked) - joined, *([joined] if linked else []), len(switch.free)]
        rows.append([switch.name, switch.color.name, switch.color.code, *row, switch.ports])
    others = any(rows[at][3] for at, switch in enumerate(cabling.switches) if switch.name == cabling.uplink)
    columns = [
        f"cables to nodes{', spares and hosts' if others else ''}",
        *(["cables to switches"] if linked else []),
        "free ports",
        "ports",
    ]
    return Table(["switch", "color", "code", *columns], rows)


@dataclass(frozen=True)
class _Bundles:
    """The layout of a picture of bundles. counts: per group, the number of its nodes on each switch."""

    switches: Sequence[SwitchCables]
    groups: Sequence[Group]
    counts: Sequence[Mapping[str, int]]
    matrix: float
    height: float

    def find_row(self, at: int) -> float:
        return _PAD + _HEAD + at * self.height / len(self.groups)

    def find_switch(self, at: int) -> float:
        return _PAD + _HEAD + at * self.height / len(self.switches)


def draw_bundles(design: Mapping[str, Any], cabling: Cabling, groups: Sequence[Group]) -> Page:
    """One page: switches, a bundle from each to every group with nodes on it, and a matrix of node counts."""
    switches = cabling.fabric
    counts = [
        Counter(link["switch"] for rank in group.ranks for link in design["nodes"][rank]["links"]) for group in groups
    ]
    names = max(measure(group.name, 8.5, True) + measure(_count_nodes(group), 7.5, False) for group in groups) + 24
    matrix = _PAD + _SWITCH + _GAP + names
    height = max(len(groups) * _ROW, len(switches) * 26.0)
    frame = _Bundles(switches, groups, counts, matrix, height)
    page = Page(matrix + len(switches) * _CELL + _PAD, height + _HEAD + 2 * _PAD, title=f"Wiring of {cabling.cluster}")
    page.add(Box(0, 0, page.width, page.height, fill=PAPER))
    page.add(*_draw_head(cabling, frame))
    page.add(*_draw_bundles(frame))
    half = height / len(switches) / 2
    page.add(*draw_trunks(cabling, _PAD, _PAD, lambda index: frame.find_switch(index) + half))
    for at, switch in enumerate(switches):
        page.add(*_draw_switch(switch, frame, at))
    for at, group in enumerate(groups):
        page.add(*_draw_group(group, frame, at))
    return page


def _draw_head(cabling: Cabling, frame: _Bundles) -> Iterator[Shape]:
    cables = sum(len(switch.cables) for switch in frame.switches)
    numbers = (
        f"{len(cabling.nodes)} nodes in {len(frame.groups)} rows, {len(frame.switches)} switches, {cables} node cables"
    )
    numbers += describe_trunk_cables(cabling)
    yield words_within((_PAD, _PAD + 14, frame.matrix - _PAD), f"Wiring of {cabling.cluster}", Style(16, True))
    yield words_within((_PAD, _PAD + 29, frame.matrix - _PAD), numbers, Style(9, color=GREY))
    yield Words(frame.matrix - 6, _PAD + _HEAD - 12, "nodes on the switch", 7.5, color=GREY, anchor="end")
    for at, switch in enumerate(frame.switches):
        x = frame.matrix + at * _CELL
        yield words_within((x + 1, _PAD + _HEAD - 27, _CELL - 2), switch.name, Style(7, anchor="middle"))
        yield from draw_patch(switch.color, x + 1, _PAD + _HEAD - 22, _CELL - 2, 15)


def _draw_bundles(frame: _Bundles) -> Iterator[Shape]:
    most = max(max(counts.values(), default=1) for counts in frame.counts)
    end = _PAD + _SWITCH + _GAP
    row, part = frame.height / len(frame.groups), frame.height / len(frame.switches)
    for number, switch in enumerate(frame.switches):
        there = [at for at, counts in enumerate(frame.counts) if counts[switch.name]]
        for place, at in enumerate(there, start=1):
            cables = frame.counts[at][switch.name]
            y, goal = frame.find_switch(number) + part * place / (len(there) + 1), frame.find_row(at) + row / 2
            points = ((_PAD + _SWITCH, y), (_PAD + _SWITCH + _GAP * 0.45, y), (end - _GAP * 0.45, goal), (end, goal))
            label = f"{count(cables, 'cable')} from {switch.name} to {frame.groups[at].name}"
            thickness = max(1.0, _BUNDLE * cables / most)
            yield Curve(points, INK if choose_ink(switch.color.rgb) == INK else switch.color.rgb, thickness + 0.8)
            yield Curve(points, switch.color.rgb, thickness, title=label)
            if switch.color.stripe_rgb:
                yield Curve(points, switch.color.stripe_rgb, thickness / 2, dashed=True)


def _draw_switch(switch: SwitchCables, frame: _Bundles, at: int) -> Iterator[Shape]:
    top, height = frame.find_switch(at) + 2, frame.height / len(frame.switches) - 4
    yield Box(_PAD, top, _SWITCH, height, fill=PAPER, line=INK, thickness=0.8)
    y = top + height / 2
    yield from draw_patch(switch.color, _PAD + 4, y - 9, 30.0, 18)
    yield words_within((_PAD + 39, y - 1, _SWITCH - 42), switch.name, Style(9, True))
    yield words_within((_PAD + 39, y + 8, _SWITCH - 42), count(len(switch.cables), "node"), Style(7, color=GREY))


def _draw_group(group: Group, frame: _Bundles, at: int) -> Iterator[Shape]:
    top, row = frame.find_row(at), frame.height / len(frame.groups)
    left, y = _PAD + _SWITCH + _GAP, top + row / 2
    if at:
        yield Line(left, top, frame.matrix + len(frame.switches) * _CELL, top, FAINT, 0.3)
    yield Words(left + 6, y + 3, group.name, 8.5, True)
    yield Words(frame.matrix - 6, y + 3, _count_nodes(group), 7.5, color=GREY, anchor="end")
    for column, switch in enumerate(frame.switches):
        nodes = frame.counts[at][switch.name]
        if nodes:
            x = frame.matrix + column * _CELL
            yield Box(x + 1, top + 1.5, _CELL - 2, row - 3, fill=switch.color.rgb, line=INK, thickness=0.4)
            style = Style(8, color=choose_ink(switch.color.rgb), anchor="middle")
            yield words_within((x + 2, y + 3, _CELL - 4), str(nodes), style)


def _count_nodes(group: Group) -> str:
    return count(len(group.ranks), "node")
