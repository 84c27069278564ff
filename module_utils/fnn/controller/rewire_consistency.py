# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the parts of a rewiring agree with each other, as its steps and instructions require."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..shared.errors import FnnError, Problem, count, in_document_order
from .consistency import find_repeated_names
from .schema import format_value

Document = Mapping[str, Any]


def check_rewiring(job: Document) -> None:
    """Raises FnnError with every place where a rewiring contradicts itself. Its designs must be consistent.

    Its moves are of nodes and switches of the first design or of the new spec, or of its cables between nodes.
    """
    problems = [*find_repeated_names(job["goal"], "/goal"), *_find_wrong_moves(job), *_find_wrong_cables(job)]
    if job["done"] > len(job["batches"]):
        problems.append(Problem("/done", f"{count(job['done'], 'batch')} done of {len(job['batches'])}"))
    if "end" in job and job["end"]["spec"] != job["goal"]:
        problems.append(Problem("/end/spec", "not the same as /goal"))
    if problems:
        raise FnnError(in_document_order(problems))


def _list_names(job: Document) -> tuple[set[str], set[str]]:
    """The nodes and the switches of the first design and of the new spec."""
    specs = (job["start"]["spec"], job["goal"])
    nodes, switches = ({each["name"] for spec in specs for each in spec[part]} for part in ("nodes", "switches"))
    return nodes, switches


def _find_wrong_moves(job: Document) -> Iterator[Problem]:
    nodes, switches = _list_names(job)
    between = {each["name"] for each in job.get("between", ())}
    for index, batch in enumerate(job["batches"]):
        if not batch["moves"] and "trunks" not in batch:
            yield Problem(f"/batches/{index}/moves", "expected at least 1 item, not 0")
        for place, move in enumerate(batch["moves"]):
            at = f"/batches/{index}/moves/{place}"
            if move["node"] not in nodes:
                yield Problem(f"{at}/node", f"{format_value(move['node'])} is not the name of a node")
            for end in ("from", "to"):
                if move[end] is not None and move[end] not in switches | between:
                    yield Problem(f"{at}/{end}", f"{format_value(move[end])} is not the name of a switch")
            if move["from"] is None and move["to"] is None:
                yield Problem(at, "neither from nor to a switch")
            yield from _find_wrong_cable(move, between, at)


def _find_wrong_cable(move: Document, between: set[str], at: str) -> Iterator[Problem]:
    """A cable between nodes is described exactly by the moves from and to it."""
    expected = bool({move["from"], move["to"]} & between)
    for key in ("cable", "peer"):
        if expected != (key in move):
            yield Problem(f"{at}/{key}", "missing" if expected else "only for a cable between nodes")
    if move.get("cable") == "kept" and None in (move["from"], move["to"]):
        yield Problem(f"{at}/cable", "a kept cable has both a place before and after the move")
    if move.get("cable") == "new" and move["to"] is None:
        yield Problem(f"{at}/to", "null, but a new cable leads there")


def _find_wrong_cables(job: Document) -> Iterator[Problem]:
    nodes, _ = _list_names(job)
    present = {each["name"] for each in job["start"]["spec"]["switches"]}
    for index, each in enumerate(job.get("between", ())):
        for place, end in enumerate(each["ends"]):
            if end["node"] not in nodes:
                at = f"/between/{index}/ends/{place}/node"
                yield Problem(at, f"{format_value(end['node'])} is not the name of a node")
    for part in ("trunks", "lasting"):
        for index, trunk in enumerate(job.get(part, ())):
            for end in "ab":
                if trunk[end] not in present:
                    text = f"{format_value(trunk[end])} is not the name of a present switch"
                    yield Problem(f"/{part}/{index}/{end}", text)
    for part in ("buy", "free"):
        for index, row in enumerate(job.get(part, ())):
            if row["part"] == "switch" and "ports" not in row:
                yield Problem(f"/{part}/{index}/ports", "missing")
    for index, batch in enumerate(job["batches"]):
        known = {"pull": "trunks" in job, "plug": "trunks" in job.get("end", {})}
        if not known.get(batch.get("trunks"), True):
            yield Problem(f"/batches/{index}/trunks", f"{format_value(batch['trunks'])}, but no such cables are listed")
