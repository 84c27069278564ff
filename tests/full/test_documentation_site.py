# SPDX-License-Identifier: GPL-3.0-or-later
"""The site of `make docs` in a real browser. Screenshots stay in build/tests/docs/, for people to look at."""

from __future__ import annotations

import functools
import http.server
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page

PAGES = (
    "index.html",
    "docs/index.html",
    "docs/tutorial/first-evening.html",
    "docs/how-to/troubleshooting.html",
    "docs/explanation/should-i-build-this.html",
    "docs/reference/variables.html",
)


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    """Builds the site and serves it on a free port of this machine."""
    python = root / "build/docs-venv/bin/python"
    assert python.exists(), f"{python} is not there; make docs installs it"
    done = subprocess.run([python, "-m", "scripts.docs"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    handler = functools.partial(SilentHandler, directory=str(root / "build/docs"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log line for each."""

    def log_message(self, *_: object) -> None:
        pass


def find_foreign_requests(page: Page, address: str) -> list[str]:
    return [each for each in page.requests if not each.startswith((address, "data:", "blob:"))]


def find_colors(page: Page) -> str:
    """The scheme of colors that the page shows; its script needs a moment to follow the reader's preference."""
    time.sleep(0.3)
    return str(page.evaluate("document.body.getAttribute('data-md-color-scheme')"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_nothing_from_elsewhere_and_fits(name: str, address: str, root: Path, tmp_path: Path) -> None:
    shots = root / "build/tests/docs"
    shots.mkdir(parents=True, exist_ok=True)
    with Browser(tmp_path) as browser:
        page = browser.open(f"{address}/{name}")
        assert (find_foreign_requests(page, address), page.messages) == ([], [])
        for width in (1280, 390):
            for scheme in ("light", "dark"):
                page.show(scheme=scheme)
                page.resize(width)
                assert find_colors(page) == {"light": "default", "dark": "slate"}[scheme]
                shot = shots / f"{name.replace('/', '-').removesuffix('.html')}-{width}-{scheme}.png"
                shot.write_bytes(page.take_picture())
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_search_finds_a_page_by_its_text(address: str, tmp_path: Path) -> None:
    with Browser(tmp_path) as browser:
        page = browser.open(f"{address}/index.html?q=fnn_egress_filter")
        for _ in range(100):
            links = page.evaluate("[...document.querySelectorAll('.md-search-result__link')].map(each => each.href)")
            if links:
                break
            time.sleep(0.1)
        assert any("/docs/reference/variables.html" in link for link in links), links
