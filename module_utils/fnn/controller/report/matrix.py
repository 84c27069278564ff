# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of nodes and switches: which NIC of a node is on which switch, as a table of the page.

A table, unlike a picture, fits a phone, is read aloud cell by cell, and can be marked by the page's script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..labels.cabling import Cabling
from ..labels.jackets import Color
from ..labels.trunks import list_trunk_cables
from .groups import Group


@dataclass(frozen=True)
class Column:
    """A switch, or a cable between two nodes."""

    name: str
    color: Color


@dataclass(frozen=True)
class Mark:
    """A cell. state: "" for the color of the column, else a state of verify. title: more words, when pointed at."""

    text: str
    state: str = ""
    title: str = ""


@dataclass(frozen=True)
class Row:
    """A node, or a group of nodes on the same switches. marks: None for a switch that they are not on."""

    name: str
    nodes: int
    marks: Sequence[Mark | None]


@dataclass(frozen=True)
class Matrix:
    """legend: (sign, meaning). failing: the sentence on pairs that a failed switch loses, "" where columns cannot be
    chosen. joined: pairs of columns whose switches are joined by cables.
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    legend: Sequence[tuple[str, str]] = ()
    failing: str = ""
    joined: Sequence[tuple[int, int]] = ()

    def list_rows(self) -> list[list[str | float | None]]:
        """The same as rows of a table: the name, then a cell per column."""
        return [[row.name, *(mark.text if mark else None for mark in row.marks)] for row in self.rows]


def make_wiring_matrix(
    design: Mapping[str, Any], cabling: Cabling, groups: Sequence[Group], failing: str = ""
) -> Matrix:
    """The number of the NIC of each node on each switch, or the number of nodes where a row is a group of nodes."""
    columns = [Column(switch.name, switch.color) for switch in cabling.fabric]
    places = {column.name: at for at, column in enumerate(columns)}
    rows = [Row(group.name, len(group.ranks), _mark(design, group, columns)) for group in groups]
    joined = {(places[each.near.device], places[each.far.device]) for each in list_trunk_cables(cabling)}
    alike = all(group.alike for group in groups)
    return Matrix(columns, rows, failing=failing if alike else "", joined=sorted(joined))


def _mark(design: Mapping[str, Any], group: Group, columns: Sequence[Column]) -> list[Mark | None]:
    links = [link for rank in group.ranks for link in design["nodes"][rank]["links"]]
    if len(group.ranks) > 1:
        counts = Counter(link["switch"] for link in links)
        return [Mark(str(counts[each.name])) if counts[each.name] else None for each in columns]
    nics = {each.name: [str(link["nic"]) for link in links if link["switch"] == each.name] for each in columns}
    return [Mark(" ".join(nics[each.name])) if nics[each.name] else None for each in columns]
