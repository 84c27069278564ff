# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the answers of nodes that are files: what each node observed of all others (node/answer/pack.py)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..shared.errors import FnnError, Problem
from .files import read_bounded

#: Octets of the largest answer, unpacked.
_LARGEST = 256 << 20


def read_answers(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Node -> its answer. answers: node -> the path of its file, or the answer itself. Raises FnnError with all
    files that are unreadable.

    A MAC of a cluster is in the answers of many nodes; each is one string in memory.
    """
    known: dict[Any, Any] = {}
    read: dict[str, Any] = {}
    problems = []
    for node, answer in answers.items():
        try:
            read[node] = _share(_read_file(Path(answer)), known) if isinstance(answer, str) else answer
        except (OSError, zlib.error, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "not an answer of a node"
            problems.append(Problem(answer, f"cannot be read: {reason}"))
    if problems:
        raise FnnError(problems)
    return read


def _read_file(path: Path) -> dict[str, Any]:
    unpacking = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    text = unpacking.decompress(read_bounded(path), _LARGEST)
    if not unpacking.eof:
        raise ValueError("cut short, or too large")
    answer = json.loads(text)
    if not isinstance(answer, dict):
        raise ValueError("not an object")
    return answer


def _share(value: Any, known: dict[Any, Any]) -> Any:
    """The value with each string once, also among keys, and each pair of numbers, such as counts of beacons."""
    if isinstance(value, str):
        return known.setdefault(value, value)
    if isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], int):
            return known.setdefault(tuple(value), value)
        return [_share(each, known) for each in value]
    if isinstance(value, dict):
        return {known.setdefault(key, key): _share(each, known) for key, each in value.items()}
    return value
