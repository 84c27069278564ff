# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of the screen: which terminals get them, and which words."""

from __future__ import annotations

import io
from typing import Any

import click
import pytest
from ansible.module_utils.fnn.controller.labels.jackets import Color
from ansible.module_utils.fnn.controller.wire.paint import Painter, find_color_system, find_jackets
from rich.color import ColorSystem

JACKETS = {
    "RED": Color("red"),
    "RED-WHITE": Color("red", "white"),
    "YELLOW": Color("yellow"),
    "s1 (BLUE)": Color("blue"),
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 256 colors."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(
    ("variables", "system"),
    [
        ({}, ColorSystem.EIGHT_BIT),
        ({"COLORTERM": "truecolor"}, ColorSystem.TRUECOLOR),
        ({"TERM": "linux"}, ColorSystem.STANDARD),
        ({"TERM": "dumb"}, None),
        ({"NO_COLOR": "1"}, None),
        ({"NO_COLOR": "0"}, None),
        ({"NO_COLOR": ""}, ColorSystem.EIGHT_BIT),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, None),
    ],
)
def test_a_terminal_gets_the_colors_it_has(
    variables: dict[str, str], system: ColorSystem | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_color_system(Terminal()) == system


def test_an_output_that_is_no_terminal_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert find_color_system(io.StringIO()) is None


def test_a_switch_has_the_color_of_its_cables() -> None:
    painted = Painter(ColorSystem.TRUECOLOR, JACKETS).paint("next: k38 nic3 -> YELLOW")
    assert painted == "next: k38 nic3 -> \x1b[1;38;2;0;0;0;48;2;255;230;0mYELLOW\x1b[0m"


def test_whole_names_are_painted() -> None:
    painter = Painter(ColorSystem.TRUECOLOR, JACKETS)
    assert painter.paint("RED-WHITE 3/4").startswith("\x1b[1;38;2;255;255;255;48;2;214;32;42mRED-WHITE\x1b[0m")
    assert "mRED\x1b" in painter.paint("RED 3/4")
    assert "ms1 (BLUE)\x1b" in painter.paint("k00 nic0: plug into s1 (BLUE)")
    assert painter.paint("INFRARED REDS RED-BLUE") == "INFRARED REDS RED-BLUE"


@pytest.mark.parametrize("system", list(ColorSystem)[:3])
def test_a_verdict_colors_the_rest_of_the_line(system: ColorSystem) -> None:
    line = "12:31:07  k05 nic0: belongs to RED, is in YELLOW"
    painted = Painter(system, JACKETS).paint(line, "wrong")
    assert painted.startswith("\x1b[1;31m12:31:07  k05 nic0: belongs to \x1b[0m")
    assert click.unstyle(painted) == line


def test_without_colors_a_line_is_as_it_was() -> None:
    assert Painter(None, JACKETS).paint("next: k38 nic3 -> YELLOW", "next") == "next: k38 nic3 -> YELLOW"


def test_only_words_for_jackets_are_colors() -> None:
    switches: list[dict[str, Any]] = [
        {"name": "red", "color": "red"},
        {"name": "s01", "color": "gray"},
        {"name": "s07", "color": "s07"},
        {"name": "cable0", "color": "red", "ends": "k0:1 to k1:0"},
    ]
    found = find_jackets({"spec": {"switches": switches}})
    assert {name: color.jacket for name, color in found.items()} == {"RED": "red", "s01 (GRAY)": "grey"}
