# SPDX-License-Identifier: GPL-3.0-or-later
"""A page per node and a page per switch, to be ticked off with a pencil at the rack, and the bill of cables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from .cabling import Cabling, NodeCables, SwitchCables
from .jackets import Color
from .node_labels import draw_nics
from .paper import MARGIN, Paper, start_page
from .patch import draw_patch
from .shapes import FAINT, GREY, Box, Line, Page, Shape, Words, words_within, wrap
from .tables import list_bill, spell_meters, sum_meters

_ROW = 15.0
_SMALL = 8.5
_NICS_PER_ROW = 8
_NIC_ROW = 47.0


@dataclass(frozen=True)
class Column:
    """share: of the width. A cell is words, a color (drawn as its patch) or an empty square to tick."""

    title: str
    share: float


TICK = object()
Row = Sequence[object]

_NODE_COLUMNS = (
    Column("NIC", 0.13), Column("", 0.08), Column("color", 0.18), Column("switch", 0.15), Column("port", 0.08),
    Column("cable", 0.22), Column("meters", 0.08), Column("done", 0.08),
)  # fmt: skip
_SWITCH_COLUMNS = (
    Column("port", 0.08), Column("from", 0.18), Column("NIC or port", 0.18), Column("", 0.08), Column("cable", 0.26),
    Column("meters", 0.11), Column("done", 0.11),
)  # fmt: skip
_BILL_COLUMNS = (
    Column("", 0.08), Column("color", 0.22), Column("jacket", 0.12), Column("stripe", 0.12), Column("switch", 0.18),
    Column("meters each", 0.14), Column("cables", 0.14),
)  # fmt: skip


def draw_node_pages(cabling: Cabling, paper: Paper) -> list[Page]:
    """One page per node, more where it has more NICs than fit."""
    remark = f"{cabling.cluster}: any port of the right switch will do, and so will any NIC of this node"
    neighbors = {switch.name: _list_neighbors(switch) for switch in cabling.switches}
    return [page for node in cabling.nodes for page in _draw_node(cabling, node, neighbors, paper, remark)]


def draw_switch_pages(cabling: Cabling, paper: Paper) -> list[Page]:
    """One page per switch, more where it has more ports than fit."""
    remark = f"{cabling.cluster}: any port of this switch will do; those here are a suggestion"
    return [page for switch in cabling.switches for page in _draw_switch(switch, paper, remark)]


def draw_bill(cabling: Cabling, paper: Paper) -> list[Page]:
    """How many cables of each color and length."""
    rows: list[Row] = [
        (
            line.color,
            line.color.name,
            line.color.jacket,
            line.color.stripe or "",
            line.switch,
            spell_meters(line.meters),
            str(line.cables),
        )
        for line in list_bill(cabling)
    ]
    total = f"{len(cabling.cables)} cables in all"
    notes = [total]
    if cabling.measured:
        notes[0] += f", {spell_meters(sum_meters(cabling))} m between racks"
        notes.append("Meters are counted from rack to rack; add what goes up, down and into the racks.")
    return _lay_out_table(f"{cabling.cluster}: bill of cables", paper, "", [], 0, (_BILL_COLUMNS, rows), notes)


def _draw_node(
    cabling: Cabling, node: NodeCables, neighbors: dict[str, list[str]], paper: Paper, remark: str
) -> list[Page]:
    top = paper.top + 10
    columns = min(_NICS_PER_ROW, max(4, len(node.nics)))
    shown = node.nics[: 4 * _NICS_PER_ROW]
    picture = draw_nics(NodeCables(node.name, node.rank, node.rack, shown), cabling.switches, MARGIN, top, paper.inside, columns)
    rows: list[Row] = [
        (name, "", "no cable", "", "", "", "", "")
        if cable is None
        else (
            name,
            cable.color,
            cable.color.name,
            cable.far.device,
            cable.far.port,
            cable.identifier,
            spell_meters(cable.meters),
            TICK,
        )
        for name, cable in node.nics
    ]
    title = f"{node.name} (rank {node.rank})" + (f", rack {node.rack}" if node.rack else "")
    notes = [
        f"on {cable.far.device} with: {', '.join(each for each in neighbors[cable.far.device] if each != node.name)}"
        for _, cable in node.nics
        if cable is not None
    ]
    height = 10 + -(-len(shown) // columns) * _NIC_ROW
    return _lay_out_table(title, paper, remark, picture, height, (_NODE_COLUMNS, rows), notes)


def _draw_switch(switch: SwitchCables, paper: Paper, remark: str) -> list[Page]:
    top = paper.top + 8
    used = f"{len(switch.cables) + len(switch.uplink)} of {switch.ports} ports used"
    head: list[Shape] = [
        *draw_patch(switch.color, MARGIN, top, 60, 30),
        words_within(MARGIN + 70, top + 14, paper.inside - 70, switch.color.name, 14, True),
        words_within(MARGIN + 70, top + 27, paper.inside - 70, f"every cable here is {switch.color.name}; {used}", _SMALL),
    ]
    rows: list[Row] = [
        (str(port), cable.near.device, cable.near.port, cable.color, cable.identifier, spell_meters(cable.meters), TICK)
        for port, cable in sorted(switch.cables.items())
    ]  # fmt: skip
    rows += [
        (str(port), f"to {cable.far.device}", cable.far.port, cable.color, cable.identifier, "", TICK)
        for port, cable in switch.uplink.items()
    ]
    if switch.uplink:
        head[-1] = words_within(
            MARGIN + 70, top + 27, paper.inside - 70,
            f"every cable from a node is {switch.color.name}; {used}, one of them to the uplink switch", _SMALL,
        )  # fmt: skip
    title = f"switch {switch.name}" + (f", rack {switch.rack}" if switch.rack else "")
    notes = [f"free ports: {spell_ranges(switch.free)}"] if switch.free else ["no free port"]
    return _lay_out_table(title, paper, remark, head, 44, (_SWITCH_COLUMNS, rows), notes)


def _list_neighbors(switch: SwitchCables) -> list[str]:
    return [cable.near.device for cable in switch.cables.values()]


def spell_ranges(numbers: Sequence[int]) -> str:
    """Rising numbers in few words: 1-3, 7."""
    ranges = []
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        members = [number for _, number in run]
        ranges.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(ranges)


def _lay_out_table(
    title: str,
    paper: Paper,
    remark: str,
    head: Sequence[Shape],
    head_height: float,
    table: tuple[Sequence[Column], Sequence[Row]],
    notes: Sequence[str],
) -> list[Page]:
    """A head on the first page, a table over as many as it takes, and lines of words after it."""
    columns, rows = _leave_out_empty(*table)
    lines = [line for note in notes for line in wrap(note, paper.inside, _SMALL)]
    blocks = [*_place_blocks(paper, head_height, len(rows), len(lines))]
    pages = []
    row = line = 0
    for number, (top, row_count, line_count) in enumerate(blocks, start=1):
        page = start_page(paper, title, remark, number, len(blocks))
        if number == 1:
            page.add(*head)
        if row_count:
            page.add(*_draw_table(columns, rows[row : row + row_count], paper, top))
            top += (row_count + 1) * _ROW
        for index, text in enumerate(lines[line : line + line_count]):
            page.add(words_within(MARGIN, top + (index + 1) * _ROW, paper.inside, text, _SMALL))
        row, line = row + row_count, line + line_count
        pages.append(page)
    return pages


def _leave_out_empty(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[Sequence[Column], Sequence[Row]]:
    """Columns in which nothing stands go, and the others get their room: meters where nobody measured."""
    kept = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    room = sum(columns[index].share for index in kept)
    return (
        [Column(columns[index].title, columns[index].share / room) for index in kept],
        [[row[index] for index in kept] for row in rows],
    )


def _place_blocks(paper: Paper, head: float, rows: int, lines: int) -> Iterator[tuple[float, int, int]]:
    """(where the table begins, its rows, lines of words after it) for each page."""
    top = paper.top + head
    while True:
        room = int((paper.bottom - top) // _ROW)
        here = min(rows, max(0, room - 1)) if rows else 0
        left = room - (here + 1 if here else 0)
        rows -= here
        words = min(lines, max(0, left - 1)) if not rows else 0
        lines -= words
        yield top, here, words
        if not rows and not lines:
            return
        top = paper.top


def _draw_table(columns: Sequence[Column], rows: Sequence[Row], paper: Paper, top: float) -> Iterator[Shape]:
    lefts = [MARGIN + paper.inside * sum(each.share for each in columns[:index]) for index in range(len(columns))]
    for column, left in zip(columns, lefts):
        yield words_within(left, top + 11, column.share * paper.inside - 4, column.title, 7.5, color=GREY)
    for index, row in enumerate(rows, start=1):
        y = top + index * _ROW
        yield Line(MARGIN, y, paper.width - MARGIN, y, FAINT, 0.4)
        for column, left, cell in zip(columns, lefts, row):
            yield from _draw_cell(cell, left, y, column.share * paper.inside - 4)


def _draw_cell(cell: object, x: float, y: float, width: float) -> Iterator[Shape]:
    if isinstance(cell, Color):
        yield from draw_patch(cell, x, y + 1.5, min(width, 30), _ROW - 3)
    elif cell is TICK:
        yield Box(x + 2, y + 3, 9, 9, line="#000000")
    elif cell:
        words = words_within(x, y + 10.8, width, str(cell), _SMALL)
        yield Words(words.x, words.y, words.text, words.size)
