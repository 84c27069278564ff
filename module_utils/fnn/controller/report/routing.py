# SPDX-License-Identifier: GPL-3.0-or-later
"""The routing table in the paper's form: a row per node, the code of a switch per peer, on a tint of its color.

The SVG has one path per switch and one line of text per row instead of thousands of cells, so that it stays small.
With more than 128 nodes, a cell stands for all pairs of two groups of nodes: the code of their switch, or `*` for
several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from ..labels.cabling import Cabling
from ..labels.jackets import Color
from ..numbers import format_share
from .figure import Figure, Section, Table
from .groups import Group, group_nodes

SEVERAL, ITSELF, NONE = "*", ".", "-"
_MARKS = ((ITSELF, "itself"), (NONE, "no switch shared"), (SEVERAL, "several"))
_ROW, _CHARACTER = 13, 8
#: Least width of a picture in characters, for its legend.
_LEAST_ACROSS = 56
#: Nodes whose table fits into half the width of the page.
NARROW_TABLE = 16
_FONT = "DejaVu Sans Mono, Liberation Mono, Consolas, monospace"


def show_routing(design: Mapping[str, Any], routes: Mapping[str, Any], cabling: Cabling) -> Section:
    """The table, and the load of the busiest NIC."""
    groups = group_nodes(design)
    rows = list(make_rows(routes, groups, find_codes(cabling)))
    whole = len(groups) == len(design["nodes"])
    words = (
        "A row is a node, a column is a peer, in rank order. The cell has the switch over which the node sends."
        if whole
        else f"The nodes of a row send to those of a column over this switch; {SEVERAL} means several switches. The"
        " whole table is in routes.txt."
    )
    words += " The code of a switch is that of the color of its cables."
    legend = make_legend(cabling)
    picture = draw_table([group.name for group in groups], rows, legend, f"Routing table of {cabling.cluster}")
    names = [group.name for group in groups]
    cells = [[name, *(code.strip() for code in row)] for name, row in zip(names, rows)]
    table = Table(["from", *names], cells, shown=False)
    wide = len(names) > NARROW_TABLE
    figure = Figure("routing-table", "The routing table", words, table, picture, wide, True)
    return Section("routing", "Routing", [_describe_bound(design, routes)], [figure])


def find_codes(cabling: Cabling) -> dict[str, str]:
    """Switch, or cable between nodes -> the code of its color; all codes have the same width."""
    codes = {switch.name: switch.color.code for switch in cabling.fabric}
    width = max(map(len, codes.values()))
    return {name: f"{code:<{width}}" for name, code in codes.items()}


def make_legend(cabling: Cabling) -> dict[str, tuple[str, str]]:
    """Code -> (name of the switch or cable, tint)."""
    codes = find_codes(cabling)
    return {codes[switch.name]: (switch.name, tint(switch.color)) for switch in cabling.fabric}


def make_rows(routes: Mapping[str, Any], groups: Sequence[Group], codes: Mapping[str, str]) -> Iterator[list[str]]:
    """A row per group: the code of the switch that its nodes use for those of each group. codes: by switch."""
    digits, width = len(routes["switches"][0]["code"]), len(next(iter(codes.values())))
    letters = {each["code"]: codes[each["switch"]] for each in routes["switches"]}
    letters |= {mark * digits: f"{mark:<{width}}" for mark in (ITSELF, NONE)}
    for group in groups:
        chunks = [_split(routes["nodes"][rank]["row"], digits) for rank in group.ranks]
        yield [_choose_code(chunks, group.ranks, other.ranks, letters) for other in groups]


def _choose_code(
    chunks: Sequence[Sequence[str]], ranks: Sequence[int], others: Sequence[int], letters: Mapping[str, str]
) -> str:
    used = {letters[row[other]] for rank, row in zip(ranks, chunks) for other in others if other != rank}
    width = len(next(iter(letters.values())))
    if not used:
        return f"{ITSELF:<{width}}"
    return used.pop() if len(used) == 1 else f"{SEVERAL:<{width}}"


def _split(row: str, digits: int) -> list[str]:
    return [row[at : at + digits] for at in range(0, len(row), digits)]


def _describe_bound(design: Mapping[str, Any], routes: Mapping[str, Any]) -> str:
    """How many peers the busiest NIC carries, and whether another table could have fewer."""
    carried = max(max(nic["sends_to"], nic["receives_from"]) for node in routes["nodes"] for nic in node["nics"])
    speeds = {nic["speed_mbps"] for node in design["spec"]["nodes"] for nic in node["nics"]}
    busiest = "busiest NIC" if len(speeds) == 1 else "busiest NIC for its speed"
    most, bound = routes["most_peers_per_gbps"], routes["bound_peers_per_gbps"]
    less = "less" if most == bound else f"more than {format_share(1 - bound / most)} less"
    one_way = routes["one_way_pairs"]
    return (
        f"A NIC carries at most {carried} of the {len(routes['nodes']) - 1} peers of its node. A proved bound: no"
        f" routing table puts {less} on the {busiest}."
        + (f" {one_way} pairs use different switches in the two directions." if one_way else "")
    )


def tint(color: Color) -> str:
    """A color pale enough for black words on it."""
    parts = (int(color.rgb[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * 0.42):02x}" for part in parts)


def draw_table(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    legend: Mapping[str, tuple[str, str]],
    title: str,
    marks: Sequence[tuple[str, str]] = _MARKS,
) -> str:
    """The table as SVG. legend: code -> (its meaning, tint). marks: (code, its meaning) of codes without a tint.

    Paths use the cell as their unit, which keeps them short.
    """
    digits = len(rows[0][0])
    cell = digits + (1 if digits > 1 else 0)
    left = max(len(name) for name in names) + 2
    across = max(left + len(rows) * cell + 1, _LEAST_ACROSS)
    entries = list(_place_legend(legend, marks, across))
    top = (entries[-1][1] + 2) * _ROW
    width, height = across * _CHARACTER, top + (len(rows) + 1) * _ROW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{_FONT}" font-size="11">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_draw_entry(*entry) for entry in entries),
        f'<g transform="translate({left * _CHARACTER - 1} {top + 5}) scale({cell * _CHARACTER} {_ROW})">',
        *_draw_cells(rows, {code: color for code, (_, color) in legend.items()}),
        "</g>",
    ]
    for at, (name, row) in enumerate(zip(names, rows)):
        y = top + 15 + at * _ROW
        words = (" " if digits > 1 else "").join(row)
        span = (len(row) * cell - (1 if digits > 1 else 0)) * _CHARACTER
        lines.append(f'<text x="{_CHARACTER}" y="{y}" font-weight="bold">{escape(name)}</text>')
        lines.append(
            f'<text x="{left * _CHARACTER}" y="{y}" textLength="{span}" xml:space="preserve">{escape(words)}</text>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place_legend(
    legend: Mapping[str, tuple[str, str]], marks: Sequence[tuple[str, str]], across: int
) -> Iterator[tuple[int, int, str, str]]:
    """(column, line, words, color) of every entry, in as many lines as needed."""
    column, line = 1, 0
    entries = [(f"{code.strip()} {switch}", color) for code, (switch, color) in legend.items()]
    for words, color in [*entries, *((f"{mark} {meaning}", "#ffffff") for mark, meaning in marks)]:
        if column + len(words) + 2 > across and column > 1:
            column, line = 1, line + 1
        yield column, line, words, color
        column += len(words) + 3


def _draw_entry(column: int, line: int, words: str, color: str) -> str:
    x, y = column * _CHARACTER, line * _ROW + 7
    return (
        f'<rect x="{x - 3}" y="{y}" width="{(len(words) + 1) * _CHARACTER - 2}" height="{_ROW - 1}" fill="{color}"/>'
        f'<text x="{x}" y="{y + 10}" textLength="{len(words) * _CHARACTER}">{escape(words)}</text>'
    )


def _draw_cells(rows: Sequence[Sequence[str]], tints: Mapping[str, str]) -> Iterator[str]:
    """A path per color; adjacent cells with the same code form one rectangle."""
    paths: dict[str, list[str]] = {code: [] for code in tints}
    for y, row in enumerate(rows):
        x = 0
        for code, run in groupby(row):
            length = len(list(run))
            if code in paths:
                paths[code].append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    for code, steps in paths.items():
        if steps:
            yield f'<path fill="{tints[code]}" d="{"".join(steps)}"/>'
