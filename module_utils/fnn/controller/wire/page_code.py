# SPDX-License-Identifier: GPL-3.0-or-later
"""The address of the page as a QR code in the terminal, for the camera of a phone: two rows of modules in a line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.color import ColorSystem
from rich.style import Style

from ..labels.qr_code import QUIET, encode

_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
#: Light modules are drawn, dark ones are the background, whichever colors the terminal has.
_STYLE = Style(color="#ffffff", bgcolor="#000000")


def draw_code(text: str, system: ColorSystem | None) -> list[str]:
    """Lines of text. system: without colors, the background must be dark."""
    rows = pad(encode(text).rows)
    lines = ["".join(_BLOCKS[pair] for pair in zip(upper, lower)) for upper, lower in zip(rows[::2], rows[1::2])]
    return [_STYLE.render(line, color_system=system) if system is not None else line for line in lines]


def pad(rows: Sequence[Sequence[bool]]) -> list[list[bool]]:
    """The same with light modules around it, and an even number of rows."""
    size = len(rows) + 2 * QUIET
    side, empty = [False] * QUIET, [False] * size
    below = QUIET + size % 2
    return [*[empty] * QUIET, *([*side, *row, *side] for row in rows), *[empty] * below]
