# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what the OSU Micro-Benchmarks print.

    # OSU MPI Bandwidth Test v5.9
    # Size      Bandwidth (MB/s)
    1                       3.37

An output may have several of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....shared.outputs.result import Value, make_result, make_value, read_number

_TITLE = re.compile(r"^# (OSU .+?)(?: v(\S+)| \(Version (\S+)\))?[ \t\r]*$", re.MULTILINE)
#: Column without a unit in parentheses -> its name, and the unit.
_PLAIN = {"Size": ("", ""), "Iterations": ("", ""), "MB/s": ("Rate", "MB/s"), "Messages/s": ("Rate", "message/s")}

Column = tuple[str, str]


def is_output(text: str) -> bool:
    return _TITLE.search(text) is not None


def read_output(text: str) -> list[dict[str, Any]]:
    titles = list(_TITLE.finditer(text))
    ends = [*(each.start() for each in titles[1:]), len(text)]
    results = []
    for title, end in zip(titles, ends):
        values = list(_list_values(text[title.end() : end]))
        error = None if values else "no results in it"
        results.append(make_result(title.group(1), title.group(2) or title.group(3), values, error))
    # osu_mbw_mr prints its title twice.
    named = {each["program"] for each in results if each["values"]}
    return [each for each in results if each["values"] or each["program"] not in named]


def _list_values(text: str) -> Iterator[Value]:
    header: list[str] = []
    for line in text.splitlines():
        words = line.split()
        if line.startswith("#"):
            # Columns are apart by more than one blank; older releases have one behind the size.
            cells = re.split(r"\s{2,}", line.lstrip("# ").replace("Size ", "Size  ").strip())
            header = cells if all(_read_column(each) for each in cells) else header
        elif header and len(words) == len(header) and all(read_number(word) is not None for word in words):
            size = f"{words[0]} B" if header[0] == "Size" else ""
            columns = [_read_column(each) or ("", "") for each in header]
            for (name, unit), word in zip(columns, words):
                if name:
                    yield make_value(", ".join(filter(None, [size, name])), float(word), unit)


def _read_column(cell: str) -> Column | None:
    """Name and unit; an empty name of a column that is no result. None of a cell that is no column."""
    found = re.fullmatch(r"(.+?) ?\((\S+)\)", cell)
    return (found.group(1), found.group(2)) if found else _PLAIN.get(cell)
