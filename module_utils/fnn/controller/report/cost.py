# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of the network by part, by node and by bandwidth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..numbers import format_number
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table

_PARTS = (("NICs", "nics"), ("switches", "switches"), ("cables", "cables"))
_BANDWIDTHS = (
    ("best bisection", "best"),
    ("conservative bisection", "conservative"),
    ("effective bisection, basic routing", "effective_basic"),
    ("effective bisection, advanced routing", "effective_advanced"),
)


def show_cost(cost: Mapping[str, Any]) -> Section:
    """cost: that of an evaluation document, or of the first of its alternatives."""
    price = cost["price"]
    counts = [[name, cost[key], price[key] if price and key not in cost["unpriced"] else None] for name, key in _PARTS]
    title = "Parts of the network"
    series = [Series("price" if price else "pieces", [each[2] if price else each[1] for each in counts])]
    bars = [f"{format_number(each[1])} {each[0]}" for each in counts]
    svg = draw_bars(bars, series, Axis("price" if price else "pieces"), title)
    if price:
        words = f"{format_number(price['total'])} in all, in the currency of the prices that were given."
        if cost["unpriced"]:
            words += f" Not priced: {', '.join(cost['unpriced'])} (fnn_prices)."
    else:
        words = "No part has a price; set fnn_prices in the inventory."
    parts = Figure("cost", title, words, Table(["part", "pieces", "price"], counts), svg)
    return Section("cost", "Cost", [], [parts, *([_show_rates(cost)] if price else [])])


def _show_rates(cost: Mapping[str, Any]) -> Figure:
    per_gbps = cost["per_gbps"] or {}
    rows: list[list[Cell]] = [["per node", cost["per_node"]]]
    rows += [[f"per Gb/s of {name}", per_gbps.get(key)] for name, key in _BANDWIDTHS]
    words = "Bisection bandwidths count both directions, as in the KLAT2 paper; effective ones are one way per pair."
    return Figure("price", "Cost per node and bandwidth", words, Table(["price", "value"], rows))
