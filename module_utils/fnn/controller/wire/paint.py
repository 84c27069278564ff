# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of the screen: switches in the colors of their cables, verdicts in green and red.

Rich finds out which colors a terminal has, and chooses the nearest ones. There are none if the output is no terminal,
if NO_COLOR is set to a non-empty value (https://no-color.org), or if TERM is dumb.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style

from ..labels.jackets import Color, choose_ink, read_color
from ..verify.model import format_color

_STYLES = {
    "right": Style(color="green"),
    "wrong": Style(color="red", bold=True),
    "next": Style(bold=True),
    "dim": Style(dim=True),
}


def find_jackets(design: Mapping[str, Any]) -> dict[str, Color]:
    """Name of a switch in messages -> its color, for switches whose color is that of a cable jacket."""
    found = {format_color(each): read_color(each["color"]) for each in design["spec"]["switches"] if "ends" not in each}
    return {name: color for name, color in found.items() if color}


def find_color_system(out: IO[str]) -> ColorSystem | None:
    """The colors of a terminal; None for other outputs, and where the user wants no colors."""
    console = Console(file=out)
    if not out.isatty() or console.no_color or console.is_dumb_terminal or console.color_system is None:
        return None
    return COLOR_SYSTEMS[console.color_system]


@dataclass(frozen=True)
class Painter:
    """Adds colors to lines of text, and nothing else. jackets: as find_jackets returns them. system: None for none."""

    system: ColorSystem | None = None
    jackets: Mapping[str, Color] = field(default_factory=dict)

    def paint(self, line: str, style: str = "") -> str:
        """The line in one of the styles "right", "wrong", "next" and "dim", and the names of switches in their colors.

        A line in another style gets only the colors of switches.
        """
        if self.system is None:
            return line
        base, system = _STYLES.get(style, Style()), self.system
        pieces = re.split(self._pattern(), line) if self.jackets else [line]
        return "".join(
            (self._find_style(piece) if number % 2 else base).render(piece, color_system=system)
            for number, piece in enumerate(pieces)
            if piece
        )

    def _pattern(self) -> str:
        """Matches whole names: RED in "RED 3/4", but not in "RED-WHITE"."""
        names = sorted(self.jackets, key=len, reverse=True)
        return rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])"

    def _find_style(self, name: str) -> Style:
        rgb = self.jackets[name].rgb
        return Style(color=choose_ink(rgb), bgcolor=rgb, bold=True)
