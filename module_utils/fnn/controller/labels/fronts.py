# SPDX-License-Identifier: GPL-3.0-or-later
"""The front of a switch: its ports, each with the cable that is plugged there.

    1      3      5             two rows from 11 ports on: odd ports above, even ones below, as on most switches
    k00:0  k02:0  k04:0
    2      4      6
    k01:0  k03:0  free

Any port of a switch is right; the drawing shows the suggested one, so that a filled switch can be compared with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ...shared.errors import count
from .cabling import Cabling, End, LabeledCable, SwitchCables
from .jackets import INK, PAPER, choose_ink
from .patch import draw_patch
from .shapes import FAINT, GREY, Box, Page, Shape, Style, measure, words_within

#: The most ports of a switch with one row.
_ONE_ROW = 10
#: Numbers of columns of a bank of ports, the most first, and the most points of a column.
_COLUMNS, _MOST_STEP = (24, 16, 12, 10, 8, 6, 4), 64.0
#: Heights of a port with its number and of the number, widths of the case around the ports and between banks.
_PORT, _NUMBER, _CASE, _BANK_GAP = 30.0, 8.0, 5.0, 5.0
#: The font size at which the names at the other ends must fit into a port.
_READABLE = 5.5
_METAL = "#eef0f2"
_PAD, _TITLE, _WIDTH = 20.0, 34.0, 560.0


@dataclass(frozen=True)
class _Layout:
    """rows, columns: of a bank. step: width of a column."""

    rows: int
    columns: int
    banks: int
    step: float

    @property
    def height(self) -> float:
        return self.banks * self.rows * _PORT + (self.banks - 1) * _BANK_GAP + 2 * _CASE


def measure_front(switch: SwitchCables, width: float) -> float:
    """The height of the drawing in that width."""
    return _choose_layout(switch, width).height


def draw_front(switch: SwitchCables, x: float, y: float, width: float) -> Iterator[Shape]:
    """The case of the switch and its ports."""
    layout = _choose_layout(switch, width)
    across = layout.columns * layout.step + 2 * _CASE
    yield Box(x, y, across, layout.height, fill=_METAL, line=INK, thickness=0.9)
    for port in range(1, switch.ports + 1):
        bank, place = divmod(port - 1, layout.rows * layout.columns)
        column, row = divmod(place, layout.rows)
        top = y + _CASE + bank * (layout.rows * _PORT + _BANK_GAP) + row * _PORT
        yield from _draw_port(switch, port, x + _CASE + column * layout.step, top, layout.step)


def draw_fronts(cabling: Cabling) -> Page:
    """One page with the fronts of all switches, as long as needed."""
    inside = _WIDTH - 2 * _PAD
    heights = [_TITLE + measure_front(switch, inside) + 14 for switch in cabling.switches]
    page = Page(_WIDTH, _PAD * 2 + sum(heights), title=f"Switches of {cabling.cluster}")
    page.add(Box(0, 0, page.width, page.height, fill=PAPER))
    y = _PAD
    for switch, height in zip(cabling.switches, heights):
        used = len(switch.cables) + len(switch.linked)
        ports = f"{used} of {count(switch.ports, 'port')} used" + (f", rack {switch.rack}" if switch.rack else "")
        page.add(*draw_patch(switch.color, _PAD, y + 4, 44, 20))
        page.add(words_within((_PAD + 52, y + 20, inside / 2 - 52), switch.name, Style(14, True)))
        page.add(words_within((_PAD + inside / 2, y + 20, inside / 2), ports, Style(9, color=GREY, anchor="end")))
        page.add(*draw_front(switch, _PAD, y + _TITLE, inside))
        y += height
    return page


def find_other_end(switch: SwitchCables, cable: LabeledCable) -> End:
    """The end of a cable that is not at this switch."""
    return cable.near if cable.far.device == switch.name else cable.far


def _choose_layout(switch: SwitchCables, width: float) -> _Layout:
    """The fewest banks in which the names at the other ends are readable."""
    names = [find_other_end(switch, each).device for each in (*switch.cables.values(), *switch.linked.values())]
    widest = max((measure(name, _READABLE, True) for name in names), default=0.0)
    inside = width - 2 * _CASE
    rows = 1 if switch.ports <= _ONE_ROW else 2
    most = next((number for number in _COLUMNS if inside / number - 4 >= widest), _COLUMNS[-1])
    columns = min(most, math.ceil(switch.ports / rows))
    return _Layout(rows, columns, math.ceil(switch.ports / (rows * columns)), min(_MOST_STEP, inside / columns))


def _draw_port(switch: SwitchCables, port: int, x: float, y: float, width: float) -> Iterator[Shape]:
    """A port with its number; a plugged one in the color of its cable, with device and port of the other end."""
    cable = switch.cables.get(port) or switch.linked.get(port)
    yield words_within((x, y + 6.4, width), switch.name_port(port), Style(5.5, color=GREY, anchor="middle"))
    left, top, inside, height = x + 1, y + _NUMBER, width - 2, _PORT - _NUMBER - 1.5
    if cable is None:
        yield Box(left, top, inside, height, fill=PAPER, line=FAINT, dashed=True)
        return
    yield Box(left, top, inside, height, fill=cable.color.rgb, line=INK, thickness=0.5)
    if cable.color.stripe_rgb:
        yield Box(left, top + height - 3, inside, 3, fill=cable.color.stripe_rgb, line=INK, thickness=0.3)
    end, ink = find_other_end(switch, cable), choose_ink(cable.color.rgb)
    style = Style(7.5, True, ink, "middle")
    yield words_within((left + 1, top + 8, inside - 2), end.device, style)
    yield words_within((left + 1, top + 15.8, inside - 2), end.port, Style(6.5, False, ink, "middle"))
