# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what the Intel MPI Benchmarks (IMB-MPI1 and others) print.

    # Benchmarking Exchange
    # #processes = 4
           #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
            65536          640       123.45       130.01       127.30      2016.12

Each number but the repetitions is a value, `Exchange, 4 processes, 65536 B, t_max`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....shared.outputs.result import Value, make_result, make_value, read_number

_UNITS = {"usec": "us", "Mbytes/sec": "MB/s", "Msg/sec": "message/s"}
_SKIPPED = ("#bytes", "#repetitions")


def is_output(text: str) -> bool:
    return "Intel(R) MPI Benchmarks" in text or re.search(r"^# Benchmarking \w+", text, re.MULTILINE) is not None


def read_output(text: str) -> list[dict[str, Any]]:
    found = re.search(r"Intel\(R\) MPI Benchmarks ([\w.]+?),? (\S+) part", text)
    version, part = (found.group(1), found.group(2)) if found else (None, "MPI-1")
    values = list(_list_values(text))
    return [make_result(f"IMB-{part.replace('-', '')}", version, values, None if values else "no results in it")]


def _list_values(text: str) -> Iterator[Value]:
    """Of all tables. The lines above a table name it; a line that fits no column ends it."""
    name = processes = groups = ""
    columns: list[str] = []
    for line in text.splitlines():
        words = line.split()
        if found := re.match(r"# Benchmarking (\S+)", line):
            name, processes, groups, columns = found.group(1), "", "", []
        elif found := re.match(r"# #processes = (\d+)", line):
            processes = f", {found.group(1)} processes"
        elif found := re.match(r"# \( *(\d+) groups of (\d+) processes", line):
            processes, groups = f", {found.group(2)} processes", f" in {found.group(1)} groups"
        elif "#repetitions" in words:
            columns = words
        elif columns and len(words) == len(columns) and all(read_number(word) is not None for word in words):
            yield from _list_row(name + processes + groups, dict(zip(columns, words)))


def _list_row(name: str, row: dict[str, str]) -> Iterator[Value]:
    size = f", {row['#bytes']} B" if "#bytes" in row else ""
    for column, word in row.items():
        if column in _SKIPPED or column == "Group":
            continue
        group = f", group {row['Group']}" if "Group" in row else ""
        label, unit = re.fullmatch(r"(\w+)\[(\w+)\]", column), _UNITS.get(column, column)
        what = label.group(1) if label else "rate"
        unit = _UNITS.get(label.group(2), label.group(2)) if label else unit
        yield make_value(f"{name}{size}{group}, {what}", float(word), unit)
