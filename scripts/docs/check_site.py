# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a built site: each link leads to a file and an anchor, and no page loads anything from another host."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements whose address a browser loads without a click, and the attribute that has it.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
#: Kinds of `link` that load nothing.
_PASSIVE = {"canonical", "prev", "next", "alternate", "preconnect"}


class Page(HTMLParser):
    """links: addresses to click on. loaded: addresses that the browser loads. anchors: of the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        address = values.get(LOADED.get(tag, ""))
        if address and not (tag == "link" and _PASSIVE & set(values.get("rel", "").split())):
            self.loaded.append(address)


@cache
def read_page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def find_problems(site: Path) -> list[str]:
    """One line for each problem of the site in the folder `site`, sorted by page."""
    read_page.cache_clear()
    found = []
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue
        page, name = read_page(path), path.relative_to(site)
        found += [f"{name}: loads {address}" for address in page.loaded if is_elsewhere(address)]
        local = [address for address in page.links + page.loaded if not is_elsewhere(address)]
        found += [f"{name}: {address}: {problem}" for address in local if (problem := judge_link(path, address))]
    return found


def is_elsewhere(address: str) -> bool:
    """Whether an address names another host."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in ("http", "https")


def judge_link(path: Path, address: str) -> str:
    """What is wrong with a link on the page at `path`; empty if nothing is."""
    parts = urlsplit(address)
    if parts.scheme in ("data", "mailto", "javascript"):
        return ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "no such file"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in read_page(target).anchors:
        return "no such anchor"
    return ""
