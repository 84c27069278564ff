# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report is made of: figures, each with the numbers it shows, gathered in sections."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Union

Cell = Union[str, float, None]


@dataclass(frozen=True)
class Table:
    """Rows of cells, numbers as they are. shown: whether the page prints it, or offers it for download alone."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    shown: bool = True

    def format_csv(self) -> str:
        """For spreadsheets and programs; nothing stands for a number that is not known."""
        spelt = io.StringIO()
        writer = csv.writer(spelt, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return spelt.getvalue()

    def to_json(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Figure:
    """name: of the files it is downloaded as. words: how to read it. svg: None for a table alone.

    wide: takes the whole width of the page. paper: is drawn on white, whatever the page is on.
    """

    name: str
    title: str
    words: str
    table: Table
    svg: str | None = None
    wide: bool = False
    paper: bool = False


@dataclass(frozen=True)
class Section:
    """name: its place in the page. words: a paragraph each."""

    name: str
    title: str
    words: Sequence[str]
    figures: Sequence[Figure] = field(default_factory=tuple)
