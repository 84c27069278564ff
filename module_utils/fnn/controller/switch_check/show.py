# SPDX-License-Identifier: GPL-3.0-or-later
"""A passport for people: a sentence for each trait, known ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..documents import dumps
from .methods import METHODS
from .trait import UNKNOWN

FORMATS = ("text", "json")


def show(entry: Mapping[str, Any], format: str) -> str:
    return dumps(entry) if format == "json" else "\n".join(write_lines(entry)) + "\n"


def write_lines(entry: Mapping[str, Any]) -> Iterator[str]:
    model = f" ({entry['model']})" if entry["model"] else ""
    yield f"{entry['switch']}{model}: {entry['nodes']} nodes, {entry['seconds']} s, {entry['date']}"
    if entry["absent"]:
        yield f"  no frame of these nodes passes: {', '.join(entry['absent'])}"
    # A sorted document has lost the order.
    traits = [entry["traits"][name] for name in METHODS if name in entry["traits"]]
    for trait in traits:
        if trait["value"] != UNKNOWN:
            yield f"  {trait['sentence']}"
    unknown = [trait for trait in traits if trait["value"] == UNKNOWN]
    if unknown:
        yield "not known:"
    yield from (f"  {trait['sentence']}" for trait in unknown)
