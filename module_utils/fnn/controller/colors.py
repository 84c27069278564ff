# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of text on a terminal, by click."""

from __future__ import annotations

import click

GREEN, RED, YELLOW = "green", "red", "yellow"


def paint(text: str, shade: str, color: bool) -> str:
    """The text in a color, if there are colors."""
    return click.style(text, fg=shade) if color else text
