# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between nodes as one picture: the nodes on a circle in rank order, a line per cable.

A node to which all cables lead, as in a star, is in the middle. Each line has the color of its cable, its code, and the
NICs of both ends.

          [k0]                 [k1]
         1/  \\0                |
        [k1]  [k3]      [k3]--[k0]--[k2]
         0\\  /1
          [k2]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from ...shared.errors import count
from .cabling import Cabling, LabeledCable
from .jackets import INK, PAPER, choose_ink
from .patch import draw_patch
from .shapes import GREY, Box, Curve, Page, Shape, Style, words_within

Point = tuple[float, float]

_PAD, _HEAD = 24.0, 44.0
#: Least radius of the circle; from a node in the middle, a cable needs more room.
_LEAST_RADIUS, _LEAST_FROM_MIDDLE = 110.0, 170.0
#: Width and height of a node's box, and the distance between two on the circle; smaller with many nodes.
_WIDE, _NARROW, _MANY = (76.0, 24.0, 165.0), (52.0, 18.0, 120.0), 16
_PATCH = (24.0, 14.0)
_SOCKET = (16.0, 11.0)


@dataclass(frozen=True)
class _Frame:
    """places: node -> middle of its box. box: its width and height. patch_at: where along a line the code of its color
    is, as a part of the line."""

    places: Mapping[str, Point]
    box: tuple[float, float]
    patch_at: float
    width: float
    height: float


def draw_direct_picture(cabling: Cabling) -> Page:
    """One page, as large as needed."""
    frame = _make_frame(cabling)
    page = Page(frame.width, frame.height, title=f"Wiring of {cabling.cluster}")
    page.add(Box(0, 0, frame.width, frame.height, fill=PAPER))
    numbers = f"{count(len(cabling.nodes), 'node')}, {count(len(cabling.cables), 'cable')}"
    page.add(words_within((_PAD, _PAD + 14, frame.width - 2 * _PAD), page.title, Style(16, True)))
    page.add(words_within((_PAD, _PAD + 29, frame.width - 2 * _PAD), numbers, Style(9, color=GREY)))
    for cable in cabling.cables:
        page.add(*_draw_line(cable, frame))
    for cable in cabling.cables:
        page.add(*_draw_marks(cable, frame))
    for node in cabling.nodes:
        page.add(*_draw_node(node.name, frame))
    return page


def find_middle(cabling: Cabling) -> str | None:
    """The node of a star to which all cables lead; None in any other shape."""
    if len(cabling.nodes) < 3:
        return None
    common = [node.name for node in cabling.nodes if all(node.name in _list_ends(each) for each in cabling.cables)]
    return common[0] if common else None


def _list_ends(cable: LabeledCable) -> tuple[str, str]:
    return cable.near.device, cable.far.device


def _make_frame(cabling: Cabling) -> _Frame:
    middle = find_middle(cabling)
    around = [node.name for node in cabling.nodes if node.name != middle]
    width, height, distance = _WIDE if len(around) <= _MANY else _NARROW
    least = _LEAST_RADIUS if middle is None else _LEAST_FROM_MIDDLE
    radius = max(least, len(around) * distance / (2 * pi))
    center = (_PAD + radius + width / 2, _PAD + _HEAD + radius + height / 2)
    places = dict(zip(around, _place_on_circle(center, radius, len(around))))
    if middle is not None:
        places[middle] = center
    lowest = max(y for _, y in places.values())
    patch_at = 0.42 if len(around) == 4 and len(cabling.cables) == 6 else 0.5
    return _Frame(places, (width, height), patch_at, 2 * center[0], lowest + height / 2 + _PAD)


def _place_on_circle(center: Point, radius: float, number: int) -> Iterator[Point]:
    """Clockwise, the first at the top."""
    for at in range(number):
        angle = 2 * pi * at / number - pi / 2
        yield center[0] + radius * cos(angle), center[1] + radius * sin(angle)


def _draw_line(cable: LabeledCable, frame: _Frame) -> Iterator[Shape]:
    """A dark edge keeps a light jacket visible."""
    start, end = (frame.places[each] for each in _list_ends(cable))
    points = (start, _go(start, end, 1 / 3), _go(start, end, 2 / 3), end)
    yield Curve(points, INK if choose_ink(cable.color.rgb) == INK else cable.color.rgb, 3.4)
    yield Curve(points, cable.color.rgb, 2.5, title=f"{cable.near} to {cable.far} {cable.color.name}")
    if cable.color.stripe_rgb:
        yield Curve(points, cable.color.stripe_rgb, 2.5, dashed=True)


def _draw_marks(cable: LabeledCable, frame: _Frame) -> Iterator[Shape]:
    """The code of the color, and the NIC at each end. The diagonals of a mesh of four meet in its middle."""
    start, end = (frame.places[each] for each in _list_ends(cable))
    x, y = _go(start, end, frame.patch_at)
    width, height = _PATCH
    yield from draw_patch(cable.color, x - width / 2, y - height / 2, width, height)
    for here, there, socket in ((start, end, cable.near.port), (end, start, cable.far.port)):
        x, y = _go(here, there, _find_edge(here, there, frame.box))
        width, height = _SOCKET
        yield Box(x - width / 2, y - height / 2, width, height, fill=PAPER)
        yield words_within((x - width / 2, y + 3, width), socket, Style(8, anchor="middle"))


def _find_edge(here: Point, there: Point, box: tuple[float, float]) -> float:
    """How far along a line, as a part of it, the mark of a NIC is outside of the box of its node."""
    across, down = abs(there[0] - here[0]), abs(there[1] - here[1])
    room = [box[at] / 2 / length for at, length in enumerate((across, down)) if length > 1e-6]
    return min(0.4, min(room) + 10 / hypot(across, down))


def _draw_node(name: str, frame: _Frame) -> Sequence[Shape]:
    (x, y), (width, height) = frame.places[name], frame.box
    box = Box(x - width / 2, y - height / 2, width, height, fill=PAPER, line=INK, thickness=0.9)
    return box, words_within((x - width / 2 + 3, y + 3.4, width - 6), name, Style(9.5, True, anchor="middle"))


def _go(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
