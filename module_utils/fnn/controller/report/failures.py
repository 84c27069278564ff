# SPDX-License-Identifier: GPL-3.0-or-later
"""The effect of one dead switch, NIC or cable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..design.single_switches import describe_single_switches
from ..numbers import DASH, format_count
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table

_THINGS = ("switch", "NIC", "cable")


def show_failures(evaluation: Mapping[str, Any], design: Mapping[str, Any]) -> Section:
    """Pairs that lose their last shared switch, in the worst case and on average, and their remaining path."""
    found = [(thing, evaluation["exposure"][thing.lower()]) for thing in _THINGS]
    known = [(thing, each) for thing, each in found if each]
    pairs = evaluation["nodes"] * (evaluation["nodes"] - 1) // 2
    series = [
        Series("worst case", [each["max"] for _, each in known]),
        Series("on average", [each["mean"]["value"] for _, each in known]),
    ]
    title = "Pairs that lose their last shared switch"
    svg = draw_bars([f"a {thing}" for thing, _ in known], series, Axis("pairs of nodes", 1.0), title) if known else None
    rows: list[list[Cell]] = [
        [thing, each["min"], each["mean"]["value"], each["max"], _name_worst(each["worst"])] for thing, each in known
    ]
    words = (
        f"Of {format_count(pairs, 'pair')}. fnn-linkd removes failed parts from the routes. With an uplink switch and"
        " fnn_uplink_backup, lost pairs use the uplink switch."
    )
    figure = Figure("exposure", title, words, Table(["failed part", "least", "mean", "most", "worst part"], rows), svg)
    return Section("failures", "Failures", list(describe_single_switches(design)), [figure])


def _name_worst(worst: Mapping[str, str] | None) -> str:
    if not worst:
        return DASH
    return " to ".join(worst[key] for key in ("node", "switch") if key in worst)
