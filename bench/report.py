# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of a benchmark: one table per question, as text, Markdown and JSON.

A page of docs/ gets the table of a benchmark between two comments, and no figure is copied by hand:

    <!-- make bench: linkd -->
    <!-- end of make bench -->

The figures of a table lie beside the page.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- make bench: {} -->", "<!-- end of make bench -->"


@dataclass(frozen=True)
class Target:
    """A promised target; `met` is None where nothing was promised."""

    words: str
    met: bool | None = None


@dataclass
class Table:
    """One question: the rows are instances, the columns our engine and its rivals. figures: SVG by file name."""

    name: str
    question: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)

    def add(self, *cells: str) -> None:
        self.rows.append(list(cells))
        print("  " + "  ".join(cells), flush=True)

    def expect(self, words: str, met: bool) -> None:
        self.targets.append(Target(words, met))
        print(f"  {'met' if met else 'MISSED'}: {words}", flush=True)

    def markdown(self) -> str:
        """The table, its targets and its figures."""
        lines = [_row(self.columns), _row(["---"] * len(self.columns)), *(_row(row) for row in self.rows)]
        targets = [f"- {'met' if target.met else '**missed**'}: {target.words}" for target in self.targets]
        for block in (targets, *([f"![{self.question}]({name})"] for name in self.figures)):
            lines += ["", *block] if block else []
        return "\n".join(lines) + "\n"

    def write_figures(self, directory: Path) -> None:
        for name, text in self.figures.items():
            (directory / name).write_text(text)

    def document(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "figures"}


def record(pages: list[Path], tables: list[Table], machine: str) -> list[str]:
    """Replaces the tables in the pages by these, with the machine named. Returns the names of those in no page."""
    return [table.name for table in tables if not [page for page in pages if _replace(page, table, machine)]]


def _replace(page: Path, table: Table, machine: str) -> bool:
    """Replaces the table in a page; False if the page has none of this name."""
    before, begin, rest = page.read_text().partition(f"{BEGIN.format(table.name)}\n")
    if begin:
        _, end, after = rest.partition(END)
        page.write_text(f"{before}{begin}Measured on {machine}:\n\n{table.markdown()}{end}{after}")
        table.write_figures(page.parent)
    return bool(begin)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def seconds(value: float) -> str:
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.1f} s"


def ratio(rival: float, ours: float) -> str:
    return f"{rival / ours:.1f}x" if ours > 0 else "-"
