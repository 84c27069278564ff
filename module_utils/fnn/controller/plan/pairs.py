# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the pairs of nodes without a common switch, which only a sparse design has (controller only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def find_pairs_apart(design: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every ordered pair of nodes without a common switch."""
    names = [node["name"] for node in design["nodes"]]
    near: dict[str, set[str]] = {name: {name} for name in names}
    for switch in design["switches"]:
        for name in switch["nodes"]:
            near[name].update(switch["nodes"])
    for name in names:
        yield from ((name, other) for other in names if other not in near[name])
