# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads printed labels back from the PDF: rectangles and text by their places, and QR codes by their modules.

Lengths are in mm from the top left corner of the page. The QR reader follows ISO/IEC 18004 without error correction,
for versions 1 to 4; it shares no code with the encoder.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansible.module_utils.fnn.controller.labels.shapes import ASCENT, DESCENT, measure
from pypdf import PageObject, PdfReader

MM = 72 / 25.4
_RECTANGLE = re.compile(r"n ([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re (\S+)")
_TEXT = re.compile(r"BT 1 0 0 1 ([-\d.]+) ([-\d.]+) Tm (\S+) ([-\d.]+) Tf [-\d.]+ TL \((.*)\) Tj")
_LINE = re.compile(r"n ([-\d.]+) ([-\d.]+) m ([-\d.]+) ([-\d.]+) l S")
_FILL = re.compile(r"([-\d.]+) ([-\d.]+) ([-\d.]+) rg")
#: Characters of the alphanumeric mode.
_ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
#: (version, level) -> data codewords of each block; levels as in the format bits.
_BLOCKS = {
    (1, 1): [19], (1, 0): [16], (1, 3): [13], (1, 2): [9],
    (2, 1): [34], (2, 0): [28], (2, 3): [22], (2, 2): [16],
    (3, 1): [55], (3, 0): [44], (3, 3): [17, 17], (3, 2): [13, 13],
    (4, 1): [80], (4, 0): [32, 32], (4, 3): [24, 24], (4, 2): [9, 9, 9, 9],
}  # fmt: skip
_MASKS = (
    lambda r, c: (r + c) % 2 == 0, lambda r, c: r % 2 == 0, lambda r, c: c % 3 == 0, lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0, lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0, lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
)  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """A rectangle, a line or a text on a page. kind: "box", "line" or "text"; stroked, black: of a box."""

    kind: str
    left: float
    top: float
    right: float
    bottom: float
    text: str = ""
    stroked: bool = False
    black: bool = False

    def within(self, outer: Mark, hair: float = 0.05) -> bool:
        return (
            self.left >= outer.left - hair
            and self.top >= outer.top - hair
            and self.right <= outer.right + hair
            and self.bottom <= outer.bottom + hair
        )

    def overlaps(self, other: Mark, hair: float = 0.05) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > hair and min(self.bottom, other.bottom) - max(self.top, other.top) > hair


def read_marks(pdf: bytes) -> list[list[Mark]]:
    """The marks of each page."""
    return [list(_read_page(page)) for page in PdfReader(io.BytesIO(pdf)).pages]


def read_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page."""
    return [
        (float(page.mediabox.width) / MM, float(page.mediabox.height) / MM) for page in PdfReader(io.BytesIO(pdf)).pages
    ]


def _read_page(page: PageObject) -> Iterator[Mark]:
    contents = page.get_contents()
    assert contents is not None
    height, black = float(page.mediabox.height), False
    fonts = {name: "Bd" in str(font.get_object()["/BaseFont"]) for name, font in page["/Resources"]["/Font"].items()}
    for line in contents.get_data().decode("latin-1").splitlines():
        if found := _FILL.search(line):
            black = {float(each) for each in found.groups()} == {0.0}
        if found := _RECTANGLE.search(line):
            x, y, width, tall = (float(each) for each in found.groups()[:4])
            end = found.group(5)
            place = _to_mm(x, height - y - tall, x + width, height - y)
            yield Mark("box", *place, stroked=end in ("S", "B*"), black=black and end == "f*")
        elif found := _LINE.search(line):
            x1, y1, x2, y2 = (float(each) for each in found.groups())
            yield Mark("line", *_to_mm(min(x1, x2), height - max(y1, y2), max(x1, x2), height - min(y1, y2)))
        elif found := _TEXT.search(line):
            x, y, size = (float(found.group(each)) for each in (1, 2, 4))
            text = re.sub(r"\\(.)", r"\1", found.group(5))
            wide = measure(text, size, fonts[found.group(3)])
            top, bottom = height - y - ASCENT * size, height - y + DESCENT * size
            yield Mark("text", *_to_mm(x, top, x + wide, bottom), text=text)


def _to_mm(*points: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = (each / MM for each in points)
    return left, top, right, bottom


@dataclass(frozen=True)
class PrintedCode:
    """place: of the dark modules. module: their size in mm."""

    text: str
    place: Mark
    module: float


def read_codes(marks: list[Mark]) -> list[PrintedCode]:
    """All QR codes of a page: black boxes without a line, each connected group a code."""
    rows = [mark for mark in marks if mark.black]
    groups: list[list[Mark]] = []
    for row in rows:  # A code is drawn as a whole, from its top left corner; the next one begins above or far from it.
        if groups and _continues(groups[-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [_read_code(group) for group in groups]


def _continues(group: list[Mark], row: Mark) -> bool:
    """Whether a box belongs to the code that is being drawn: each begins with a finder pattern of 7 modules."""
    module, first = (group[0].right - group[0].left) / 7, group[0]
    below = -0.05 <= row.top - group[-1].top < 3 * module
    return below and first.left - 0.05 <= row.left <= first.left + 33 * module


def _read_code(group: list[Mark]) -> PrintedCode:
    left, top = min(each.left for each in group), min(each.top for each in group)
    right, bottom = max(each.right for each in group), max(each.bottom for each in group)
    module = (group[0].right - group[0].left) / 7
    size = round((right - left) / module)
    assert abs((right - left) - (bottom - top)) < 0.02, "a code is a square"
    dark = [[False] * size for _ in range(size)]
    for each in group:
        row = round((each.top - top) / module)
        for column in range(round((each.left - left) / module), round((each.right - left) / module)):
            dark[row][column] = True
    return PrintedCode(decode(dark), Mark("box", left, top, right, bottom), module)


def decode(dark: list[list[bool]]) -> str:
    """The text of a QR code. Fails if the bits are not those of one."""
    size = len(dark)
    version = (size - 17) // 4
    assert version in (1, 2, 3, 4) and size == 17 + 4 * version, size
    level, mask = _read_format(dark)
    bits = [dark[r][c] != _MASKS[mask](r, c) for r, c in _walk(size, version)]
    words = [sum(bit << (7 - at) for at, bit in enumerate(bits[i : i + 8])) for i in range(0, len(bits) - 7, 8)]
    lengths = _BLOCKS[version, level]
    data = [words[at * len(lengths) + block] for block in range(len(lengths)) for at in range(lengths[0])]
    return _read_text([bool(word >> (7 - at) & 1) for word in data for at in range(8)])


def _read_format(dark: list[list[bool]]) -> tuple[int, int]:
    places = [(8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)] + [(r, 8) for r in (7, 5, 4, 3, 2, 1, 0)]
    bits = 0
    for row, column in places:
        bits = bits << 1 | dark[row][column]
    bits ^= 0b101010000010010
    return bits >> 13, bits >> 10 & 7


def _walk(size: int, version: int) -> Iterator[tuple[int, int]]:
    """The modules of the data, in their order: up and down in pairs of columns from the right, without patterns."""
    align = size - 7

    def is_pattern(r: int, c: int) -> bool:
        corner = (r < 9 and c < 9) or (r < 9 and c >= size - 8) or (r >= size - 8 and c < 9)
        return corner or 6 in (r, c) or (version > 1 and abs(r - align) <= 2 and abs(c - align) <= 2)

    column, up = size - 1, True
    while column > 0:
        column -= column == 6
        for r in range(size - 1, -1, -1) if up else range(size):
            yield from ((r, c) for c in (column, column - 1) if not is_pattern(r, c))
        column, up = column - 2, not up


def _read_text(bits: list[bool]) -> str:
    at = 0

    def take(number: int) -> int:
        nonlocal at
        value = sum(bit << (number - 1 - index) for index, bit in enumerate(bits[at : at + number]))
        at += number
        return value

    text = ""
    while at + 4 <= len(bits) and (mode := take(4)):
        assert mode in (2, 4), f"mode {mode}"
        if mode == 4:
            text += bytes(take(8) for _ in range(take(8))).decode("ascii")
            continue
        left = take(9)
        while left > 0:
            pair = take(11) if left > 1 else take(6)
            text += _ALPHANUMERIC[pair // 45] + _ALPHANUMERIC[pair % 45] if left > 1 else _ALPHANUMERIC[pair]
            left -= 2
    return text
