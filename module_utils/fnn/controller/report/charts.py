# SPDX-License-Identifier: GPL-3.0-or-later
"""Charts in one style, as SVG: bars, columns and curves. The same numbers give the same bytes.

Colors are tokens: the page replaces them with its own, light or dark, and a downloaded file keeps them. No chart
depends on color, since every series has its own pattern or line style and its name beside it. Text stays text, which is
small, searchable and readable for screen readers. matplotlib runs without pyplot, which keeps global state and looks
for a display.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from ..numbers import format_number, format_octets
from .slim_svg import slim_svg

INK, MUTED, RULE = "#1d2329", "#5b6570", "#d5dae0"
FIRST, SECOND, THIRD, QUIET, GROUND = "#2b5c8f", "#e3b778", "#8b6fa8", "#aab3bd", "#fefefe"
EDGE = "#14283d"

#: Color and pattern of each series of a chart, in order; the patterns serve color-blind readers.
_LOOKS = ((FIRST, ""), (SECOND, "////"), (THIRD, "||||"))
#: Inches. A narrow chart is readable on a telephone in portrait.
NARROW, WIDE = 4.4, 8.8

_STYLE: Any = {
    "svg.hashsalt": "fnn",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "hatch.linewidth": 0.6,
    "figure.facecolor": GROUND,
    "axes.facecolor": "none",
}


@dataclass(frozen=True)
class Series:
    """One value per category, or None. words: the label at each bar, its number by default."""

    name: str
    values: Sequence[float | None]
    words: Sequence[str] | None = None


@dataclass(frozen=True)
class Axis:
    """The axis of values. least: the axis extends at least to there. together: all series share one row of bars."""

    label: str
    least: float = 0.0
    together: bool = False


@dataclass(frozen=True)
class Curve:
    """Points joined by a line; a panel emphasizes its first curve."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One graph. spot: a point to mark, with its label. logarithmic: both axes, to base 2.

    octets: the axis x has sizes of messages, to base 2. from_zero: the axis y begins at 0, with room for the legend.
    """

    title: str
    curves: Sequence[Curve]
    labels: tuple[str, str]
    spot: tuple[float, float, str] | None = None
    logarithmic: bool = False
    octets: bool = False
    from_zero: bool = False


@dataclass(frozen=True)
class Surface:
    """Values by row and column, each a cell that is darker the nearer it is to the greatest value of all surfaces."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]


def draw_columns(categories: Sequence[str], series: Sequence[Series], labels: tuple[str, str], title: str) -> str:
    """Columns side by side, as in a histogram. labels: of both axes."""

    def fill(axes: Axes) -> None:
        width = 0.82 / len(series)
        for at, each in enumerate(series):
            color, pattern = _LOOKS[at]
            places = [place + (at - (len(series) - 1) / 2) * width for place in range(len(categories))]
            heights = [value or 0.0 for value in each.values]
            bars = axes.bar(
                places, heights, width, label=each.name, color=color, hatch=pattern, edgecolor=EDGE, linewidth=0.5
            )
            axes.bar_label(bars, _format_values(each), padding=2, fontsize=7.5, color=INK)
        axes.set_xticks(range(len(categories)), categories, rotation=30 if _are_long(categories) else 0)
        axes.set_xlim(-0.7, len(categories) - 0.3)
        axes.margins(y=0.16)
        axes.yaxis.grid(True)
        axes.tick_params(length=0)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.yaxis.set_major_formatter("{x:,.0f}")
        _add_legend(axes, series)

    return _draw((NARROW, 2.7), title, fill)


def draw_bars(categories: Sequence[str], series: Sequence[Series], axis: Axis, title: str) -> str:
    """Horizontal bars, a category per row; the first category is on top."""
    rows = 1 if axis.together else len(series)
    thickness = 0.78 / rows
    row = 0.2 + 0.13 * (rows - 1)

    def fill(axes: Axes) -> None:
        for at, each in enumerate(series):
            color, pattern = _LOOKS[at]
            shift = 0.0 if axis.together else (at - (len(series) - 1) / 2) * thickness
            places = [place + shift for place in range(len(categories))]
            lengths = [value or 0.0 for value in each.values]
            bars = axes.barh(
                places, lengths, thickness, label=each.name, color=color, hatch=pattern, edgecolor=EDGE, linewidth=0.5
            )
            axes.bar_label(bars, _format_values(each), padding=3, fontsize=7.5, color=INK)
        axes.set_yticks(range(len(categories)), categories)
        axes.set_ylim(len(categories) - 0.4, -0.6)
        axes.set_xlim(0, 1.22 * max([axis.least, *(value or 0.0 for each in series for value in each.values)]) or 1.0)
        axes.xaxis.grid(True)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        if axes.get_xlim()[1] >= 1000:
            axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.tick_params(length=0)
        axes.set_xlabel(axis.label)
        _add_legend(axes, series)

    legend = 0.3 if len(series) > 1 else 0.0
    return _draw((NARROW, 0.75 + legend + row * len(categories)), title, fill)


def draw_panels(panels: Sequence[Panel], title: str) -> str:
    """Graphs of curves, two per row, or a single one."""
    across = 2 if len(panels) > 1 else 1
    down = -(-len(panels) // across)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=((WIDE if across > 1 else NARROW * 1.4), 2.9 * down), layout="constrained")
        for at, panel in enumerate(panels, start=1):
            _fill_panel(figure.add_subplot(down, across, at), panel)
        return _write(figure, title)


def draw_surfaces(surfaces: Sequence[Surface], labels: tuple[str, str], title: str) -> str:
    """Surfaces side by side, with a number in each cell. labels: of both axes."""
    most = max((value or 0.0 for each in surfaces for row in each.values for value in row), default=0.0)
    down = max(len(each.rows) for each in surfaces)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDE, 1.1 + 0.26 * down), layout="constrained")
        for at, surface in enumerate(surfaces, start=1):
            _fill_surface(figure.add_subplot(1, len(surfaces), at), surface, labels, most or 1.0)
        return _write(figure, title)


def _fill_surface(axes: Axes, surface: Surface, labels: tuple[str, str], most: float) -> None:
    for y, row in enumerate(surface.values):
        for x, value in enumerate(row):
            if value is not None:
                shade = round(0.05 + 0.6 * value / most, 2)
                axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=FIRST, alpha=shade, linewidth=0))
                axes.text(x, y, format_number(value), ha="center", va="center", fontsize=7, color=INK)
    axes.set_xlim(-0.5, len(surface.columns) - 0.5)
    axes.set_ylim(len(surface.rows) - 0.5, -0.5)
    axes.set_xticks(range(len(surface.columns)), surface.columns, rotation=30, fontsize=7.5)
    axes.set_yticks(range(len(surface.rows)), surface.rows)
    axes.tick_params(length=0)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(surface.title, fontsize=9, loc="left", color=INK)


def _fill_panel(axes: Axes, panel: Panel) -> None:
    looks: Sequence[tuple[str, Any, float]] = (
        (FIRST, "-", 1.8),
        (MUTED, (0, (4, 2)), 1.1),
        (QUIET, (0, (1, 1.5)), 1.1),
    )
    for curve, (color, dashes, width) in zip(panel.curves, looks):
        axes.plot(*zip(*curve.points), color=color, linestyle=dashes, linewidth=width, label=curve.name)
    if panel.logarithmic:
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.yaxis.set_major_formatter("{x:g}")
    if panel.octets:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda octets, _: format_octets(round(octets)))
    if panel.from_zero:
        axes.set_ylim(0, 1.45 * max((y for curve in panel.curves for _, y in curve.points), default=0.0) or 1.0)
        axes.yaxis.set_major_formatter("{x:,.0f}")
    if panel.spot:
        x, y, words = panel.spot
        axes.plot([x], [y], marker="D", markersize=7, color=SECOND, markeredgecolor=INK, linestyle="none", label=words)
    axes.set_title(panel.title, fontsize=9, loc="left", color=INK)
    axes.grid(True)
    axes.set_xlabel(panel.labels[0])
    axes.set_ylabel(panel.labels[1])
    axes.legend(loc="upper left")


def _draw(size: tuple[float, float], title: str, fill: Callable[[Axes], None]) -> str:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        fill(figure.add_subplot())
        return _write(figure, title)


def _write(figure: Figure, title: str) -> str:
    """The file, with a title for browsers and screen readers, and without the time of its creation."""
    written = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(written, format="svg", metadata={**nothing, "Title": title})
    text = re.sub(r"<!DOCTYPE.*?>\s*", "", written.getvalue(), flags=re.DOTALL)
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    return slim_svg(text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif"))


def _format_values(series: Series) -> list[str]:
    if series.words is not None:
        return list(series.words)
    return ["" if value is None else format_number(value) for value in series.values]


def _are_long(categories: Sequence[str]) -> bool:
    return sum(len(each) for each in categories) > 52


def _add_legend(axes: Axes, entries: Sequence[Any]) -> None:
    if len(entries) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(entries), borderpad=0, handlelength=1.6)
