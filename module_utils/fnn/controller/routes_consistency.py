# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the rows of a routes document (format "fnn-routes"), beyond its schema (controller only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..shared.errors import FnnError, Problem, count

#: In place of a code of weights: equal parts, or one switch.
EQUAL = "="
_ITSELF, _APART = ".", "-"


def check_rows(routes: Mapping[str, Any]) -> None:
    """Raises FnnError for every code and row that has the wrong length, and for codes of weights that do not exist."""
    found = [*_find_wrong_codes(routes, "switches"), *_find_wrong_rows(routes, "row", "switches")]
    found += [*_find_wrong_codes(routes, "weights"), *_find_wrong_rows(routes, "weight_row", "weights")]
    found += _find_unknown_weights(routes)
    if found:
        raise FnnError(found)


def split_row(row: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, code) of each node of a row; nothing for an empty row."""
    digits = len(row) // len(names)
    return ((name, row[place * digits : (place + 1) * digits]) for place, name in enumerate(names) if digits)


def _count_digits(routes: Mapping[str, Any], table: str) -> int:
    return len(routes[table][0]["code"]) if routes[table] else 1


def _find_wrong_codes(routes: Mapping[str, Any], table: str) -> Iterator[Problem]:
    digits = _count_digits(routes, table)
    for place, each in enumerate(routes[table]):
        if len(each["code"]) != digits:
            yield Problem(f"/{table}/{place}/code", f"expected {count(digits, 'digit')}, as the first has")


def _find_wrong_rows(routes: Mapping[str, Any], key: str, table: str) -> Iterator[Problem]:
    digits, nodes = _count_digits(routes, table), len(routes["nodes"])
    for place, node in enumerate(routes["nodes"]):
        if key in node and len(node[key]) != digits * nodes:
            yield Problem(f"/nodes/{place}/{key}", f"expected {digits} x {nodes} characters, not {len(node[key])}")


def _find_unknown_weights(routes: Mapping[str, Any]) -> Iterator[Problem]:
    digits, names = _count_digits(routes, "weights"), [node["name"] for node in routes["nodes"]]
    known = {each["code"] for each in routes["weights"]} | {sign * digits for sign in (EQUAL, _ITSELF, _APART)}
    for place, node in enumerate(routes["nodes"]):
        row = node.get("weight_row", "")
        if len(row) == digits * len(names):
            for code in sorted({code for _, code in split_row(row, names)} - known):
                yield Problem(f"/nodes/{place}/weight_row", f"no weights have the code {code}")
