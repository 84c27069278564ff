# SPDX-License-Identifier: GPL-3.0-or-later
"""findings.json for people and programs: text, csv, md, json; html.py has the page.

All formats are made from the document, so they agree, and another format needs no new run.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...shared.errors import count
from ..colors import GREEN, RED, YELLOW, paint
from ..documents import dumps
from .html import write_html
from .model import read_colors

Document = Mapping[str, Any]
FORMATS = ("text", "json", "csv", "md", "html")

_COLORS = {"match": GREEN, "miswired": RED, "unmeasured": YELLOW}


#: What happens to pairs, by what joins nodes. Where cables join nodes, other nodes may forward between them.
_BROKEN = {None: "without a shared switch", "cables": "without their cable", "tree": "lost"}


def show(document: Document, format: str, color: bool = False) -> str:
    """The report in one of the FORMATS, with a final newline. color: for a terminal, in text only."""
    if format == "text":
        return "\n".join(write_text(document, color)) + "\n"
    return {"json": dumps, "csv": write_csv, "md": write_markdown, "html": write_page}[format](document)


def write_text(document: Document, color: bool = False) -> list[str]:
    """Actions, for the most damaging fault first; then each wrong cable; then the verdict."""

    colors = read_colors(document["switches"])
    lines = []
    for finding in document["findings"]:
        what, evidence = describe_finding(finding, document.get("joined_by"))
        lines += [paint(what, RED if finding["breaks"] else YELLOW, color), evidence]
    wrong = list_wrong(document, colors)
    if wrong:
        lines.append(f"{'cable':<24} {'expected':<16} seen")
        lines += [paint(f"{cable:<24} {expected:<16} {seen}", RED, color) for cable, expected, seen in wrong]
        lines.append(f"To blink the LED of a port for ten seconds: ./fnn blink {wrong[0][0]}")
    lines += [*describe_as_wired(document, colors), *describe_since(document)]
    first, *rest = summarize(document)
    return [*lines, paint(first, _COLORS[document["verdict"]], color), *rest]


def describe_finding(finding: Mapping[str, Any], joined_by: str | None = None) -> tuple[str, str]:
    """The action, and its evidence. joined_by: "cables", "tree", or None for switches alone."""
    pairs = finding["pairs_broken"]
    broken = f" ({count(pairs, 'pair')} {_BROKEN[joined_by]})" if pairs else ""
    return f"{finding['kind']}: {finding['action']}{broken}", f"    {finding['evidence']}"


def list_wrong(document: Document, colors: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The NIC of each wrong cable, where the cable should be, and where it is."""
    wrong = [link for link in document["links"] if link["state"] in ("wrong", "missing", "faulty")]
    return [
        (f"{link['node']} {link['device']}", colors.get(link["expected"], "unused"), format_seen(link, colors))
        for link in wrong
    ]


def format_seen(link: Mapping[str, Any], colors: Mapping[str, str]) -> str:
    if link["state"] == "missing":
        return "no carrier"
    if link["state"] == "faulty":
        return "frames do not pass"
    return colors[link["seen"]] if link["seen"] else "no planned switch"


def describe_as_wired(document: Document, colors: Mapping[str, str]) -> list[str]:
    """Coverage as wired; empty unless the verdict is miswired."""
    as_wired = document["as_wired"]
    if as_wired is None or document["verdict"] != "miswired":
        return []
    cables = document.get("joined_by") == "cables"
    if as_wired["valid_fnn"] and cables:
        return ["as wired: every pair that should share a cable does"]
    if as_wired["valid_fnn"]:
        return ["as wired: every pair still shares a switch; ./fnn adopt makes the present wiring the design"]
    lost = f"as wired: {describe_uncovered(as_wired, cables)}"
    repair = as_wired["moves_to_coverage"]
    if repair is None:
        return [f"{lost}; no moves were found that restore coverage alone"]
    how = "the fewest possible" if as_wired["fewest"] else "perhaps not the fewest"
    moves = "; ".join(format_move(move, colors) for move in repair)
    return [f"{lost}; {count(len(repair), 'move')} would restore coverage ({how}): {moves}"]


def describe_uncovered(as_wired: Mapping[str, Any], cables: bool = False) -> str:
    """ "3 pairs share too few switches". cables: whether nodes are joined by cables."""
    number = as_wired["uncovered"]
    if cables:
        return f"{count(number, 'pair')} {_BROKEN['cables']}"
    return f"{count(number, 'pair')} {'shares' if number == 1 else 'share'} too few switches"


def format_move(move: Mapping[str, Any], colors: Mapping[str, str]) -> str:
    source = f" from {colors[move['source']]}" if move["source"] else ""
    target = f"to {colors[move['target']]}" if move["target"] else "out"
    return f"{move['node']} {move['device']}{source} {target}"


def describe_since(document: Document) -> list[str]:
    since = document["since"]
    if since is None or not (since["repaired"] or since["new"]):
        return []
    repaired, new = len(since["repaired"]), len(since["new"])
    lines = [f"since the last run: {repaired} repaired, {new} new, {since['remaining']} unchanged"]
    return lines + [f"    repaired: {action}" for action in since["repaired"]]


def summarize(document: Document) -> list[str]:
    states = Counter(link["state"] for link in document["links"])
    counts = ", ".join(
        f"{states[state]} {state}" for state in ("ok", "wrong", "missing", "faulty", "unknown") if states[state]
    )
    nodes = count(len(document["scope"]), "node")
    number = len(document["links"])
    cables = count(number, "cable")
    if document.get("joined_by") == "cables":
        cables = f"{count(number, 'end')} of cables"
    lines = [f"{document['verdict']}: {cables}, {counts}; {nodes} checked by {document['evidence']}"]
    if document["unreachable"]:
        lines.append(f"not checked, because they did not answer: {', '.join(document['unreachable'])}")
    return lines


# --- For programs, and for pages ---

_COLUMNS = ("kind", "node", "nic", "device", "mac", "expected", "seen", "pairs_broken", "evidence", "action")


def write_csv(document: Document) -> str:
    """One row per cable of each finding."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for finding in document["findings"]:
        for cable in finding["cables"] or [finding]:
            row = {**finding, **cable}
            writer.writerow(["" if row[column] is None else row[column] for column in _COLUMNS])
    return out.getvalue()


def write_page(document: Document) -> str:
    colors = read_colors(document["switches"])
    return write_html(document, [*describe_as_wired(document, colors), *describe_since(document), *summarize(document)])


def write_markdown(document: Document) -> str:
    colors = read_colors(document["switches"])
    lines = [f"# {document['cluster']}: {document['verdict']}", "", *summarize(document), ""]
    if document["findings"]:
        lines += ["| finding | what to do | pairs broken | evidence |", "| --- | --- | --- | --- |"]
    for finding in document["findings"]:
        cells = (finding["kind"], finding["action"], str(finding["pairs_broken"]), finding["evidence"])
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    wrong = list_wrong(document, colors)
    if wrong:
        lines += ["", "| cable | expected | seen |", "| --- | --- | --- |"]
        lines += [f"| {' | '.join(cells)} |" for cells in wrong]
    more = [*describe_as_wired(document, colors), *describe_since(document)]
    return "\n".join([*lines, *(["", *more] if more else [])]) + "\n"
