# SPDX-License-Identifier: GPL-3.0-or-later
"""Links of all Markdown pages, and paths of pages in code, variables and messages."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from programs import ROOT

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]*)\)")
_HEADING = re.compile(r"^#{1,6} (.*?)#*$", re.MULTILINE)
#: A path of a page or picture below docs/ in any file.
_PATH = re.compile(r"(?<![\w./-])docs/[\w./-]+\.(?:md|svg|png|json)\b")
#: Links of this page are relative to the root of the built collection, which has the same folders.
_ELSEWHERE = {"scripts/collection/files/README.md": "README.md"}


def list_files() -> list[str]:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in output.split("\0") if name and (ROOT / name).is_file()]


FILES = list_files()
PAGES = [name for name in FILES if name.endswith(".md")]


def make_anchor(heading: str) -> str:
    """The anchor that GitHub and MkDocs give to a heading."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@cache
def read_anchors(path: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {make_anchor(heading) for heading in _HEADING.findall(text)} | set(re.findall(r'id="([^"]+)"', text))


def find_dead_links(page: str) -> Iterator[str]:
    text = _CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for link in _LINK.findall(text):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        folder = (ROOT / _ELSEWHERE.get(page, page)).parent
        path = folder / target if target else ROOT / page
        if not path.exists():
            yield f"{page}: {link}: no such file"
        elif anchor and path.suffix == ".md" and anchor not in read_anchors(path):
            yield f"{page}: {link}: no such heading"


def test_anchors_are_those_of_github() -> None:
    assert make_anchor("`fnn-linkd`: when something fails, and [why](a.md)") == "fnn-linkd-when-something-fails-and-why"


def test_a_dead_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_doc_links.ROOT", tmp_path)
    (tmp_path / "a.md").write_text("# A\n[b](b.md) [c](#c) [a](#a) `[d](d.md)` [e](https://example.org/e.md)\n")
    assert list(find_dead_links("a.md")) == ["a.md: b.md: no such file", "a.md: #c: no such heading"]


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_a_file_and_a_heading(page: str) -> None:
    assert list(find_dead_links(page)) == []


def test_paths_below_docs_in_any_file_exist() -> None:
    dead = []
    for name in FILES:
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        dead += [f"{name}: {path}" for path in _PATH.findall(text) if not (ROOT / path).exists()]
    assert dead == []


def test_every_page_is_on_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    linked = {f"docs/{link.partition('#')[0]}" for link in _LINK.findall(index)}
    assert [page for page in PAGES if page.startswith("docs/") and page not in linked | {"docs/README.md"}] == []
