# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a report in a browser is complete, legible and self-contained. Shared by a short test and a long one."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path

from browser import Browser, Page
from PIL import Image
from pypdf import PdfReader

PAPERS = {"A4": (210, 297), "letter": (215.9, 279.4)}
#: Margins in the style sheet for print: at the sides, and at top and bottom.
MARGINS_MM = (10, 9)
WIDTHS = (1280, 390)
#: Elements that reach beyond the page's right edge without a container that scrolls.
_BEYOND = """[...document.querySelectorAll("body *")].filter(each =>
  each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".picture, .scroll, nav, svg")).length"""
#: The numbers of figures, of empty figures, and of download links.
_FIGURES = """[document.querySelectorAll("figure").length,
  [...document.querySelectorAll("figure > .picture svg, figure > .scroll")]
    .filter(each => each.getBoundingClientRect().height < 40).length,
  document.querySelectorAll("figure button[data-save]").length]"""
_RECTANGLES = (
    """[...document.querySelectorAll("figure, figure svg, figure table")].map(each => each.getBoundingClientRect())"""
)
#: Tables of nodes may continue on the next sheet, between two rows.
_HEIGHTS = """[...document.querySelectorAll("figure:not(.long), figure svg")].map(each =>
  each.getBoundingClientRect().height)"""
#: Of the figures that are printed; a folded drawing is not.
_TITLES = """[...document.querySelectorAll("figure")].filter(each => each.getClientRects().length).map(each =>
  [each.querySelector("h3").innerText, each.querySelector("p.words").innerText])"""
#: Texts of charts that overlap.
_OVERLAPS = """(() => {
  let found = [];
  for (const svg of document.querySelectorAll("figure:not(.paper) svg")) {
    const boxes = [...svg.querySelectorAll("text")].map(each => [each.textContent, each.getBoundingClientRect()]);
    for (let a = 0; a < boxes.length; a++) for (let b = 0; b < a; b++) {
      const [x, y] = [boxes[a][1], boxes[b][1]];
      const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
      const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
      if (wide > 3 && high > 5) found.push(boxes[a][0] + " over " + boxes[b][0]);
    }
  }
  return found;
})()"""


def check_page(browser: Browser, path: Path, figures: int) -> Page:
    """Opens the report and checks everything that a program can check."""
    page = browser.open(path)
    assert page.requests == [path.as_uri()]
    assert page.messages == []
    for width in WIDTHS:
        page.resize(width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(_BEYOND) == 0, f"at {width} pixels"
        shown, empty, downloads = page.evaluate(_FIGURES)
        assert (shown, empty) == (figures, 0), f"at {width} pixels"
        assert downloads >= figures
    page.resize(1280)
    assert page.evaluate(_OVERLAPS) == []
    check_colors(page)
    for width, height in PAPERS.values():
        check_paper(page, width, height)
    return page


def check_colors(page: Page) -> None:
    """With the dark color scheme, the background and the page as a whole are darker."""
    light = measure_brightness(page)
    page.show(scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert measure_brightness(page) < light - 40
    page.show()


def measure_brightness(page: Page) -> float:
    """The mean of the upper part of the page, from 0 to 255."""
    picture = Image.open(io.BytesIO(page.take_picture())).convert("L").crop((0, 0, 1280, 600))
    return sum(level * count for level, count in enumerate(picture.histogram())) / (1280 * 600)


def check_paper(page: Page, width_mm: float, height_mm: float) -> None:
    """No figure is cut: each but a table of nodes is shorter than a sheet; its title is on the sheet of its words."""
    room = [(side - 2 * margin) / 25.4 * 96 for side, margin in zip((width_mm, height_mm), MARGINS_MM)]
    page.show("print")
    page.resize(int(room[0]), int(room[1]))
    assert page.evaluate(f"Math.max(...{_HEIGHTS})") < room[1], "too tall"
    assert page.evaluate("Math.max(..." + _RECTANGLES + ".map(each => each.right))") < room[0] + 1, "too wide"
    page.resize(1280)
    pdf = PdfReader(io.BytesIO(page.print_pdf(width_mm, height_mm)))
    words = [read_words(sheet.extract_text()) for sheet in pdf.pages]
    titles = page.evaluate(_TITLES)
    for title, told in titles:
        parts = (read_words(title), read_words(told)[:25], read_words(told)[-10:])
        assert any(all(part in sheet for part in parts) for sheet in words), f"{title} is cut"
    box = pdf.pages[0].mediabox
    assert abs(float(box.width) - width_mm / 25.4 * 72) < 2
    assert abs(float(box.height) - height_mm / 25.4 * 72) < 2
    page.show()


def read_words(text: str) -> str:
    """The text without ligatures, and without blanks, as PDF readers place these differently."""
    return "".join(unicodedata.normalize("NFKC", text).split())
