# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of the network by part, by node and by bandwidth.

The fabric is compared with other networks; the uplink switch, spares and hosts are beside it. Both have a price, each
under its own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..evaluate.comparison import OTHER_ROUTING, PER_GBPS, PRICE, WORDS
from ..numbers import format_money, format_number, name_currency
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table
from .parts import (
    KINDS,
    NETWORK_PRICE,
    PIECES,
    Part,
    has_parts_beside,
    list_parts,
    name_part,
    name_sum,
    read_fabric,
)


def show_cost(evaluation: Mapping[str, Any], routing: str) -> Section:
    """evaluation: format "fnn-evaluation", or "fnn-network" of a design. routing: the kind that the nodes use."""
    cost = evaluation["cost"]
    figures = [_show_parts(evaluation)]
    if cost["price"] and (cost["per_gbps"] or read_fabric(evaluation)["per_gbps"]):
        figures.append(_show_rates(evaluation, routing))
    beside = "The fabric joins the nodes. Only its price is compared with other networks, which have no other parts."
    return Section("cost", "Cost", [beside] if has_parts_beside(cost) else [], figures)


def _show_parts(evaluation: Mapping[str, Any]) -> Figure:
    cost, parts = evaluation["cost"], list_parts(evaluation["cost"])
    priced, title = cost["price"], "Parts of the network"
    unit = name_currency(evaluation["currency"]) if priced else PIECES
    series = [Series(unit, [each.price if priced else each.pieces for each in parts])]
    bars = [f"{format_number(each.pieces)} {name_part(each)}" for each in parts]
    svg = draw_bars(bars, series, Axis(unit), title)
    rows = list(_list_rows(evaluation, parts)) if priced else [row[:2] for row in _list_rows(evaluation, parts)]
    columns = ["part", PIECES, *([f"price, {unit}"] if priced else [])]
    return Figure("cost", title, _describe_total(evaluation), Table(columns, rows), svg)


def _describe_total(evaluation: Mapping[str, Any]) -> str:
    cost, currency = evaluation["cost"], evaluation["currency"]
    if not cost["price"]:
        return "No part has a price; set fnn_prices in the inventory."
    total = cost["price"]["total"]
    words = f"{format_money(total, currency)} in all." if total is not None else "The sum is not known."
    if cost["unpriced"]:
        words += f" Without a price: {', '.join(KINDS[each] for each in cost['unpriced'])} (fnn_prices)."
    return words if currency else f"{words} Set currency in fnn_prices."


def _list_rows(evaluation: Mapping[str, Any], parts: Sequence[Part]) -> Iterator[list[Cell]]:
    """Part, pieces and price: the fabric with its sum, all other parts, and the sums of each kind and of all."""
    cost, price = evaluation["cost"], evaluation["cost"]["price"] or {}
    beside = has_parts_beside(cost)
    yield from ([name_part(each), each.pieces, each.price] for each in parts if each.in_fabric)
    if beside and price:
        yield ["fabric", None, (read_fabric(evaluation)["price"] or {}).get("total")]
    yield from ([name_part(each), each.pieces, each.price] for each in parts if not each.in_fabric)
    if cost["cable_length_m"] is not None and price:
        yield [f"length of node cables: {format_number(cost['cable_length_m'])} m", None, price["cable_length"]]
    for kind in KINDS:
        if sum(each.kind == kind for each in parts) > 1:
            yield [name_sum(parts, kind), cost[kind], None if kind in cost["unpriced"] else price.get(kind)]
    if price:
        yield ["network", None, price["total"]]


def _show_rates(evaluation: Mapping[str, Any], routing: str) -> Figure:
    """Prices of the network, and of its fabric if it is not all."""
    unit = name_currency(evaluation["currency"])
    costs = {NETWORK_PRICE: evaluation["cost"]}
    if has_parts_beside(evaluation["cost"]):
        costs[WORDS[PRICE]] = read_fabric(evaluation)
    rates = [_list_rates(each, routing) for each in costs.values()]
    rows: list[list[Cell]] = [[name, *(each.get(name) for each in rates)] for name in max(rates, key=len)]
    words = (
        "Bisection bandwidths count both directions, as in the KLAT2 paper. Effective bisection bandwidth is with"
        f" {routing} routing, unless the row says otherwise."
    )
    columns = ["price", *(f"{name}, {unit}" for name in costs)]
    return Figure("price", "Price per node and bandwidth", words, Table(columns, rows))


def _list_rates(cost: Mapping[str, Any], routing: str) -> dict[str, float | None]:
    """Rate -> price; none where the sum of a part is not known."""
    if not cost["price"] or not cost["per_gbps"]:
        return {}
    per_gbps, effective = cost["per_gbps"], f"per{WORDS[PER_GBPS].partition(' per')[2]}"
    other = OTHER_ROUTING[routing]
    return {
        "in all": cost["price"]["total"],
        "per node": cost["per_node"],
        "per Gb/s of best bisection": per_gbps["best"],
        "per Gb/s of conservative bisection": per_gbps["conservative"],
        effective: per_gbps[f"effective_{routing}"],
        f"{effective} with {other} routing": per_gbps[f"effective_{other}"],
    }
