# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the screen of a terminal as SVG, at one moment or as a recording in which lines appear one after another.

The picture has no script and loads nothing. A recording repeats; a viewer that animates nothing shows its last screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

#: In SVG units: a cell, the frame around the cells, the bar with the title.
CELL_WIDTH, CELL_HEIGHT = 8.4, 19.0
PAD, BAR = 14, 34
PAPER, INK, FRAME = "#161b22", "#e6edf3", "#30363d"
#: The sixteen colors of ANSI, legible on PAPER.
THEME = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [
        *((72, 79, 88), (255, 123, 114), (86, 211, 100), (227, 179, 65)),
        *((121, 192, 255), (210, 168, 255), (86, 212, 221), (177, 186, 196)),
    ],
)
#: Spaces that no viewer collapses.
_SPACES = str.maketrans(" ", "\N{NO-BREAK SPACE}")
FONTS = "ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace"


@dataclass(frozen=True)
class Recording:
    """times: seconds from the start at which each line appears. length: seconds until it starts again."""

    times: Sequence[float]
    length: float


def draw_terminal(lines: Sequence[str], title: str, columns: int, rows: int, recording: Recording | None = None) -> str:
    """The last `rows` lines of text, which may have ANSI colors; all of them one after another in a recording."""
    shown = lines if recording else lines[-rows:]
    width, height = columns * CELL_WIDTH + 2 * PAD, rows * CELL_HEIGHT + BAR + PAD
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" role="img" '
        f'font-family="{FONTS}" font-size="14">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="9" fill="{PAPER}" stroke="{FRAME}"/>',
        *(f'<circle cx="{20 + 20 * at}" cy="17" r="6" fill="{FRAME}"/>' for at in range(3)),
        f'<text x="{width / 2:.1f}" y="22" text-anchor="middle" fill="#8b949e">{escape(title)}</text>',
        f'<svg x="{PAD}" y="{BAR}" width="{columns * CELL_WIDTH:.1f}" height="{rows * CELL_HEIGHT:.1f}">',
        f'<g fill="{INK}" transform="translate(0 {0 - _scroll(len(shown), rows):.0f})">',
        *(_draw_scrolling(len(shown), rows, recording) if recording else ()),
        *(line for number, text in enumerate(shown) for line in _draw_line(text, number, recording)),
        "</g></svg></svg>",
    ]
    return "\n".join(body) + "\n"


def _scroll(lines: int, rows: int) -> float:
    """By how much the lines are above their place when so many of them are there."""
    return max(0, lines - rows) * CELL_HEIGHT


def _draw_scrolling(lines: int, rows: int, recording: Recording) -> Iterator[str]:
    moments = [(recording.times[last], _scroll(last + 1, rows)) for last in range(rows, lines)]
    if not moments:
        return
    starts = [0.0, *(time / recording.length for time, _ in moments)]
    values = [0.0, *(offset for _, offset in moments)]
    yield (
        '<animateTransform attributeName="transform" type="translate" calcMode="discrete" repeatCount="indefinite" '
        f'dur="{recording.length:g}s" keyTimes="{";".join(f"{each:.4f}" for each in starts)}" '
        f'values="{";".join(f"0 {0 - each:.0f}" for each in values)}"/>'
    )


def _draw_line(line: str, number: int, recording: Recording | None) -> Iterator[str]:
    text = Text.from_ansi(line)
    if not text.plain.strip():
        return
    y = number * CELL_HEIGHT + 14
    yield "<g>"
    if recording:
        start = recording.times[number] / recording.length
        yield (
            '<animate attributeName="opacity" calcMode="discrete" repeatCount="indefinite" '
            f'dur="{recording.length:g}s" keyTimes="0;{start:.4f}" values="{0 if start else 1};1"/>'
        )
    for start_column, piece, style in _split(text):
        if piece.strip():
            if style.bgcolor:
                yield (
                    f'<rect x="{start_column * CELL_WIDTH:.1f}" y="{y - 14:.0f}" width="{len(piece) * CELL_WIDTH:.1f}" '
                    f'height="{CELL_HEIGHT:g}" fill="{style.bgcolor.get_truecolor(THEME).hex}"/>'
                )
            yield (
                f'<text x="{start_column * CELL_WIDTH:.1f}" y="{y:.0f}" textLength="{len(piece) * CELL_WIDTH:.1f}"'
                f"{_format_style(style)}>{escape(piece.translate(_SPACES))}</text>"
            )
    yield "</g>"


def _split(text: Text) -> Iterator[tuple[int, str, Style]]:
    """Runs of one style: first column, text, style. Spaces at both ends of a run are left out."""
    borders = sorted({0, len(text.plain), *(at for span in text.spans for at in (span.start, span.end))})
    for start, end in zip(borders, borders[1:]):
        styles = [each.style for each in text.spans if each.start <= start and end <= each.end]
        style = Style.combine([Style(), *(each for each in styles if isinstance(each, Style))])
        piece = text.plain[start:end].rstrip()
        inner = piece.lstrip()
        yield start + len(piece) - len(inner), inner, style


def _format_style(style: Style) -> str:
    color = style.color.get_truecolor(THEME).hex if style.color else ""
    weight = ' font-weight="bold"' if style.bold else ""
    return (f' fill="{color}"' if color else "") + (' opacity="0.65"' if style.dim else "") + weight
