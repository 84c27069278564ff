# SPDX-License-Identifier: GPL-3.0-or-later
"""check.json for people: one line per node, and below it a line for each finding with its remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import count
from ..colors import GREEN, RED, YELLOW, paint
from ..documents import dumps
from .model import PROBLEM, READY

FORMATS = ("text", "json")

Document = Mapping[str, Any]


def show(document: Document, format: str, color: bool = False) -> str:
    """The document in one of the FORMATS, with a final newline. color: for a terminal, in text only."""
    if format == "json":
        return dumps(document)
    return "\n".join(write_text(document, color)) + "\n"


def write_text(document: Document, color: bool = False) -> Iterator[str]:
    """A line per node, its findings, and a line with the number of nodes that are ready."""
    width = max((len(node["name"]) for node in document["nodes"]), default=0)
    for node in document["nodes"]:
        shade = GREEN if node["verdict"] == READY else RED
        yield paint(f"{node['name']:<{width}}  {node['verdict']:<7}  {describe_node(node)}", shade, color)
        for finding in node["findings"]:
            line = f"{'':<{width}}  {finding['level']:<7}  {finding['text']}; {finding['remedy']}"
            yield paint(line, RED if finding["level"] == PROBLEM else YELLOW, color)
    yield paint(count_ready(document), GREEN if document["verdict"] == READY else RED, color)


def write_report(document: Document) -> Iterator[str]:
    """The same without the nodes that have no findings, for the output of a playbook."""
    for node in document["nodes"]:
        for finding in node["findings"]:
            yield f"{node['name']}: {finding['level']}: {finding['text']}; {finding['remedy']}"
    yield count_ready(document)


def count_ready(document: Document) -> str:
    """ "6 nodes ready", or which nodes are refused."""
    refused = [node["name"] for node in document["nodes"] if node["verdict"] != READY]
    total = count(len(document["nodes"]), "node")
    return f"{len(refused)} of {total} refused: {', '.join(refused)}" if refused else f"{total} ready"


def describe_node(node: Mapping[str, Any]) -> str:
    """What was read of a node: its distribution, Python, NICs and plan."""
    system = node["system"]
    if system is None:
        return "not reached by a module"
    nics = ", ".join(node["nics"]) or "none"
    plan = f", plan {node['generation']}" if node["generation"] else ""
    return f"{system['name'] or system['kernel']}, Python {system['python']}, NICs {nics}{plan}"
