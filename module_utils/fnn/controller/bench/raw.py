# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes raw.json of what the nodes measured, and of what other benchmarks have written for the same cluster."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..answers import read_answers
from .outputs.read import read_output

_MEASURED = "the nodes"


def make_raw(measured: Path, outputs: Iterable[Path]) -> dict[str, Any]:
    """measured: the file of fnn_bench_run. outputs: of hpcc, IMB and OSU. Raises FnnError with all unreadable files."""
    raw: dict[str, Any] = read_answers({_MEASURED: str(measured)})[_MEASURED]
    programs, problems = list(raw.get("programs", ())), []
    for path in outputs:
        try:
            programs += _read_programs(path)
        except FnnError as error:
            problems += error.problems
    if problems:
        raise FnnError(problems)
    return {**raw, "programs": programs}


def _read_programs(path: Path) -> list[dict[str, Any]]:
    """Raises FnnError."""
    try:
        found = read_output(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise FnnError([Problem(str(path), f"cannot be read: {error.strerror}")]) from None
    if not found:
        expected = "expected hpccoutf.txt, or what the Intel MPI Benchmarks or OSU's print"
        raise problem(str(path), f"the output of no known benchmark; {expected}")
    return found
