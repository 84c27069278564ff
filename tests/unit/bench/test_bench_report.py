# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of benchmarks in the pages of docs/."""

from __future__ import annotations

import re
from pathlib import Path

from bench.__main__ import CASES
from bench.report import BEGIN, END, Table, Target, record

TABLE = Table("rates", "How fast?", ["nodes", "moves / s"], [["64", "2.25e8"]], [Target("1e8 for 64 nodes", True)])


def test_a_table_replaces_the_former_one_and_nothing_else(tmp_path: Path) -> None:
    page, other = tmp_path / "page.md", tmp_path / "other.md"
    page.write_text("Rates\n\n<!-- make bench: rates -->\nold\n<!-- end of make bench -->\nafter\n")
    other.write_text("<!-- make bench: linkd -->\nkept\n<!-- end of make bench -->\n")
    for _ in range(2):
        assert record([page, other], [TABLE], "a machine") == []
        assert page.read_text() == (
            "Rates\n\n<!-- make bench: rates -->\nMeasured on a machine:\n\n"
            "| nodes | moves / s |\n| --- | --- |\n| 64 | 2.25e8 |\n\n- met: 1e8 for 64 nodes\n"
            "<!-- end of make bench -->\nafter\n"
        )
    assert "kept" in other.read_text()


def test_the_figures_of_a_table_lie_beside_its_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- make bench: rates -->\n<!-- end of make bench -->\n")
    table = Table("rates", "How fast?", ["nodes"], [["64"]], figures={"rates.svg": "<svg/>\n"})
    assert record([page], [table], "a machine") == []
    assert "| 64 |\n\n![How fast?](rates.svg)\n<!-- end" in page.read_text()
    assert (tmp_path / "rates.svg").read_text() == "<svg/>\n"
    assert "figures" not in table.document()


def test_a_table_that_no_page_has_is_named(tmp_path: Path) -> None:
    assert record([], [TABLE], "a machine") == ["rates"]


def test_the_comments_of_the_pages_name_comparisons_and_end(root: Path) -> None:
    for page in (root / "docs").rglob("*.md"):
        text = page.read_text()
        names = re.findall(re.escape(BEGIN).replace(r"\{\}", "(.+)"), text)
        assert set(names) <= set(CASES), page
        assert text.count(END) == len(names), page


def test_every_comparison_has_a_table_in_one_page(root: Path) -> None:
    text = "".join(page.read_text() for page in (root / "docs").rglob("*.md"))
    assert [name for name in CASES if text.count(BEGIN.format(name)) != 1] == []
