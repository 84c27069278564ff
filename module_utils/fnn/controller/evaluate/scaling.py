# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the scaling study of the KLAT2 paper (section 7): switch ports by number of nodes (format "fnn-scaling").

A capacity table gives the number of nodes that switches with a given number of ports for nodes can join. Its inverse
gives the ports for a number of nodes: the fewest whose capacity, or that of fewer ports, is enough.

    ports  capacity        nodes  3 4 5 6
    2      3               ports  2 3 4 4
    3      4
    4      6

The paper plots this for 2 to 5 NICs and 3 to 1024 PCs. Its authors' own table of 2001 is inverted in the same way, for
comparison.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import problem

VERSION = 1
#: From the root of the toolkit.
TABLE_2001 = "data/fnntab-2001.csv"
NICS = (2, 3, 4, 5)
NODES = range(3, 1025)

#: Nodes by ports and NICs: table[31][4] is the number of nodes that four NICs and 31 ports join.
Capacities = dict[int, dict[int, int]]


def read_capacities(text: str, name: str) -> Capacities:
    """A table with the columns ports,n2,n3 and so on, of `fnn-designer capacity`. name: for errors. Raises FnnError."""
    rows = list(csv.reader(io.StringIO(text)))
    head, *body = rows or [[]]
    if head[:1] != ["ports"] or not all(each[:1] == "n" and each[1:].isdigit() for each in head[1:]):
        raise problem(name, f"line 1 is {','.join(head) or 'empty'}, expected ports,n2,n3 and so on")
    table: Capacities = {}
    for number, row in enumerate(body, start=2):
        if len(row) != len(head) or not all(each.isdigit() for each in row):
            raise problem(name, f"line {number} is {','.join(row)}, expected {len(head)} numbers")
        table[int(row[0])] = {int(column[1:]): int(each) for column, each in zip(head[1:], row[1:])}
    return table


def find_ports(table: Capacities, nics: int, nodes: Sequence[int]) -> list[int | None]:
    """The fewest ports for nodes per switch that join each number of nodes; None where the table has no such switch.

    nodes: in ascending order.
    """
    found: list[int | None] = []
    widths = iter(sorted(table))
    ports, reached = None, 0
    for wanted in nodes:
        while reached < wanted:
            ports = next(widths, None)
            if ports is None:
                break
            reached = max(reached, table[ports][nics])
        found.append(ports)
    return found


def study_scaling(ours: Capacities, theirs: Capacities) -> dict[str, Any]:
    """The document: ports for each number of nodes, by the capacities of today and by those of 2001."""
    return {
        "format": "fnn-scaling",
        "version": VERSION,
        "nodes": {"first": NODES[0], "last": NODES[-1]},
        "curves": [
            {"nics": nics, "ports": find_ports(ours, nics, NODES), "ports_2001": find_ports(theirs, nics, NODES)}
            for nics in NICS
        ],
    }


def format_csv(study: Mapping[str, Any]) -> str:
    """A row per number of nodes; two columns per number of NICs, today's ports and those of 2001."""
    columns = [(f"n{curve['nics']}{end}", curve[key]) for curve in study["curves"] for key, end in _COLUMNS]
    names = ["nodes", *(name for name, _ in columns)]
    nodes = range(study["nodes"]["first"], study["nodes"]["last"] + 1)
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([number, *(values[at] for _, values in columns)] for at, number in enumerate(nodes))
    return output.getvalue()


_COLUMNS = (("ports", ""), ("ports_2001", "_2001"))
