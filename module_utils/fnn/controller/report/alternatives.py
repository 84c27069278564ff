# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures that compare the design with other networks on the same nodes; see evaluate/comparison.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluate.comparison import OURS, MeasureResult, Network, list_networks, list_results
from ..evaluate.worth import describe_worth
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table


def show_alternatives(evaluation: Mapping[str, Any], routing: str) -> Section:
    """Sentences, bars, and the tables they are drawn from."""
    networks, results = list_networks(evaluation, routing), list_results(evaluation, routing)
    built = [each for each in networks if not each.reason]
    figures = [_show_bandwidth(built), _show_time(built)]
    if networks[0].per_gbps is not None:
        figures.append(_show_prices(built, evaluation["prices"]))
    figures += [_show_networks(built), _show_results(results)]
    impossible = [each for each in networks if each.reason]
    if impossible:
        figures.append(_show_impossible(impossible))
    return Section("alternatives", "Alternatives", describe_worth(evaluation, routing), figures)


def _show_bandwidth(networks: Sequence[Network]) -> Figure:
    words = "The average bandwidth of a flow when the nodes communicate in random pairs. More is better."
    return _draw(
        "effective",
        "Effective bisection bandwidth",
        words,
        [(each, each.effective) for each in networks],
        "links per flow",
    )


def _show_time(networks: Sequence[Network]) -> Figure:
    words = "Time of an all-to-all exchange in phases, in times of one message over one link. Less is better."
    values = [(each, each.time) for each in networks if each.time is not None]
    words += " Networks without this measurement are left out." if len(values) < len(networks) else ""
    return _draw("phases", "All-to-all exchange", words, values, "messages")


def _show_prices(networks: Sequence[Network], prices: Mapping[str, Any] | None) -> Figure:
    currency = prices["currency"] if prices else "the currency of fnn_prices"
    source = f" Prices of {prices['name']}, {prices['date']}." if prices else ""
    words = (
        "Price per Gb/s of effective bisection bandwidth. Less is better; networks without a price are left out."
        + source
    )
    values = [(each, each.per_gbps) for each in networks if each.per_gbps is not None]
    return _draw("prices", "Price per bandwidth", words, values, f"{currency} per Gb/s")


def _draw(name: str, title: str, words: str, values: Sequence[tuple[Network, float | None]], unit: str) -> Figure:
    """Bars; the design is a series of its own, so that its bar differs in color and pattern."""
    names = [each.title for each, _ in values]
    ours = [value if each.name == OURS else None for each, value in values]
    others = [None if each.name == OURS else value for each, value in values]
    # Each network has a value in only one of the series, so its bar takes the whole row.
    bars = [Series(OURS, ours), Series("other networks", others)]
    svg = draw_bars(names, bars, Axis(unit, together=True), title)
    return Figure(name, title, words, Table(["network", unit], [[each.title, value] for each, value in values]), svg)


def _show_networks(networks: Sequence[Network]) -> Figure:
    forwards = networks[0].between is not None
    columns = ["network", *(["nodes between"] if forwards else []), "switches between", "single pair, links"]
    columns += ["effective, links", "all-to-all, messages", "pairs lost with a switch or cable"]
    rows: list[list[Cell]] = [
        [
            *(each.title, *([each.between or 0.0] if forwards else []), each.switches, each.pairwise, each.effective),
            *(each.time, each.lost),
        ]
        for each in networks
    ]
    if any(each.price is not None for each in networks):
        columns += ["price", "per Gb/s"]
        rows = [[*row, each.price, each.per_gbps] for row, each in zip(rows, networks)]
    words = "A network with several routing schemes is listed with the best one."
    if any(each.open_end and each.price is not None for each in networks):
        words += " Some parts have no price and are left out of all sums."
    return Figure("networks", "Side by side", words, Table(columns, rows))


def _show_impossible(networks: Sequence[Network]) -> Figure:
    words = "A price list (fnn_evaluate_prices) of larger or faster switches makes more of them available."
    rows: list[list[Cell]] = [[each.name, each.reason] for each in networks]
    return Figure("impossible", "Networks that are not available", words, Table(["network", "reason"], rows))


def _show_results(results: Sequence[MeasureResult]) -> Figure:
    columns = ["measure", "better is", OURS, "best", "of", "wins over", "even with", "loses to"]
    rows: list[list[Cell]] = [
        [
            *(each.words, "more" if each.more_is_better else "less", each.ours, each.best[1], each.best[0]),
            *(len(each.wins_over), len(each.even_with), ", ".join(each.loses_to) or "none"),
        ]
        for each in results
    ]
    words = "For each measure: how many networks this network beats, and which beat it."
    return Figure("standings", "Wins and losses", words, Table(columns, rows))
