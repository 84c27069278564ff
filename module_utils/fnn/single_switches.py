# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of nodes with a single shared switch: one failed NIC or cable leaves them without a path, unless an uplink
switch joins the switches. Whoever makes a design should know it then, not at the first failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from .numbers import spell_number


def describe_single_switches(design: Mapping[str, Any]) -> Iterator[str]:
    """What becomes of these pairs when a cable of theirs fails; nothing where there are none."""
    single = count_single_switches(design)
    if not single:
        return
    words = f"{spell_number(single)} pairs share a single switch. When a NIC or cable of theirs fails, they "
    if has_uplink(design):
        yield words + "meet over the uplink switch, unless fnn_uplink_backup is false."
    else:
        yield (
            words + "have no path until it is repaired: set fnn_uplink, and they meet over the uplink switch meanwhile."
        )


def count_single_switches(design: Mapping[str, Any]) -> int:
    """Pairs of nodes with exactly one common switch."""
    wired = [{link["switch"] for link in node["links"]} for node in design["nodes"]]
    return sum(len(one & other) == 1 for one, other in combinations(wired, 2))


def has_uplink(design: Mapping[str, Any]) -> bool:
    """Whether the spec of a design names an uplink switch."""
    return design["spec"].get("uplink") is not None
