# SPDX-License-Identifier: GPL-3.0-or-later
"""Names cells and sizes of messages for people, and identifies a cell in several runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..numbers import format_octets
from .flows import ALL, ALLTOALL, BARRIER, BISECTION, EXCHANGE, PINGPONG

_KINDS = {
    PINGPONG: "ping-pong",
    EXCHANGE: "exchange",
    ALLTOALL: "all-to-all",
    BISECTION: "bisection",
    BARRIER: "barrier",
}
_DIRECTIONS = {"uni": "one way", "sym": "both ways"}


#: What makes a cell.
KEYS = ("kind", "mpi", "group", "together", "bytes", "direction")


def identify_cell(cell: Mapping[str, Any]) -> tuple[Any, ...]:
    """The same in all runs."""
    return tuple(cell.get(key) for key in KEYS)


def name_cell(cell: Mapping[str, Any]) -> str:
    """exchange of 8, all groups at once, 64 KiB, Open MPI."""
    words = [_name_pattern(cell)]
    if cell["kind"] == BISECTION:
        words.append(_DIRECTIONS[cell["direction"]])
    else:
        groups = "pairs" if cell["kind"] == PINGPONG else "groups"
        words.append(f"all {groups} at once" if cell["together"] == ALL else f"one {groups[:-1]} alone")
    if cell["kind"] != BARRIER:
        words.append(format_octets(cell["bytes"]))
    return ", ".join([*words, cell["mpi"]])


def shorten_cell(cell: Mapping[str, Any]) -> str:
    """exchange of 8, all"""
    how = _DIRECTIONS[cell["direction"]] if cell["kind"] == BISECTION else cell["together"]
    return f"{_name_pattern(cell)}, {how}"


def _name_pattern(cell: Mapping[str, Any]) -> str:
    kind = _KINDS[cell["kind"]]
    return kind if cell["kind"] == PINGPONG else f"{kind} of {cell['group']}"
