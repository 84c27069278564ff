# SPDX-License-Identifier: GPL-3.0-or-later
"""findings.json as one self-contained page: the verdict, the actions, and a matrix of nodes and switches.

A cell shows the number of a NIC, with a sign if its cable is not correct, so that the matrix is readable without
colors. A cable on a wrong switch also appears in the column of that switch, with an exclamation mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .model import format_color

_STYLE = """
body { font: 15px/1.4 sans-serif; margin: 2em; color: #222; }
h1 span { padding: 0 .4em; color: #fff; }
.match { background: #2e7d32; } .miswired { background: #c62828; } .unmeasured { background: #8d6e00; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid #bbb; padding: .2em .5em; text-align: left; vertical-align: top; }
.matrix td { text-align: center; min-width: 2em; }
.ok { background: #c8e6c9; } .wrong, .here { background: #ffcdd2; font-weight: bold; }
.missing, .faulty { background: #ffe0b2; } .unknown { background: #e0e0e0; }
"""
_SIGNS = {"ok": "", "wrong": "?", "missing": "&minus;", "faulty": "&times;", "unknown": "&middot;"}
_LEGEND = (
    "The number is the NIC. No sign: correct. <b>?</b>: belongs here, but is elsewhere. <b>!</b>: is here, but does "
    "not belong here. <b>&minus;</b>: no carrier. <b>&times;</b>: frames do not pass. <b>&middot;</b>: not checked."
)


def write_html(document: Mapping[str, Any], lines: Sequence[str]) -> str:
    """lines: further text below the matrix."""
    title = escape(f"{document['cluster']}: {document['verdict']}")
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head><body>',
        f'<h1>{escape(document["cluster"])} <span class="{document["verdict"]}">{document["verdict"]}</span></h1>',
        write_findings(document["findings"]),
        write_matrix(document),
        f"<p>{_LEGEND}</p>",
        *(f"<p>{escape(line)}</p>" for line in lines),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def write_findings(findings: list[Mapping[str, Any]]) -> str:
    if not findings:
        return "<p>Nothing to do.</p>"
    rows = [
        f"<tr><td>{escape(each['kind'])}</td><td>{escape(each['action'])}</td><td>{each['pairs_broken']}</td>"
        f"<td>{escape(each['evidence'])}</td></tr>"
        for each in findings
    ]
    head = "<tr><th>finding</th><th>what to do</th><th>pairs broken</th><th>evidence</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def write_matrix(document: Mapping[str, Any]) -> str:
    """One row per node, one column per switch."""
    cells: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for link in document["links"]:
        if link["expected"]:
            text = f"{link['nic']}{_SIGNS[link['state']]}"
            cells.setdefault((link["node"], link["expected"]), []).append((link["state"], text))
        if link["state"] == "wrong" and link["seen"]:
            cells.setdefault((link["node"], link["seen"]), []).append(("here", f"{link['nic']}!"))
    switches = [switch["name"] for switch in document["switches"]]
    head = "".join(f"<th>{escape(format_color(switch))}</th>" for switch in document["switches"])
    rows = []
    for node in dict.fromkeys(link["node"] for link in document["links"]):
        row = "".join(write_cell(cells.get((node, switch), [])) for switch in switches)
        rows.append(f"<tr><th>{escape(node)}</th>{row}</tr>")
    return f'<table class="matrix"><tr><th></th>{head}</tr>{"".join(rows)}</table>'


def write_cell(entries: list[tuple[str, str]]) -> str:
    """entries: (state, text) of each NIC. The worst state colors the cell."""
    if not entries:
        return "<td></td>"
    worst = max((state for state, _ in entries), key=("ok", "unknown", "missing", "faulty", "wrong", "here").index)
    return f'<td class="{worst}">{" ".join(text for _, text in entries)}</td>'
