# SPDX-License-Identifier: GPL-3.0-or-later
"""The cluster as built: the actions that correct the cables, the matrix of all cables by finding, and the proof.

A cell of the matrix has the number of a NIC and a sign, so that it is readable without colors. A cable in a wrong
switch is in two cells: where it belongs, and where it is.

          R    B    G
    k00   0?   1    0!     NIC 0 belongs into R and is in G
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..labels.cabling import Cabling
from ..numbers import format_count
from ..verify.model import read_colors
from ..verify.show import describe_as_wired, describe_since, summarize
from .figure import Cell, Figure, Section, Table
from .matrix import Column, Mark, Matrix, Row
from .proof import show_proof
from .wiring import MANY_NODES

#: State of a link in findings.json -> the sign after the NIC, and its meaning.
_SIGNS = {
    "ok": ("", "as designed"),
    "wrong": ("?", "belongs here, is elsewhere"),
    "here": ("!", "is here, belongs elsewhere"),
    "missing": ("\N{MINUS SIGN}", "no carrier"),
    "faulty": ("\N{MULTIPLICATION SIGN}", "frames do not pass"),
    "unknown": ("\N{MIDDLE DOT}", "not checked"),
}
_WORST_LAST = ("ok", "unknown", "missing", "faulty", "wrong", "here")


def show_as_built(
    cabling: Cabling, findings: Mapping[str, Any] | None, proof: Mapping[str, Any] | None
) -> Iterator[Section]:
    """No section before the cluster is verified or proved."""
    figures: list[Figure] = []
    words: list[str] = []
    if findings:
        colors = read_colors(findings["switches"])
        lines = [*summarize(findings), *describe_as_wired(findings, colors), *describe_since(findings)]
        words += map(_make_sentence, lines)
        figures += [*_show_actions(findings), _show_cables(cabling, findings)]
    if proof:
        words += [f"{each.rstrip('.')}." for each in proof["problems"]]
        figures.append(show_proof(proof))
    if figures:
        yield Section("as-built", "As built", words, figures)


def _show_actions(findings: Mapping[str, Any]) -> Iterator[Figure]:
    """A row per finding, the most damaging first; no figure without any."""
    rows: list[list[Cell]] = [
        [at, each["action"], each["kind"], each["pairs_broken"], each["evidence"]]
        for at, each in enumerate(findings["findings"], start=1)
    ]
    if rows:
        words = "The most damaging fault is first. Run ./fnn verify again after the repair."
        columns = ["step", "action", "finding", "pairs affected", "evidence"]
        yield Figure("actions", "Actions", words, Table(columns, rows), wide=True)


def _show_cables(cabling: Cabling, findings: Mapping[str, Any]) -> Figure:
    """In clusters of many nodes only those with a finding have a row; the table for download has all."""
    matrix = make_built_matrix(cabling, findings)
    words = "A row is a node. The number of its NIC is in the column of the switch."
    if len(matrix.rows) >= MANY_NODES:
        wrong = [row for row in matrix.rows if any(mark and mark.state != "ok" for mark in row.marks)]
        left_out = len(matrix.rows) - len(wrong)
        matrix = Matrix(matrix.columns, wrong, matrix.legend)
        words += f" Not shown: {format_count(left_out, 'node')} with all cables as designed."
    rows: list[list[Cell]] = [
        [each["node"], float(each["nic"]), each["device"], each["expected"], each["seen"], each["state"]]
        for each in findings["links"]
    ]
    table = Table(["node", "NIC", "device", "designed", "found", "state"], rows, shown=False)
    return Figure("as-built-cables", "Every cable by finding", words, table, matrix=matrix if matrix.rows else None)


def make_built_matrix(cabling: Cabling, findings: Mapping[str, Any]) -> Matrix:
    """Columns in the order and colors of the design; a switch beside it has none."""
    columns = [Column(switch.name, switch.color) for switch in cabling.fabric]
    entries: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for link in findings["links"]:
        if link["expected"]:
            entries.setdefault((link["node"], link["expected"]), []).append((link["state"], str(link["nic"])))
        if link["state"] == "wrong" and link["seen"]:
            entries.setdefault((link["node"], link["seen"]), []).append(("here", str(link["nic"])))
    nodes = dict.fromkeys(link["node"] for link in findings["links"])
    rows = [Row(node, 1, [_mark(entries.get((node, column.name), ())) for column in columns]) for node in nodes]
    used = {mark.state for row in rows for mark in row.marks if mark}
    legend = [(f"0{sign}", meaning) for state, (sign, meaning) in _SIGNS.items() if state in used or state == "ok"]
    return Matrix(columns, rows, legend)


def _mark(entries: Sequence[tuple[str, str]]) -> Mark | None:
    """entries: (state, NIC) of each cable. The worst state marks the cell."""
    if not entries:
        return None
    worst = max((state for state, _ in entries), key=_WORST_LAST.index)
    text = " ".join(f"{nic}{_SIGNS[state][0]}" for state, nic in entries)
    title = "; ".join(f"NIC {nic}: {_SIGNS[state][1]}" for state, nic in entries)
    return Mark(text, worst, title)


def _make_sentence(line: str) -> str:
    """A line of verify's text as a sentence."""
    words = line.strip()
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"
