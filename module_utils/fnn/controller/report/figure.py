# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a report: sections of figures, each figure with the numbers it shows."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from .matrix import Matrix

Cell = Union[str, float, None]


@dataclass(frozen=True)
class Table:
    """Rows of cells, numbers unformatted. shown: False for a table that the page only offers for download."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    shown: bool = True

    def format_csv(self) -> str:
        """CSV for spreadsheets and programs; an unknown number is an empty cell."""
        output = io.StringIO()
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return output.getvalue()

    def to_json(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Figure:
    """name: of its files to download. words: how to read it. svg: None for a table without a picture.

    wide: takes the whole width of the page. paper: drawn on white, even on a dark page. matrix: shown instead of the
    table, which has the same numbers. folded: the picture is closed until the reader opens it.
    """

    name: str
    title: str
    words: str
    table: Table
    svg: str | None = None
    wide: bool = False
    paper: bool = False
    matrix: Matrix | None = None
    folded: bool = False


@dataclass(frozen=True)
class Section:
    """name: its anchor in the page. words: a paragraph each."""

    name: str
    title: str
    words: Sequence[str]
    figures: Sequence[Figure] = field(default_factory=tuple)
