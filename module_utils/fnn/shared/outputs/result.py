# SPDX-License-Identifier: GPL-3.0-or-later
"""What other benchmarks report, as `programs` of fnn-bench-raw has it. Standard library only, Python 3.9."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Where an output does not name its MPI.
UNKNOWN = "unknown"

Value = dict[str, Any]


def make_value(name: str, value: float, unit: str) -> Value:
    return {"name": name, "value": value, "unit": unit}


def make_result(
    program: str, version: str | None, values: Sequence[Value], error: str | None = None, mpi: str = UNKNOWN
) -> dict[str, Any]:
    """error: why there is no result, or not all of it."""
    return {"program": program, "mpi": mpi, "version": version, "values": list(values), "error": error}


def read_number(word: str) -> float | None:
    """None for a word that is no number, or no finite one."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None
