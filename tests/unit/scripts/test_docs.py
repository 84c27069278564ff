# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that go into the site, the check of the built site, and the navigation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from scripts.docs.check_site import find_problems
from scripts.docs.stage import PAGES, list_docs, stage, unlink


def list_pages(nav: Any) -> Iterator[str]:
    """The paths of a navigation: nested lists of {title: path or list}."""
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from list_pages(value)


def test_every_page_is_in_the_navigation_once(root: Path) -> None:
    config = yaml.safe_load((root / "mkdocs.yml").read_text())
    pages = [*PAGES, *(name for name in list_docs(root) if name.endswith(".md"))]
    assert sorted(list_pages(config["nav"])) == sorted(pages)


def test_the_site_uses_no_fonts_of_another_host(root: Path) -> None:
    config = yaml.safe_load((root / "mkdocs.yml").read_text())
    assert config["theme"]["font"] is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[the lab](../how-to/lab.md#faults)", "[the lab](../how-to/lab.md#faults)"),
        ("[the source](../../schemas/variables.yml)", "the source (`schemas/variables.yml`)"),
        ("[inventory/lab](../../inventory/lab)", "inventory/lab"),
        ("[`inventory/lab`](../../inventory/lab)", "`inventory/lab`"),
        ("[elsewhere](https://example.org/a) and [here](#a)", "[elsewhere](https://example.org/a) and [here](#a)"),
        ("`[code](../no.md)`", "`[code](../no.md)`"),
        ("```\n[code](../no.md)\n```\n", "```\n[code](../no.md)\n```\n"),
        ("![a picture](../pictures/six.svg)", "![a picture](../pictures/six.svg)"),
    ],
)
def test_links_to_files_outside_the_site_become_text(text: str, expected: str) -> None:
    assert unlink(text, PurePosixPath("docs/reference/goals.md"), ["docs/how-to/lab.md"]) == expected


def test_staged_pages_keep_their_paths(root: Path, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target/old.md").touch()
    stage(root, tmp_path / "target")
    assert not (tmp_path / "target/old.md").exists()
    assert (tmp_path / "target/docs/glossary.md").read_text() == (root / "docs/glossary.md").read_text()
    assert (tmp_path / "target/docs/pictures/six.svg").read_bytes() == (root / "docs/pictures/six.svg").read_bytes()


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ('<a href="b.html#x">b</a><a href="#here">a</a><p id="here"><a href="https://example.org/">e</a>', []),
        ('<a href="c.html">c</a>', ["a.html: c.html: no such file"]),
        ('<a href="b.html#y">b</a>', ["a.html: b.html#y: no such anchor"]),
        ('<script src="https://example.org/a.js"></script>', ["a.html: loads https://example.org/a.js"]),
        ('<link rel="stylesheet" href="//example.org/a.css">', ["a.html: loads //example.org/a.css"]),
        ('<img src="none.png">', ["a.html: none.png: no such file"]),
    ],
)
def test_problems_of_a_site_are_found(body: str, problems: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(body)
    (tmp_path / "b.html").write_text('<p id="x">')
    assert find_problems(tmp_path) == problems
