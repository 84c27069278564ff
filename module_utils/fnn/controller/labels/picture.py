# SPDX-License-Identifier: GPL-3.0-or-later
"""The wiring as one picture: cables drawn from switches to nodes, and a matrix beside them.

Hundreds of cables between two columns cannot be traced by eye. The row of each node therefore continues to the right
as a row of a matrix with one column per switch. The matrix shows which switches a node is on and by which NIC; the
drawing shows how full the switches are, and which are idle.

    switches            nodes     R  B  G
    [ RED  ]=====\\===[R B] k00   0  1  .
    [ BLUE ]======\\==[R G] k01   0  .  1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...shared.errors import count
from .cabling import Cabling, LabeledCable, NodeCables, SwitchCables
from .jackets import INK, PAPER, choose_ink
from .patch import draw_patch
from .shapes import FAINT, GREY, Box, Curve, Line, Page, Shape, Style, Words, fit, measure, words_within
from .trunks import describe_trunk_cables, draw_trunks

_PAD = 24.0
_HEAD = 58.0
_ROW = 15.0
_SWITCH = 92.0
_GAP = 250.0
_NIC = 19.0
#: Least and greatest width of a matrix column; its longest word decides.
_CELL = (24.0, 64.0)
_TITLE = 16.0
_NAME = 8.5


@dataclass(frozen=True)
class _Frame:
    """Left edges of a picture's columns, and its size."""

    nics: float
    names: float
    matrix: float
    cell: float
    width: float
    height: float
    bottom: float


def draw_picture(cabling: Cabling) -> Page:
    """One page, as large as needed. It omits the uplink switch, which nodes do not use among themselves."""
    switches = cabling.fabric
    frame = _make_frame(cabling, switches)
    page = Page(frame.width, frame.height, title=f"Wiring of {cabling.cluster}")
    page.add(Box(0, 0, frame.width, frame.height, fill=PAPER))
    page.add(*_draw_head(cabling, switches, frame))
    page.add(*_draw_grid(cabling, switches, frame))
    page.add(*_draw_cables(cabling, switches, frame))
    half = _switch_height(switches, frame) / 2
    page.add(*draw_trunks(cabling, _PAD, _PAD, lambda index: _switch_top(index, switches, frame) + half))
    for index, switch in enumerate(switches):
        page.add(*_draw_switch(switch, _switch_top(index, switches, frame), _switch_height(switches, frame)))
    for node in cabling.nodes:
        page.add(*_draw_node(node, switches, frame))
    return page


def _make_frame(cabling: Cabling, switches: Sequence[SwitchCables]) -> _Frame:
    names = max(measure(node.name, _NAME, True) for node in cabling.nodes) + 10
    nics = max(len(node.nics) for node in cabling.nodes) * _NIC
    left = _PAD + _SWITCH + _GAP
    matrix = left + nics + 6 + names
    cell = _measure_cell(cabling, switches)
    rows = max(len(cabling.nodes) * _ROW, len(switches) * 30.0)
    bottom = _PAD + _HEAD + rows
    width = max(matrix + len(switches) * cell + _PAD, 480.0)
    return _Frame(left, left + nics + 6, matrix, cell, width, bottom + _PAD, bottom)


def _measure_cell(cabling: Cabling, switches: Sequence[SwitchCables]) -> float:
    words = {name for node in cabling.nodes for name, _ in node.nics} | {
        each.name for each in switches if _is_odd(each)
    }
    least, most = _CELL
    return min(most, max(least, *(measure(each, 7, False) + 8 for each in words)))


def _is_odd(switch: SwitchCables) -> bool:
    """Whether the name of the switch differs from the name of its color."""
    return switch.name.upper() != switch.color.name


def _draw_head(cabling: Cabling, switches: Sequence[SwitchCables], frame: _Frame) -> Iterator[Shape]:
    cables = sum(len(switch.cables) for switch in switches)
    parts = (count(len(cabling.nodes), "node"), count(len(switches), "switch"), count(cables, "node cable"))
    numbers = f"{', '.join(parts)}{describe_trunk_cables(cabling)}"
    yield words_within((_PAD, _PAD + 14, frame.nics - _PAD - 12), f"Wiring of {cabling.cluster}", Style(_TITLE, True))
    yield words_within((_PAD, _PAD + 29, frame.nics - _PAD - 12), numbers, Style(9, color=GREY))
    yield Words(frame.matrix - 6, _PAD + _HEAD - 26, "NIC of the node", 7.5, color=GREY, anchor="end")
    yield Words(frame.matrix - 6, _PAD + _HEAD - 17, "on the switch", 7.5, color=GREY, anchor="end")
    for index, switch in enumerate(switches):
        x = frame.matrix + index * frame.cell
        yield from draw_patch(switch.color, x + 1, _PAD + _HEAD - 25, frame.cell - 2, 15)
        if _is_odd(switch):
            yield words_within((x + 1, _PAD + _HEAD - 30, frame.cell - 2), switch.name, Style(7, anchor="middle"))


def _draw_grid(cabling: Cabling, switches: Sequence[SwitchCables], frame: _Frame) -> Iterator[Shape]:
    """Faint lines between the rows, a stronger one every eighth row."""
    for node in cabling.nodes:
        y = _node_top(node)
        if node.rank % 8 == 0 and node.rank:
            yield Line(frame.names, y, frame.matrix + len(switches) * frame.cell, y, GREY, 0.6)
        elif node.rank:
            yield Line(frame.names, y, frame.matrix + len(switches) * frame.cell, y, FAINT, 0.25)


def _draw_cables(cabling: Cabling, switches: Sequence[SwitchCables], frame: _Frame) -> Iterator[Shape]:
    """Cables from a switch's right side, in rank order from the top, to NICs; dark edges keep light jackets visible."""
    place = {cable.far: (node, nic) for node in cabling.nodes for nic, (_, cable) in enumerate(node.nics) if cable}
    height = _switch_height(switches, frame)
    for number, switch in enumerate(switches):
        top = _switch_top(number, switches, frame)
        step = height / (len(switch.cables) + 1)
        for index, cable in enumerate(switch.cables.values(), start=1):
            node, nic = place[cable.far]
            start = (_PAD + _SWITCH, top + index * step)
            end = (frame.nics + nic * _NIC, _node_top(node) + _ROW / 2)
            yield from _draw_cable(cable, start, end, frame)


def _draw_cable(
    cable: LabeledCable, start: tuple[float, float], end: tuple[float, float], frame: _Frame
) -> Iterator[Shape]:
    straight = (frame.nics, end[1])
    points = (start, (start[0] + _GAP * 0.45, start[1]), (straight[0] - _GAP * 0.45, straight[1]), straight)
    yield Curve(points, INK if choose_ink(cable.color.rgb) == INK else cable.color.rgb, 2.4)
    yield Curve(points, cable.color.rgb, 1.5, title=f"{cable.near} to {cable.far} {cable.color.name}")
    if cable.color.stripe_rgb:
        yield Curve(points, cable.color.stripe_rgb, 1.5, dashed=True)


def _draw_switch(switch: SwitchCables, top: float, height: float) -> Iterator[Shape]:
    yield Box(_PAD, top, _SWITCH, height, fill=PAPER, line=INK, thickness=0.8)
    patch = 30.0
    y = top + height / 2
    yield from draw_patch(switch.color, _PAD + 4, y - 9, patch, 18)
    room = _SWITCH - patch - 12
    name, size = fit(switch.name, room, 9, True)
    yield Words(_PAD + patch + 9, y - 1, name, size, True)
    yield words_within((_PAD + patch + 9, y + 8.5, room), count(len(switch.cables), "node"), Style(7, color=GREY))


def _draw_node(node: NodeCables, switches: Sequence[SwitchCables], frame: _Frame) -> Iterator[Shape]:
    top = _node_top(node)
    columns = {switch.name: index for index, switch in enumerate(switches)}
    yield words_within((frame.names, top + 10.6, frame.matrix - frame.names - 6), node.name, Style(_NAME, True))
    for index, (name, cable) in enumerate(node.nics):
        x = frame.nics + index * _NIC
        if cable is None:
            yield Box(x, top + 2, _NIC - 1, _ROW - 4, line=FAINT, dashed=True)
            continue
        yield from draw_patch(cable.color, x, top + 2, _NIC - 1, _ROW - 4)
        cell = frame.matrix + columns[cable.far.device] * frame.cell
        yield Box(cell + 1, top + 1, frame.cell - 2, _ROW - 2, fill=cable.color.rgb, line=INK, thickness=0.4)
        ink = choose_ink(cable.color.rgb)
        yield words_within((cell + 2, top + 10.4, frame.cell - 4), name, Style(8, color=ink, anchor="middle"))


def _node_top(node: NodeCables) -> float:
    return _PAD + _HEAD + node.rank * _ROW


def _switch_height(switches: Sequence[SwitchCables], frame: _Frame) -> float:
    return (frame.bottom - _PAD - _HEAD) / len(switches) - 8


def _switch_top(index: int, switches: Sequence[SwitchCables], frame: _Frame) -> float:
    return _PAD + _HEAD + index * (_switch_height(switches, frame) + 8) + 4
