# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof of the configured network (format "fnn-proof") as a table: reach, ARP and MPI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .figure import Cell, Figure, Table

#: Part of `pairs` in the document -> the test in words.
_FURTHER = {
    "forwarded": "pairs over a shortest path of nodes that forward",
    "over_uplink": "pairs of a node and a satellite over the uplink switch",
    "tree": "pairs over the tree, with the uplink switch as its root",
}
_PASSED, _FAILED, _NOT_TESTED = "passed", "failed", "not tested"


def show_proof(proof: Mapping[str, Any]) -> Figure:
    """A row per test: what was expected, what was found, and the result."""
    rows: list[list[Cell]] = [*_list_pairs(proof["pairs"]), *_list_arp(proof["arp"]), *_list_mpi(proof)]
    words = "Each node sent to every other node. Pairs are ordered: both directions count."
    if tree := proof["pairs"].get("tree"):
        words += f" Nodes routed over a tree, so frames of {tree['across_uplinks']} pairs cross uplinks by intent."
    if proof["missing"]:
        words += f" Nodes that did not take part: {', '.join(proof['missing'])}."
    return Figure("proof", "The proof", words, Table(["test", "expected", "found", "result"], rows))


def _list_pairs(pairs: Mapping[str, Any]) -> Iterator[list[Cell]]:
    expected = pairs["expected"]
    yield _compare("reach: pairs whose ping was answered", expected, pairs["reached"])
    if "tree" not in pairs:
        yield _compare("reach: pairs over the switch of the plan", expected, pairs["one_switch"])
    where = "the ports of the tree alone" if "tree" in pairs else "two ports of one switch"
    yield _compare(f"reach: pairs captured on {where}", expected, pairs["captured"])
    for key, words in _FURTHER.items():
        if key in pairs:
            yield _compare(f"reach: {words}", pairs[key]["expected"], pairs[key]["right"])


def _list_arp(arp: Mapping[str, Any]) -> Iterator[list[Cell]]:
    yield _compare("ARP: frames on the NICs of the nodes", 0, arp["nodes"])
    yield _compare("ARP: frames on all ports of the switches", 0, arp["ports"])


def _list_mpi(proof: Mapping[str, Any]) -> Iterator[list[Cell]]:
    for run in proof["mpi"]:
        name = f"{run['flavor']} {run['version'] or ''}".strip()
        test = f"MPI: pairs of {run['ranks']} ranks that exchanged messages, {name}"
        yield [test, run["expected"], run["pairs"], _PASSED if run["ok"] else run["error"] or _FAILED]
    if not proof["mpi"]:
        yield ["MPI: pairs of ranks that exchanged messages", None, None, _NOT_TESTED]


def _compare(test: str, expected: int, found: int | None) -> list[Cell]:
    result = _NOT_TESTED if found is None else _PASSED if found == expected else _FAILED
    return [test, expected, found, result]
