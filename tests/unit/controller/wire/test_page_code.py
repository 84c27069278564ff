# SPDX-License-Identifier: GPL-3.0-or-later
"""The QR code of the page is read again as a camera would, from the lines on the terminal (ISO/IEC 18004)."""

from __future__ import annotations

import io
from collections.abc import Callable

import click
import pytest
from ansible.module_utils.fnn.controller.wire.page_code import QUIET, draw_code
from ansible.module_utils.fnn.controller.wire.session import describe_page
from rich.color import ColorSystem

ADDRESS = "http://192.168.178.31:8088/abcdefghijklmnopqrstuvwxyz/"
MASKS: list[Callable[[int, int], bool]] = [
    lambda i, j: (i + j) % 2 == 0,
    lambda i, j: i % 2 == 0,
    lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
]


def read_modules(lines: list[str]) -> list[list[bool]]:
    """The modules inside the quiet zone, true for dark ones."""
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows = [[halves[char][half] for char in line] for line in lines for half in (0, 1)]
    size = len(rows[0])
    edge = [*rows[:QUIET], *rows[size - QUIET :], *(row[:QUIET] + row[-QUIET:] for row in rows)]
    assert not any(any(row) for row in edge), "the quiet zone must be light"
    return [row[QUIET:-QUIET] for row in rows[QUIET : size - QUIET]]


def is_data(i: int, j: int, size: int) -> bool:
    """Whether a module is outside of finder, timing, alignment and format patterns, for versions 2 to 6."""
    near_finder = (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9)
    in_alignment = size - 9 <= i <= size - 5 and size - 9 <= j <= size - 5
    return not (near_finder or in_alignment or i == 6 or j == 6)


def decode(modules: list[list[bool]]) -> str:
    """The text of a code with one block of bytes: versions 2 to 5 with the lowest error correction."""
    size = len(modules)
    assert 2 <= (size - 17) // 4 <= 5
    format_bits = [modules[8][j] ^ flip for j, flip in zip((0, 1, 2, 3, 4), (True, False, True, False, True))]
    assert format_bits[:2] == [False, True], "the lowest error correction"
    mask = MASKS[sum(bit << place for place, bit in zip((2, 1, 0), format_bits[2:]))]
    bits, upward = [], True
    for right in (column for column in range(size - 1, 0, -2)):
        columns = (right, right - 1) if right > 6 else (right - 1, right - 2)
        if columns[1] < 0:
            break
        for i in range(size - 1, -1, -1) if upward else range(size):
            bits += [modules[i][j] ^ mask(i, j) for j in columns if is_data(i, j, size)]
        upward = not upward
    text = "".join("01"[bit] for bit in bits)
    assert text[:4] == "0100", "a string of bytes"
    length = int(text[4:12], 2)
    return bytes(int(text[12 + 8 * n : 20 + 8 * n], 2) for n in range(length)).decode()


@pytest.mark.parametrize("system", [None, ColorSystem.STANDARD, ColorSystem.TRUECOLOR])
@pytest.mark.parametrize("address", [ADDRESS, "http://[2001:db8::5]:8088/abcdefghijklmnopqrstuvwxyz/"])
def test_the_code_is_the_address(address: str, system: ColorSystem | None) -> None:
    assert decode(read_modules([click.unstyle(line) for line in draw_code(address, system)])) == address


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("address", "out", "has_code"),
    [
        (ADDRESS, Terminal(), True),
        (ADDRESS, io.StringIO(), False),
        ("http://127.0.0.1:8088/abcdefghijklmnopqrstuvwxyz/", Terminal(), False),
    ],
    ids=["terminal", "no terminal", "this machine alone"],
)
def test_a_terminal_shows_the_code_of_a_page_that_a_phone_can_open(
    address: str, out: io.StringIO, has_code: bool
) -> None:
    first, *code = describe_page(address, out)
    assert (first, bool(code)) == (f"page: {address}", has_code)
