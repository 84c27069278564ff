# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one self-contained HTML page: it embeds every picture, style and download, and has no scripts.

The page contains each picture twice: inline, in the colors of the page (light, dark, paper), and as a file to download.
The content security policy in the page's head forbids all external requests.
"""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..labels.jackets import Color, choose_ink
from ..numbers import format_number
from . import charts
from .figure import Cell, Figure
from .make import Report

#: Color in a chart -> name of the style sheet's color that replaces it.
_TOKENS = {
    charts.INK: "ink",
    charts.MUTED: "muted",
    charts.RULE: "rule",
    charts.FIRST: "first",
    charts.SECOND: "second",
    charts.THIRD: "third",
    charts.QUIET: "quiet",
    charts.EDGE: "edge",
    charts.GROUND: "ground",
}
_TOKEN = re.compile("|".join(_TOKENS))


def format_page(report: Report, templates: Path) -> str:
    """The page as HTML. templates: the directory of report.html.j2 and report.css."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    helpers: dict[str, Any] = {
        "inline": inline_svg,
        "data": format_data_link,
        "cell": format_cell,
        "patch": format_patch,
        "style": Markup((templates / "report.css").read_text(encoding="utf-8")),
    }
    environment.filters["natural_width"] = find_width
    return environment.get_template("report.html.j2").render(report=report, **helpers) + "\n"


def inline_svg(figure: Figure) -> Markup:
    """The picture as a part of the page: without XML header, with unique ids, in the colors of the page."""
    svg = (figure.svg or "")[(figure.svg or "").index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\sid="|url\(#|xlink:href="#)', rf"\g<1>{figure.name}-", svg)
    if not figure.paper:
        svg = _TOKEN.sub(lambda match: f"var(--{_TOKENS[match.group()]})", svg)
    return Markup(svg)


def find_width(figure: Figure) -> str:
    """The natural width of the picture, as a CSS length."""
    found = re.search(r'<svg[^>]*\swidth="([\d.]+)(pt|px)?"', figure.svg or "")
    return f"{found[1]}{found[2] or 'px'}" if found else "auto"


def format_data_link(text: str, kind: str) -> str:
    """A file as a `data:` URL. kind: its media type."""
    return f"data:{kind};base64,{b64encode(text.encode()).decode()}"


def format_cell(value: Cell) -> str:
    """Numbers formatted for readers, text unchanged."""
    return value if isinstance(value, str) else format_number(value)


def format_patch(color: Color) -> str:
    """The CSS of a patch: the jacket, its stripe at both ends, and a readable text color."""
    stripe = color.stripe_rgb or color.rgb
    return f"background-color:{color.rgb};color:{choose_ink(color.rgb)};border-color:{stripe}"
