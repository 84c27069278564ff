# SPDX-License-Identifier: GPL-3.0-or-later
"""The script of a report in a real browser: downloads, highlighting, failed switches; no script; phones and paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ansible.module_utils.fnn.controller.report.make import Report, make_report
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.switch_losses import measure_switch_losses
from browser import Browser, Page
from built import make_findings, make_proof_of
from pypdf import PdfReader
from reading import check_page
from report_sources import make_sources, study
from waiting import wait_until

__all__ = ["make_sources", "study"]

MakeSources = Callable[[str], Sources]
Open = Callable[..., Page]
TEMPLATES = "roles/fnn_report/templates"
SECONDS = 10
SVG = "{http://www.w3.org/2000/svg}"


class Site:
    """The reports of sites, written once, and a browser that opens them."""

    def __init__(self, root: Path, make_sources: MakeSources, place: Path, browser: Browser) -> None:
        self._root, self._make_sources, self.place, self.browser = root, make_sources, place, browser
        self.reports: dict[str, Report] = {}

    def write(self, name: str, sources: Sources | None = None) -> Path:
        path = self.place / f"{name}.html"
        if name not in self.reports:
            self.reports[name] = make_report(sources or self._make_sources(name))
            path.write_text(format_page(self.reports[name], self._root / TEMPLATES))
        return path

    def open(self, name: str, width: int = 1280) -> Page:
        page = self.browser.open(self.write(name), width)
        assert page.messages == []
        return page

    def write_built(self, name: str, **faults: Any) -> Path:
        sources = self._make_sources("lab")
        design = dict(sources.design)
        return self.write(name, replace(sources, findings=make_findings(design, **faults), proof=make_proof_of(design)))

    def count_figures(self, name: str) -> int:
        return sum(len(section.figures) for section in self.reports[name].sections)


@pytest.fixture(scope="module")
def site(root: Path, make_sources: MakeSources, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    place = tmp_path_factory.mktemp("browser")
    with Browser(place) as browser:
        yield Site(root, make_sources, place, browser)


def find_middle(page: Page, selector: str) -> dict[str, float]:
    """The middle of an element, after scrolling to it."""
    place = page.evaluate(f"""(() => {{
      const element = document.querySelector({json.dumps(selector)});
      element.scrollIntoView({{block: "center", behavior: "instant"}});
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }})()""")
    return {"x": place[0], "y": place[1]}


def point(page: Page, selector: str) -> None:
    page.call("Input.dispatchMouseEvent", type="mouseMoved", **find_middle(page, selector))


def click(page: Page, selector: str) -> None:
    place = find_middle(page, selector)
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)


def press(page: Page, key: str) -> None:
    text = {"text": "\r", "windowsVirtualKeyCode": 13} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))


def list_texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.evaluate(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(each => each.textContent.trim())"
    )
    return found


def choose_switch(column: int) -> str:
    return f"#figure-matrix thead th:nth-child({column + 2}) button"


# --- Downloads ---


@pytest.mark.parametrize("name", ["lab", "ring"])
def test_downloads_are_made_from_the_page_in_the_colors_of_paper(site: Site, name: str) -> None:
    site.write(name)
    there = site.place / f"downloads-{name}"
    site.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(there))
    for section in site.reports[name].sections:
        for figure in section.figures:
            page = site.open(name)  # Chromium allows ten downloads from a page
            page.show(scheme="dark")
            for kind in ("svg", "csv") if figure.svg else ("csv",):
                click(page, f"#figure-{figure.name} button[data-save={kind}]")
                path = there / f"{site.reports[name].cluster}-{figure.name}.{kind}"
                wait_until(path.exists, SECONDS)
                if kind == "svg":
                    compare_pictures(path.read_text(), figure.svg or "")
                else:
                    compare_tables(path.read_text(), figure.table.format_csv())


def compare_pictures(saved: str, drawn: str) -> None:
    """The same elements, colors and words; ids are longer in the page."""
    assert "var(" not in saved and "class=" not in saved
    one, other = ElementTree.fromstring(saved), ElementTree.fromstring(drawn)
    assert [(each.tag, each.text) for each in one.iter()] == [(each.tag, each.text) for each in other.iter()]
    assert one.tag == f"{SVG}svg"
    fills = [[each.get("fill", "").partition("(")[0] for each in picture.iter()] for picture in (one, other)]
    assert fills[0] == fills[1]


def compare_tables(saved: str, wanted: str) -> None:
    """Equal cells; numbers are equal as numbers."""
    one, other = (list(csv.reader(io.StringIO(text))) for text in (saved, wanted))
    assert len(one) == len(other)
    for row, expected in zip(one, other):
        assert [read_number(cell) for cell in row] == [read_number(cell) for cell in expected]


def read_number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


# --- Highlighting ---


def test_a_node_under_the_pointer_lights_its_row_its_switches_and_its_cables(site: Site) -> None:
    page = site.open("lab")
    point(page, "#figure-matrix tbody tr:nth-child(3) th")
    assert list_texts(page, "#figure-matrix tbody .lit") == ["k02", "0", "", "1"]
    assert list_texts(page, "#figure-matrix thead .lit .name") == ["red", "green"]
    bright = "#figure-wiring path:not(.dim) > title"
    assert list_texts(page, bright) == ["k02:0 to red:3 RED", "k02:1 to green:1 GREEN"]
    point(page, "#figure-matrix h3")
    assert list_texts(page, "#figure-matrix .lit") == []
    assert len(list_texts(page, bright)) == 12


def test_a_switch_under_the_pointer_lights_its_nodes(site: Site) -> None:
    page = site.open("lab")
    point(page, "#figure-matrix thead th:nth-child(3)")
    assert list_texts(page, "#figure-matrix tbody th.lit") == ["k00", "k01", "k04", "k05"]
    assert list_texts(page, "#figure-matrix tbody td.lit") == ["1", "1", "0", "0"]


def test_a_tapped_cell_stays_lit_until_escape(site: Site) -> None:
    page = site.open("klat2", 390)
    click(page, "#figure-matrix tbody tr:nth-child(16) td:nth-child(4)")
    point(page, "#figure-matrix h3")
    assert "k15" in list_texts(page, "#figure-matrix tbody th.lit")
    press(page, "Escape")
    assert list_texts(page, "#figure-matrix .lit") == []


# --- Pairs that a failed switch loses ---


@pytest.mark.parametrize("name", ["lab", "klat2"])
def test_every_failed_switch_loses_the_pairs_that_it_alone_joins(
    site: Site, name: str, make_sources: MakeSources
) -> None:
    page, design = site.open(name), make_sources(name).design
    wired = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
    names = list(wired)
    for column, loss in enumerate(measure_switch_losses(design)):
        click(page, choose_switch(column))
        (words,) = list_texts(page, "#figure-matrix .hint")
        assert words.startswith(f"If {loss.switch} fails, {loss.lost} of "), words
        pairs = set()
        for line in list_texts(page, "#figure-matrix .answer li"):
            some, _, others = line.partition(" with ")
            pairs |= {(one, other) for one in some.split() for other in others.split()}
        assert pairs == {
            (one, other)
            for at, one in enumerate(names)
            for other in names[at + 1 :]
            if wired[one] & wired[other] == {loss.switch}
        }
        hit = list_texts(page, "#figure-matrix tbody th.hit")
        assert hit == [each for each in names if any(each in pair for pair in pairs)]
    click(page, choose_switch(column))
    assert list_texts(page, "#figure-matrix .answer li, #figure-matrix .hit, #figure-matrix .failed") == []


def test_a_switch_of_a_tree_loses_all_pairs_but_those_of_the_other(site: Site) -> None:
    page = site.open("two-switches")
    click(page, choose_switch(0))
    assert list_texts(page, "#figure-matrix .hint") == [
        "If red fails, 12 of 15 pairs are lost. They have no path until the repair."
    ]


def test_the_keyboard_chooses_a_switch(site: Site) -> None:
    page = site.open("lab")
    page.evaluate(f"document.querySelector('{choose_switch(2)}').focus()")
    assert list_texts(page, "#figure-matrix tbody th.lit") == ["k02", "k03", "k04", "k05"]
    press(page, "Enter")
    assert list_texts(page, "#figure-matrix .hint")[0].startswith("If green fails, 4 of 15 pairs")
    assert page.evaluate(f"document.querySelector('{choose_switch(2)}').getAttribute('aria-pressed')") == "true"
    press(page, "Escape")
    assert list_texts(page, "#figure-matrix .failed") == []


# --- The policy, and the page without its script ---


def test_another_script_does_not_run(site: Site) -> None:
    path = site.place / "injected.html"
    text = site.write("lab").read_text()
    path.write_text(text.replace("</main>", '</main><script>document.title = "changed"</script>'))
    page = site.browser.open(path)
    assert page.evaluate("document.title").startswith("six: 6 nodes")
    assert any("Content Security Policy" in each for each in page.messages)
    assert page.evaluate("document.documentElement.className") == "scripted"


def test_without_its_script_the_page_reads_and_offers_no_dead_button(site: Site) -> None:
    """A changed script is not permitted, so this page has none."""
    path = site.place / "unscripted.html"
    path.write_text(site.write("klat2").read_text().replace("</script>", " </script>"))
    page = site.browser.open(path)
    assert page.evaluate("document.documentElement.className") == ""
    shown = "[...document.querySelectorAll('button, .hint')].filter(each => each.getClientRects().length).length"
    assert page.evaluate(shown) == 0
    text = page.evaluate("document.body.innerText")
    for words in ("Weaknesses", "Failure of one switch", "report.json has all numbers of this page"):
        assert words in text
    assert len(list_texts(page, "#figure-matrix tbody tr")) == 64


# --- Phones and paper ---


@pytest.mark.parametrize("name", ["lab", "klat2", "kasy0", "two-switches"])
def test_on_a_phone_the_matrix_is_visible_without_scrolling_sideways(site: Site, name: str) -> None:
    page = site.open(name, 390)
    inside, outside, right = page.evaluate("""(() => {
      const scroll = document.querySelector("#figure-matrix .scroll");
      return [scroll.scrollWidth, scroll.clientWidth, scroll.querySelector("table").getBoundingClientRect().right];
    })()""")
    assert inside <= outside
    assert right <= 390
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    sizes = page.evaluate(
        "[...document.querySelectorAll('#figure-matrix td')].map(each => each.scrollWidth - each.clientWidth)"
    )
    assert max(sizes) <= 1, "a number is wider than its cell"


@pytest.mark.parametrize("faults", [None, {}, {"swapped": [("k00", 0), ("k05", 1)]}], ids=["design", "right", "swap"])
def test_six_nodes_fit_on_five_sheets(site: Site, faults: dict[str, Any] | None) -> None:
    name = "lab" if faults is None else f"built{len(faults)}"
    path = site.write("lab") if faults is None else site.write_built(name, **faults)
    page = check_page(site.browser, path, site.count_figures(name))
    for size in ((210, 297), (215.9, 279.4)):
        assert len(PdfReader(io.BytesIO(page.print_pdf(*size))).pages) <= 5
        page.show()


def test_after_a_swap_the_first_screen_names_both_plugs(site: Site) -> None:
    path = site.write_built("swapped", swapped=[("k00", 0), ("k05", 1)])
    for width, height in ((1280, 900), (390, 844)):
        page = site.browser.open(path, width)
        page.resize(width, height)
        bottom = page.evaluate("document.querySelector('.actions ol').getBoundingClientRect().bottom")
        assert bottom < height
        assert list_texts(page, ".actions li") == [
            "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN"
        ]


def test_the_answers_are_on_the_first_screen(site: Site) -> None:
    page = site.open("klat2")
    places = page.evaluate(
        "[...document.querySelectorAll('.answers h3')].map(each => each.getBoundingClientRect().bottom)"
    )
    assert len(places) == 4
    assert max(places) < 900
