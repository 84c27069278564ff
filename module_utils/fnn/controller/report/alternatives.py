# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures that compare the design with other networks on the same nodes; see evaluate/comparison.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..evaluate.comparison import (
    GBPS,
    OURS,
    PER_GBPS,
    PRICE,
    MeasureResult,
    Network,
    describe_common_nics,
    list_networks,
    list_results,
    name_quantity,
)
from ..evaluate.worth import describe_worth
from ..numbers import format_rate, name_currency
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table


def show_alternatives(evaluation: Mapping[str, Any], design: Mapping[str, Any], routing: str) -> Section:
    """Sentences, bars, and the tables they are drawn from."""
    networks, results = list_networks(evaluation, routing), list_results(evaluation, routing)
    built = [each for each in networks if not each.reason]
    figures = [_show_bandwidth(built), _show_time(built, format_rate(evaluation["link_mbps"]))]
    if networks[0].per_gbps is not None:
        figures.append(_show_prices(built, evaluation))
    figures += [_show_networks(built, evaluation["currency"]), _show_results(results)]
    impossible = [each for each in networks if each.reason]
    if impossible:
        figures.append(_show_impossible(impossible))
    words = [*describe_worth(evaluation, routing), *describe_common_nics(design["spec"])]
    return Section("alternatives", "Alternatives", words, figures)


def _show_bandwidth(networks: Sequence[Network]) -> Figure:
    words = (
        "The mean bandwidth of a flow when the nodes communicate in random pairs, both ways at once. More is better."
    )
    names = _Names("effective", "Effective bisection bandwidth", name_quantity("effective"), f"{GBPS} per flow")
    return _draw(names, words, [(each, each.effective) for each in networks])


def _show_time(networks: Sequence[Network], link: str) -> Figure:
    """link: the rate that the unit of time is measured by."""
    words = f"Time of an all-to-all exchange in phases; the unit is one message at {link}. Less is better."
    values = [(each, each.time) for each in networks if each.time is not None]
    words += " Networks without this measurement are left out." if len(values) < len(networks) else ""
    return _draw(_Names("phases", "All-to-all exchange", name_quantity("phases"), "messages"), words, values)


def _show_prices(networks: Sequence[Network], evaluation: Mapping[str, Any]) -> Figure:
    currency, prices = evaluation["currency"], evaluation["prices"]
    source = f" Prices of {prices['name']}, {prices['date']}." if prices else ""
    words = (
        "Price of the fabric per Gb/s of effective bisection bandwidth, without uplink switch and spares, which other"
        " networks do not have. Less is better; networks without a price are left out." + source
    )
    values = [(each, each.per_gbps) for each in networks if each.per_gbps is not None]
    quantity, unit = name_quantity(PER_GBPS, currency), f"{name_currency(currency)} per Gb/s"
    return _draw(_Names("prices", "Price per bandwidth", quantity, unit), words, values)


@dataclass(frozen=True)
class _Names:
    """figure: of its downloads. quantity: of the values, in the table. axis: their unit."""

    figure: str
    title: str
    quantity: str
    axis: str


def _draw(about: _Names, words: str, values: Sequence[tuple[Network, float | None]]) -> Figure:
    """Bars; the design is a series of its own, so that its bar differs in color and pattern."""
    names = [each.title for each, _ in values]
    ours = [value if each.name == OURS else None for each, value in values]
    others = [None if each.name == OURS else value for each, value in values]
    # Each network has a value in only one of the series, so its bar takes the whole row.
    bars = [Series(OURS, ours), Series("other networks", others)]
    svg = draw_bars(names, bars, Axis(about.axis, together=True), about.title)
    table = Table(["network", about.quantity], [[each.title, value] for each, value in values])
    return Figure(about.figure, about.title, words, table, svg)


def _show_networks(networks: Sequence[Network], currency: str | None) -> Figure:
    columns = _list_columns(networks, currency)
    rows: list[list[Cell]] = [[each.title, *(read(each) for _, read in columns)] for each in networks]
    words = "A network with several routing schemes has the numbers of the best one."
    if any(each.open_end and each.price is not None for each in networks):
        words += " Some parts have no price and are left out of all sums."
    return Figure("networks", "All networks", words, Table(["network", *(name for name, _ in columns)], rows))


def _list_columns(
    networks: Sequence[Network], currency: str | None
) -> list[tuple[str, Callable[[Network], float | None]]]:
    """(quantity, how to read it) for each column."""
    columns: list[tuple[str, Callable[[Network], float | None]]] = [
        (name_quantity("switches-traversed"), lambda each: each.switches),
        (name_quantity("pairwise"), lambda each: each.pairwise),
        (name_quantity("effective"), lambda each: each.effective),
        (name_quantity("phases"), lambda each: each.time),
        ("pairs lost in the worst switch or cable failure", lambda each: each.lost),
    ]
    if networks[0].between is not None:
        columns.insert(0, (name_quantity("nodes-between"), lambda each: each.between or 0.0))
    if any(each.price is not None for each in networks):
        columns.append((name_quantity(PRICE, currency), lambda each: each.price))
        columns.append((name_quantity(PER_GBPS, currency), lambda each: each.per_gbps))
    return columns


def _show_impossible(networks: Sequence[Network]) -> Figure:
    words = "With a price list of larger or faster switches (fnn_evaluate_prices), more of them are available."
    rows: list[list[Cell]] = [[each.name, each.reason] for each in networks]
    return Figure("impossible", "Networks that are not available", words, Table(["network", "reason"], rows))


def _show_results(results: Sequence[MeasureResult]) -> Figure:
    columns = ["measure", OURS, "best", "best network", "better is", "wins over", "even with", "loses to"]
    rows: list[list[Cell]] = [
        [
            *(each.quantity, each.ours, each.best[1], each.best[0], "more" if each.more_is_better else "less"),
            *(len(each.wins_over), len(each.even_with), ", ".join(each.loses_to) or "none"),
        ]
        for each in results
    ]
    words = (
        "For each measure: the numbers of networks that are worse and equal, and the names of those that are better."
    )
    return Figure("standings", "Wins and losses", words, Table(columns, rows))
