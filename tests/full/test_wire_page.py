# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for phones in a real browser, while cables are plugged into the rack of six nodes.

Screenshots stay in build/tests/wire/, for people to look at.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.wire.board import DOUBT, SETTLE, Board
from ansible.module_utils.fnn.controller.wire.page_address import Place
from ansible.module_utils.fnn.controller.wire.page_server import ServedPage, serve_page
from browser import Browser, Page
from rack import Rack
from waiting import wait_until

#: Elements that reach beyond the right edge of the page.
_BEYOND = """[...document.querySelectorAll("body *")].filter(each =>
  each.getBoundingClientRect().right > innerWidth + 1).length"""


class Session:
    """Live cabling with its page: the rack, its board, and the page that shows it."""

    def __init__(self, root: Path, site: str = "lab") -> None:
        self.rack = Rack(root, site)
        self.board = Board(self.rack.design, self.rack.macs)
        self._files, self._stack, self._times = root / "roles/fnn_wire/files", contextlib.ExitStack(), itertools.count()
        self.page: ServedPage

    def serve(self) -> None:
        self.page = self._stack.enter_context(serve_page(Place(port=0), self._files))

    def end(self) -> None:
        self._stack.close()

    def review(self) -> None:
        """Hands the stable state of the rack to the page."""
        self.rack.update_all(self.board)
        start = 1700000000.0 + 10 * next(self._times)
        for later in (0.0, 2 * SETTLE, 2 * DOUBT):
            self.page.publish(self.board, self.board.review(start + later))

    def plug(self, node: str, nic: int, switch: str | None = None) -> None:
        self.rack.plug(node, nic, switch)
        self.review()

    def color(self, node: str, nic: int) -> str:
        return self.board.wiring.color(self.rack.wants[node, nic])


@pytest.fixture
def session(root: Path) -> Iterator[Session]:
    made = Session(root)
    made.serve()
    yield made
    made.end()


@pytest.fixture
def shots(root: Path) -> Path:
    place = root / "build/tests/wire"
    place.mkdir(parents=True, exist_ok=True)
    return place


def read(page: Page, selector: str) -> str:
    """The visible text of an element, in one line."""
    return " ".join(str(page.evaluate(f"document.querySelector({selector!r}).innerText")).split())


def wait_for(page: Page, selector: str, text: str) -> None:
    try:
        wait_until(lambda: text in read(page, selector), 10)
    except AssertionError as late:
        raise AssertionError(f"{selector} reads {read(page, selector)!r}, not {text!r}") from late


def shoot(page: Page, place: Path, name: str) -> None:
    """Pictures at two widths, light and dark. Nothing reaches beyond the page."""
    for width in (390, 1280):
        page.resize(width, 844)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(_BEYOND) == 0, f"{name} at {width} pixels"
        for scheme in ("light", "dark"):
            page.show(scheme=scheme)
            (place / f"{name}-{width}-{scheme}.png").write_bytes(page.take_picture())
    page.show()
    page.resize(390, 844)


def test_a_phone_follows_each_cable_to_the_last(session: Session, tmp_path: Path, shots: Path) -> None:
    with Browser(tmp_path) as browser:
        page = browser.open(session.page.address, width=390)
        assert all(each.startswith((session.page.address, "data:")) for each in page.requests), page.requests
        wait_for(page, "#state", "is starting")
        session.review()
        wait_for(page, "#next", f"k00 nic0 {session.color('k00', 0)}")
        session.plug("k00", 0)
        wait_for(page, "#next", f"k00 nic1 {session.color('k00', 1)}")
        wait_for(page, "#state", "live")
        for key in list(session.rack.wants)[1:7]:
            session.plug(*key)
        wrong = session.rack.find_other("k02")
        session.plug("k02", 0, wrong)
        wait_for(page, "#wrong", f"k02 nic0 is in {session.board.wiring.color(wrong)}, belongs to")
        session.board.lose("k05", "sudo needs a password; allow sudo without a password")
        session.page.publish(session.board, session.board.review(1700000900.0))
        wait_for(page, "#unreachable", "sudo needs a password")
        top = page.evaluate("['wrong', 'next'].map(each => document.getElementById(each).getBoundingClientRect().top)")
        assert top[0] < top[1] < 844, "misplugged cables come first, and the next cable needs no scrolling"
        assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#next .cable')).fontSize)") >= 36
        shoot(page, shots, "cabling")
        session.rack.plug_all()
        session.review()
        wait_for(page, "#next", "nothing, all cables are right")
        wait_for(page, "#counts", "12 of 12 right")
        shoot(page, shots, "complete")
        session.end()
        wait_for(page, "#state", "All cables are right; ./fnn wire has ended.")


@pytest.mark.parametrize("site", ["klat2", "kasy0", "mesh"])
def test_large_clusters_and_long_names_fit(site: str, root: Path, tmp_path: Path, shots: Path) -> None:
    session = Session(root, site)
    session.serve()
    session.review()
    cables = list(session.rack.wants)
    plugged = cables[: 2 * len(cables) // 3]
    session.rack.speeds = dict.fromkeys(plugged[:41], 10)
    for key in plugged:
        session.rack.plug(*key)
    session.review()
    with Browser(tmp_path) as browser:
        page = browser.open(session.page.address, width=390)
        node, nic = cables[len(plugged)]
        wait_for(page, "#next", f"{node} nic{nic} {session.color(node, nic)}")
        wait_for(page, "#notes", " at 10 Mb/s instead of ")
        shoot(page, shots, site)
    session.end()


def test_a_lost_connection_is_visible_until_the_server_is_back(
    session: Session, tmp_path: Path, shots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = session.page.address.split("/")[3]
    port = int(session.page.address.split(":")[2].split("/")[0])
    session.review()
    with Browser(tmp_path) as browser:
        page = browser.open(session.page.address, width=390)
        wait_for(page, "#next", "k00 nic0")
        assert page.messages == []
        session.end()
        wait_for(page, "#state", "Connection lost at ")
        assert page.evaluate("document.querySelector('main').className") == "lost"
        shoot(page, shots, "lost")
        # The same address again: the network was gone, not the program.
        module = "ansible.module_utils.fnn.controller.wire.page_server"
        monkeypatch.setattr(f"{module}.make_token", lambda: token)
        with serve_page(Place(port=port), Path(__file__).parents[2] / "roles/fnn_wire/files") as again:
            session.page = again
            session.plug("k00", 0)
            wait_for(page, "#next", "k00 nic1")
            wait_for(page, "#state", "live")
        monkeypatch.setattr(f"{module}.make_token", lambda: "another")
        with serve_page(Place(port=port), Path(__file__).parents[2] / "roles/fnn_wire/files"):
            wait_for(page, "#state", "open the address that it printed")


def test_a_wrong_token_shows_nothing(session: Session, tmp_path: Path) -> None:
    session.review()
    with Browser(tmp_path) as browser:
        page = browser.open(session.page.address[:-2] + "/", width=390)
        assert page.evaluate("document.body.innerText").strip() == "404 Not Found"


def test_texts_of_nodes_are_no_html(session: Session, tmp_path: Path) -> None:
    session.review()
    session.board.lose("k05", "<img src=x onerror=alert(1)><script>document.title = 'taken'</script>")
    session.page.publish(session.board, session.board.review(1700000900.0))
    with Browser(tmp_path) as browser:
        page = browser.open(session.page.address, width=390)
        wait_for(page, "#unreachable", "k05: <img src=x onerror=alert(1)><script>")
        assert page.evaluate("document.images.length") == 0
        assert page.evaluate("document.title") == "six: 0 of 12"
        assert page.messages == []
