# SPDX-License-Identifier: GPL-3.0-or-later
"""Weighted pairs from a CSV file: a list of pairs, or the byte matrix of an MPI profiler (controller only).

The first field of a file shows its format, since names of nodes begin with a letter:

    a name    a list of pairs:              n01,n02,1500     (the weight is 1 when left out)
    a number  a matrix in rank order:       0,1500,20        (one line and one column per node)
    nothing   a matrix with names:          ,n01,n02         (any nodes in any order)
                                            n01,0,1500

Entry (i, j) of a matrix is the traffic from i to j. The pair gets both directions; the diagonal does not count. Lines
that are empty or begin with # are skipped. The designer reads the same files and reports the same errors.
"""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...shared.errors import count
from ..files import read_bounded
from ..schema import format_value

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BLANKS = " \t\r"


class _Line(NamedTuple):
    number: int
    fields: list[str]


def read_pair_file(path: Path, name: str, nodes: Sequence[str]) -> tuple[list[list[Any]], list[str]]:
    """The pairs [name, name, weight] of a file in their order, and its problems.

    nodes: names of the nodes in rank order. name: of the file, in messages.
    """
    try:
        text = read_bounded(path).decode("utf-8-sig")
    except OSError as error:
        return [], [f"{name} is {error.strerror}" if error.errno == errno.EFBIG else f"{name} cannot be read"]
    except UnicodeDecodeError:
        return [], [f"{name} is not UTF-8"]
    reader = _Reader(name, nodes)
    reader.read(_split(text))
    return reader.pairs, list(dict.fromkeys(reader.complaints))


def _split(text: str) -> list[_Line]:
    lines = ((number, line.strip(_BLANKS)) for number, line in enumerate(text.split("\n"), start=1))
    return [
        _Line(number, [field.strip(_BLANKS) for field in line.split(",")])
        for number, line in lines
        if line and not line.startswith("#")
    ]


class _Reader:
    """Reads one file into `pairs` and `complaints`."""

    def __init__(self, name: str, nodes: Sequence[str]) -> None:
        self.name = name
        self.nodes = nodes
        self.names = frozenset(nodes)
        self.pairs: list[list[Any]] = []
        self.complaints: list[str] = []

    def read(self, lines: Sequence[_Line]) -> None:
        """Read all lines in the format that the first field shows."""
        if not lines:
            self.complaints.append(f"{self.name} names no pairs")
        elif not lines[0].fields[0]:
            self._read_named_matrix(lines)
        elif "0" <= lines[0].fields[0][0] <= "9":
            self._read_matrix(lines)
        else:
            for line in lines:
                self._read_pair(line)

    def _read_pair(self, line: _Line) -> None:
        if not 2 <= len(line.fields) <= 3:
            fields = count(len(line.fields), "field")
            self._complain(line, f"expected two node names and perhaps a weight, not {fields}")
            return
        one, other, *weight = line.fields
        known = [self._is_known(line, each) for each in (one, other)]
        if all(known) and one == other:
            self._complain(line, f"{one} with itself")
        self.pairs.append([one, other, self._read_weight(line, weight[0]) if weight else 1.0])

    def _read_named_matrix(self, lines: Sequence[_Line]) -> None:
        """The first line names the columns, each further line begins with the name of its row."""
        columns = lines[0].fields[1:]
        self._refuse_repeated([(lines[0], column) for column in columns], "column")
        self._refuse_repeated([(line, line.fields[0]) for line in lines[1:]], "row")
        for line in lines[1:]:
            self._read_row(line, line.fields[0], columns, line.fields[1:])

    def _refuse_repeated(self, named: Sequence[tuple[_Line, str]], what: str) -> None:
        seen: set[str] = set()
        for line, node in named:
            if self._is_known(line, node) and node in seen:
                self._complain(line, f"{node} has a {what} already")
            seen.add(node)

    def _read_matrix(self, lines: Sequence[_Line]) -> None:
        if len(lines) != len(self.nodes):
            self.complaints.append(f"{self.name} has {count(len(lines), 'row')} for {count(len(self.nodes), 'node')}")
        for line, row in zip(lines, self.nodes):
            self._read_row(line, row, self.nodes, line.fields)

    def _read_row(self, line: _Line, row: str, columns: Sequence[str], fields: Sequence[str]) -> None:
        if len(fields) != len(columns):
            self._complain(line, f"expected {count(len(columns), 'number')}, not {len(fields)}")
            return
        for column, field in zip(columns, fields):
            weight = self._read_weight(line, field)
            if weight > 0 and column != row:
                self.pairs.append([row, column, weight])

    def _read_weight(self, line: _Line, field: str) -> float:
        number = float(field) if _NUMBER.fullmatch(field) else math.inf
        if math.isfinite(number):
            return number
        self._complain(line, f"{format_value(field)} is not a non-negative number")
        return 0.0

    def _is_known(self, line: _Line, node: str) -> bool:
        if node not in self.names:
            self._complain(line, f"{format_value(node)} is not the name of a node")
        return node in self.names

    def _complain(self, line: _Line, message: str) -> None:
        self.complaints.append(f"{self.name} line {line.number}: {message}")
