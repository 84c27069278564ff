# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one self-contained HTML page: it embeds every picture, style and its one script, and loads nothing.

Pictures are inline, in the colors of the page (light, dark, paper). The script makes their downloads from the page
itself, marks rows and columns, and lists the pairs that a failed switch loses. The content security policy in the
page's head forbids all requests, and every script but this one, which it names by its hash. Without scripts the page
has the same text, tables and pictures, and report.json beside it has all numbers.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
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
    """The page as HTML. templates: the directory of report.html.j2, report.css and report.js."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = (templates / "report.js").read_text(encoding="utf-8")
    swatches = {each.color: f"s{at}" for at, each in enumerate(report.cabling.switches)}
    helpers: dict[str, Any] = {
        "inline": inline_svg,
        "cell": format_cell,
        "exact": format_exact,
        "swatch": swatches.__getitem__,
        "style": Markup((templates / "report.css").read_text(encoding="utf-8") + format_swatches(swatches)),
        "script": Markup(script),
        "script_hash": hash_script(script),
        "tokens": json.dumps({name: color for color, name in _TOKENS.items()}, sort_keys=True),
    }
    environment.filters["natural_width"] = find_width
    environment.tests["listed_elsewhere"] = needs_list
    return environment.get_template("report.html.j2").render(report=report, **helpers) + "\n"


def inline_svg(figure: Figure) -> Markup:
    """The picture as a part of the page: without XML header, with unique ids, in the colors of the page."""
    svg = (figure.svg or "")[(figure.svg or "").index("<svg") :]
    svg = re.sub(r'(\sid="|url\(#|xlink:href="#)', rf"\g<1>{figure.name}-", svg)
    if not figure.paper:
        svg = _TOKEN.sub(lambda match: f"var(--{_TOKENS[match.group()]})", svg)
    return Markup(svg)


def find_width(figure: Figure) -> str:
    """The natural width of the picture, as a CSS length."""
    found = re.search(r'<svg[^>]*\swidth="([\d.]+)(pt|px)?"', figure.svg or "")
    return f"{found[1]}{found[2] or 'px'}" if found else "auto"


def needs_list(figure: Figure) -> bool:
    """Whether the page needs the numbers of a figure as text for its download: no table on the page has them."""
    return not figure.table.shown and not (figure.matrix and list(figure.table.rows) == figure.matrix.list_rows())


def hash_script(script: str) -> str:
    """The source expression that permits this script in a content security policy."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def format_cell(value: Cell) -> str:
    """Numbers formatted for readers, text unchanged."""
    return value if isinstance(value, str) else format_number(value)


def format_exact(value: Cell) -> str | None:
    """The value of a cell for a download; None if its text on the page has the same."""
    if isinstance(value, str):
        return None
    if value is None:
        return ""
    return None if float(format_number(value).replace(",", "")) == value else repr(value)


def format_swatches(swatches: dict[Color, str]) -> str:
    """A rule per color of cables: the jacket, its stripe at both sides, and a readable text color."""
    return "".join(
        f".{name} {{ background: {color.rgb}; color: {choose_ink(color.rgb)};"
        f" --stripe: {color.stripe_rgb or color.rgb}; }}\n"
        for color, name in swatches.items()
    )
