# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of HTML pages, by Debian's Chromium, and of pages of a PDF."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from pypdfium2 import PdfDocument

from tests.browser import Browser

#: Colors of a picture, which has text and flat areas: fewer make it smaller.
COLORS = 128
#: Pixels per millimeter of a page of paper.
SCALE = 4.0


@dataclass(frozen=True)
class View:
    """The upper part of an HTML page, in pixels."""

    width: int
    height: int
    scheme: str = "light"


@contextmanager
def open_browser() -> Iterator[Browser]:
    with TemporaryDirectory() as place, Browser(Path(place)) as browser:
        yield browser


def shoot(browser: Browser, path: Path, view: View) -> bytes:
    """The view of an HTML file as PNG."""
    page = browser.open(path, view.width)
    page.show(scheme=view.scheme)
    page.resize(view.width, view.height)
    answer = page.call("Page.captureScreenshot")
    return compress(Image.open(io.BytesIO(base64.b64decode(answer["data"]))))


def draw_paper(path: Path, page: int, box: tuple[float, float, float, float]) -> bytes:
    """A part of a page of a PDF as PNG. box: left, top, right and bottom in millimeters from the upper left corner."""
    document = PdfDocument(path)
    picture = document[page].render(scale=SCALE * 25.4 / 72).to_pil()
    left, top, right, bottom = (round(each * SCALE) for each in box)
    return compress(picture.crop((left, top, min(right, picture.width), min(bottom, picture.height))))


def compress(picture: Image.Image) -> bytes:
    """The picture as PNG with few colors. Median cut would merge those of small patches, such as red and orange."""
    out = io.BytesIO()
    few = picture.convert("RGB").quantize(COLORS, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()
