# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of text on a terminal (ECMA-48, select graphic rendition)."""

from __future__ import annotations

GREEN, RED, YELLOW, PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[0m"


def paint(text: str, shade: str, color: bool) -> str:
    """The text in a color, if there are colors."""
    return f"{shade}{text}{PLAIN}" if color else text
