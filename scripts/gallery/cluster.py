# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a wired cluster as SVG: two shelves of PCs, and between them the switches with a cable in every used port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fnn.controller.labels.jackets import Color, choose_ink, read_color
from fnn.controller.spec.ports import count_ports

#: In SVG units: the picture, a PC, a socket, the tops of the three rows.
WIDTH, HEIGHT = 1200, 470
PC_WIDTH, PC_HEIGHT = 110, 62
SOCKET = 14
ROWS = (24, 199, 384)
SWITCH_HEIGHT = 72
MARGIN = 24
INK, EDGE, CASE, SWITCH = "#1f2328", "#57606a", "#f6f8fa", "#59636e"


@dataclass(frozen=True)
class Cable:
    """start: the socket of the PC. end: the socket of the switch. Both as x and y."""

    name: str
    color: Color
    start: tuple[float, float]
    end: tuple[float, float]


def draw_cluster(design: Mapping[str, Any]) -> str:
    """The picture of a design whose switches have colors of cables, with at most 16 nodes."""
    spec, nodes = design["spec"], design["nodes"]
    colors = {each["name"]: _find_color(each) for each in spec["switches"]}
    shelves = (nodes[: (len(nodes) + 1) // 2], nodes[(len(nodes) + 1) // 2 :])
    sockets = _place_sockets(spec["switches"])
    cables = list(_plug(shelves, sockets, colors))
    title = f"{len(nodes)} PCs and {len(colors)} switches, joined by {len(cables)} cables: every two PCs share a switch"
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#ffffff"/>',
        *(line for shelf, top in zip(shelves, (ROWS[0], ROWS[2])) for line in _draw_shelf(shelf, top)),
        *(line for name in colors for line in _draw_switch(sockets[name])),
        *(line for cable in cables for line in _draw_cable(cable)),
        *(line for name, color in colors.items() for line in _draw_sign(color, sockets[name])),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _find_color(switch: Mapping[str, Any]) -> Color:
    word = switch.get("color") or switch["name"]
    color = read_color(word)
    if color is None:
        raise ValueError(f"switch {switch['name']}: {word} is no color of a cable")
    return color


def _place_sockets(switches: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Name of a switch -> x of the centers of its sockets."""
    broad = (WIDTH - 2 * MARGIN) / len(switches)
    found = {}
    for index, switch in enumerate(switches):
        ports = count_ports(switch)
        step = (broad - 40) / ports
        left = MARGIN + index * broad + 20 + step / 2
        found[switch["name"]] = [left + step * port for port in range(ports)]
    return found


def _place_pcs(number: int) -> list[float]:
    """The left edges of the PCs of a shelf."""
    broad = (WIDTH - 2 * MARGIN) / number
    return [MARGIN + broad * index + (broad - PC_WIDTH) / 2 for index in range(number)]


def _place_nic(left: float, nic: int, nics: int) -> float:
    """x of the center of a NIC of a PC."""
    return left + PC_WIDTH * (nic + 1) / (nics + 1)


def _plug(
    shelves: Sequence[Sequence[Mapping[str, Any]]], sockets: Mapping[str, Sequence[float]], colors: Mapping[str, Color]
) -> Iterator[Cable]:
    """The cables of each switch take its sockets from left to right, in the order of their PCs."""
    ends: dict[str, list[tuple[float, str, tuple[float, float]]]] = {name: [] for name in colors}
    for row, shelf in enumerate(shelves):
        y = ROWS[0] + PC_HEIGHT - SOCKET / 2 - 4 if row == 0 else ROWS[2] + SOCKET / 2 + 4
        for node, left in zip(shelf, _place_pcs(len(shelf))):
            for link in node["links"]:
                x = _place_nic(left, link["nic"], len(node["links"]))
                ends[link["switch"]].append((x, f"{node['name']} NIC {link['nic']}", (x, y)))
    for name, starts in ends.items():
        for socket, (_, label, start) in zip(sockets[name], sorted(starts)):
            yield Cable(f"{label} to {name}", colors[name], start, (socket, ROWS[1] + SWITCH_HEIGHT / 2))


def _draw_shelf(shelf: Sequence[Mapping[str, Any]], top: float) -> Iterator[str]:
    for node, left in zip(shelf, _place_pcs(len(shelf))):
        yield (
            f'<rect x="{left:.1f}" y="{top}" width="{PC_WIDTH}" height="{PC_HEIGHT}" rx="7" '
            f'fill="{CASE}" stroke="{EDGE}" stroke-width="1.5"/>'
        )
        is_above = top < ROWS[1]
        y = top + 24 if is_above else top + PC_HEIGHT - 14
        yield (
            f'<text x="{left + PC_WIDTH / 2:.1f}" y="{y}" text-anchor="middle" font-weight="bold" '
            f'fill="{INK}">{escape(node["name"])}</text>'
        )
        row = top + PC_HEIGHT - SOCKET - 4 if is_above else top + 4
        for link in node["links"]:
            yield _draw_socket(_place_nic(left, link["nic"], len(node["links"])), row)


def _measure_switch(row: Sequence[float]) -> tuple[float, float]:
    """Left and right edge of a switch with these sockets."""
    step = row[1] - row[0] if len(row) > 1 else SOCKET * 2
    return row[0] - step / 2 - 8, row[-1] + step / 2 + 8


def _draw_switch(row: Sequence[float]) -> Iterator[str]:
    left, right = _measure_switch(row)
    yield (
        f'<rect x="{left:.1f}" y="{ROWS[1]}" width="{right - left:.1f}" height="{SWITCH_HEIGHT}" rx="6" '
        f'fill="{SWITCH}" stroke="{INK}" stroke-width="1.5"/>'
    )
    yield from (_draw_socket(x, ROWS[1] + (SWITCH_HEIGHT - SOCKET) / 2) for x in row)


def _draw_sign(color: Color, row: Sequence[float]) -> Iterator[str]:
    """The name of a switch in the color of its cables, on its lower edge."""
    left, right = _measure_switch(row)
    width, top = (right - left) / 2, ROWS[1] + SWITCH_HEIGHT - 11
    yield (
        f'<rect x="{left + width / 2:.1f}" y="{top}" width="{width:.1f}" height="22" rx="4" '
        f'fill="{color.rgb}" stroke="{INK}" stroke-width="1.5"/>'
    )
    yield (
        f'<text x="{left + width:.1f}" y="{top + 16}" text-anchor="middle" font-weight="bold" '
        f'fill="{choose_ink(color.rgb)}">{escape(color.name)}</text>'
    )


def _draw_socket(x: float, top: float) -> str:
    return (
        f'<rect x="{x - SOCKET / 2:.1f}" y="{top:.1f}" width="{SOCKET}" height="{SOCKET}" rx="2" '
        f'fill="#24292f" stroke="#ffffff"/>'
    )


def _draw_cable(cable: Cable) -> Iterator[str]:
    """A dark line below the colored one keeps light cables visible."""
    (x, y), (end_x, end_y) = cable.start, cable.end
    middle = (y + end_y) / 2
    path = f'd="M{x:.1f} {y:.1f} C{x:.1f} {middle:.1f} {end_x:.1f} {middle:.1f} {end_x:.1f} {end_y:.1f}"'
    yield f'<path {path} fill="none" stroke="{INK}" stroke-width="5" stroke-linecap="round"/>'
    yield (
        f'<path {path} fill="none" stroke="{cable.color.rgb}" stroke-width="3.4" stroke-linecap="round">'
        f"<title>{escape(cable.name)}</title></path>"
    )
