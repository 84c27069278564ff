# SPDX-License-Identifier: GPL-3.0-or-later
"""Checklists to tick off at the rack, several nodes and one switch per page, and the bill of cables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...shared.errors import count
from .blocks import place_blocks
from .cabling import Cabling, NodeCables, SwitchCables
from .fronts import draw_front, find_other_end, measure_front
from .paper import MARGIN, Paper
from .patch import draw_patch
from .shapes import Page, Shape, Style, words_within
from .tables import count_adapters, format_meters, list_bill, sum_meters
from .ticklist import PLAIN, Column, Row, Tick, Ticklist, place_ticklist


def _list_node_columns(direct: bool) -> tuple[Column, ...]:
    device, socket = ("node", "its NIC") if direct else ("switch", "port")
    return (
        Column("NIC", 0.12), Column("", 0.08), Column("color", 0.15), Column(device, 0.13), Column(socket, 0.07),
        Column("cable", 0.29), Column("meters", 0.08), Column("done", 0.08),
    )  # fmt: skip


def _list_bill_columns(direct: bool) -> tuple[Column, ...]:
    return (
        Column("", 0.08), Column("color", 0.16), Column("jacket", 0.11), Column("stripe", 0.11),
        Column("cable" if direct else "switch", 0.16), Column("meters each", 0.13), Column("plugs", 0.15),
        Column("cables", 0.1),
    )  # fmt: skip


_SWITCH_COLUMNS = (
    Column("port", 0.08), Column("other end", 0.17), Column("NIC or port", 0.17), Column("", 0.08),
    Column("cable", 0.3), Column("meters", 0.1), Column("done", 0.1),
)  # fmt: skip
_ANY_PORT = "any port of the right switch is right, and any NIC of this node"
_DIRECT = "each cable leads to another node; any NIC of this node is right"
_FIT = ", if speed and medium fit"


def draw_node_pages(cabling: Cabling, paper: Paper) -> Iterator[Page]:
    """As many nodes per page as fit; more pages for a node with more NICs than fit."""
    neighbors = {each.name: [cable.near.device for cable in each.cables.values()] for each in cabling.switches}
    blocks = [_list_node(cabling, node, neighbors) for node in cabling.nodes]
    remark = _DIRECT if cabling.direct else _ANY_PORT
    remark += "" if cabling.alike else _FIT
    return place_blocks(blocks, paper, f"{cabling.cluster}: nodes", remark)


def draw_switch_pages(cabling: Cabling, paper: Paper) -> Iterator[Page]:
    """One page per switch, more where it has more ports than fit."""
    lists = (_list_switch(cabling, switch, paper) for switch in cabling.switches)
    return (page for each in lists for page in place_ticklist(each, paper))


def draw_bill(cabling: Cabling, paper: Paper) -> Iterator[Page]:
    """The number of cables of each color and length."""
    rows: list[Row] = []
    for line in list_bill(cabling):
        color = line.color
        words = (
            color.name,
            color.jacket,
            color.stripe or "",
            line.switch,
            format_meters(line.meters),
            line.plugs,
            str(line.cables),
        )
        rows.append((color, *words))
    notes = [f"{len(cabling.cables)} cables in all"]
    if cabling.measured:
        notes[0] += f", {format_meters(sum_meters(cabling))} m from rack to rack"
        notes.append("Add the lengths up, down and into the racks.")
    notes += [f"{count(number, 'adapter')} {each}" for each, number in count_adapters(cabling)]
    columns = _list_bill_columns(cabling.direct)
    return place_ticklist(Ticklist(f"{cabling.cluster}: bill of cables", columns, rows, notes=notes), paper)


def _list_node(cabling: Cabling, node: NodeCables, neighbors: dict[str, list[str]]) -> Ticklist:
    rows: list[Row] = []
    notes: list[str] = []
    for name, cable in node.nics:
        if cable is None:
            rows.append((name, "", "no cable", "", "", "", "", ""))
            continue
        far, meters = cable.far, format_meters(cable.meters)
        rows.append((name, cable.color, cable.color.name, far.device, far.port, cable.identifier, meters, Tick()))
        if far.device in neighbors:
            others = format_names([each for each in neighbors[far.device] if each != node.name])
            notes.append(f"also on {far.device}: {others or 'no other node'}")
    return Ticklist(
        title=f"{node.name} (rank {node.rank})",
        columns=_list_node_columns(cabling.direct),
        rows=rows,
        remark=f"in rack {node.rack}" if node.rack else "",
        notes=notes,
    )


def _list_switch(cabling: Cabling, switch: SwitchCables, paper: Paper) -> Ticklist:
    rows: list[Row] = []
    for port, cable in sorted({**switch.cables, **switch.linked}.items()):
        meters = format_meters(cable.meters)
        other = find_other_end(switch, cable)
        rows.append((switch.name_port(port), other.device, other.port, cable.color, cable.identifier, meters, Tick()))
    place = [f"in rack {switch.rack}"] if switch.rack else []
    fit = "" if cabling.alike else _FIT
    return Ticklist(
        title=f"switch {switch.name}",
        columns=_SWITCH_COLUMNS,
        rows=rows,
        remark=f"{cabling.cluster}: any port of this switch is right{fit}; the ports here are a suggestion",
        head=_draw_switch_head(switch, paper),
        head_height=52 + measure_front(switch, paper.inside),
        notes=[*place, f"free ports: {_list_free(switch)}" if switch.free else "no free port"],
    )


def _list_free(switch: SwitchCables) -> str:
    """As ranges of numbers, with the names of plugs of breakout cables after them."""
    names = [switch.name_port(port) for port in switch.free]
    numbers, plugs = [int(each) for each in names if each.isdigit()], [each for each in names if not each.isdigit()]
    return ", ".join([*([format_ranges(numbers)] if numbers else []), *plugs])


def _draw_switch_head(switch: SwitchCables, paper: Paper) -> list[Shape]:
    top, left, room = paper.top + 8, MARGIN + 70, paper.inside - 70
    used = f"{len(switch.cables) + len(switch.linked)} of {switch.ports} ports used"
    others = [end.device for each in switch.linked.values() for end in (each.near, each.far)]
    names = ", ".join(sorted({*others} - {switch.name}))
    linked = f" and {count(len(switch.linked), 'cable')} to {names}" if switch.linked else ""
    return [
        *draw_patch(switch.color, MARGIN, top, 60, 30),
        words_within((left, top + 14, room), switch.color.name, Style(14, True)),
        words_within((left, top + 27, room), f"{used}, by {switch.color.name} cables{linked}", PLAIN),
        *draw_front(switch, MARGIN, top + 38, paper.inside),
    ]


def format_ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as ranges: `1-3, 7`."""
    ranges = []
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        members = [number for _, number in run]
        ranges.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(ranges)


def format_names(names: Sequence[str]) -> str:
    """Names with consecutive numbers as ranges: `k01…k03, k07`. Names may have hyphens themselves."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _follows(name, runs[-1][-1]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}…{run[-1]}" for run in runs)


def _follows(name: str, before: str) -> bool:
    """Whether a name is the one before it with a number greater by 1, of as many digits."""
    (stem, number), (other, least) = (_split_number(each) for each in (name, before))
    return bool(number and least) and (stem, len(number), int(number)) == (other, len(least), int(least) + 1)


def _split_number(name: str) -> tuple[str, str]:
    stem = name.rstrip("0123456789")
    return stem, name[len(stem) :]
