# SPDX-License-Identifier: GPL-3.0-or-later
"""The QR code of the page is read again as a camera would, from the lines on the terminal (ISO/IEC 18004)."""

from __future__ import annotations

import io

import click
import pytest
from ansible.module_utils.fnn.controller.labels.qr_code import QUIET
from ansible.module_utils.fnn.controller.wire.page_code import draw_code
from ansible.module_utils.fnn.controller.wire.session import describe_page
from label_reader import decode
from rich.color import ColorSystem

ADDRESS = "http://192.168.178.31:8088/abcdefghijklmnopqrstuvwxyz/"


def read_modules(lines: list[str]) -> list[list[bool]]:
    """The modules inside the quiet zone, true for dark ones."""
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows = [[halves[char][half] for char in line] for line in lines for half in (0, 1)]
    size = len(rows[0])
    edge = [*rows[:QUIET], *rows[size - QUIET :], *(row[:QUIET] + row[-QUIET:] for row in rows)]
    assert not any(any(row) for row in edge), "the quiet zone must be light"
    return [row[QUIET:-QUIET] for row in rows[QUIET : size - QUIET]]


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
