# SPDX-License-Identifier: GPL-3.0-or-later
"""Describes a comparison with other networks in sentences: the losses of the design, and break-even prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..numbers import DASH, format_money, format_number, format_rate, name_currency
from .comparison import (
    GBPS,
    PER_GBPS,
    PRICE,
    WORDS,
    MeasureResult,
    Network,
    format_name,
    has_prices,
    list_networks,
    list_results,
)


def describe_losses(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """A sentence for each measure in which some other network is better."""
    networks = list_networks(evaluation, routing) if has_prices(evaluation) else []
    prices = {each.name: each.price for each in networks}
    currency = evaluation["currency"]
    return [_describe_loss(each, prices, currency) for each in list_results(evaluation, routing) if each.loses_to]


def describe_worth(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """Sentences: the number of measures in which the design loses, what its price buys, and break-even prices."""
    results = list_results(evaluation, routing)
    networks = list_networks(evaluation, routing)
    if not any(each.wins_over or each.even_with or each.loses_to for each in results):
        return ["There is no other network to compare with."]
    lost = sum(bool(each.loses_to) for each in results)
    measures = count(len(results), "measure")
    # Both kinds of routing give the same where each pair has one path at a time.
    ours = "This network" if "topology" in evaluation else f"With {routing} routing this network"
    sentences = [f"{ours} is the best, or one of the best, in {len(results) - lost} of {measures}"]
    sentences[0] += f" and loses in {lost}." if lost else "; no other network is better in any of them."
    if not has_prices(evaluation):
        what = "NICs and cables" if evaluation["alternatives"][0]["fabric_cost"].get("switches") == 0 else "switches"
        return [
            *sentences,
            f"Its value for money is unknown: {what} have no price. Set fnn_prices, or use a price list.",
        ]
    return [*sentences, _describe_affordable(evaluation, results, networks), *_describe_prices(evaluation, routing)]


def _describe_loss(result: MeasureResult, prices: Mapping[str, float | None], currency: str | None) -> str:
    name, value = result.best
    network = name.partition(" (")[0]
    others = [each for each in result.loses_to if each != network]
    more = f", and to {_join(others)}" if others else ""
    known = prices.get(network) and result.words != WORDS[PRICE]
    price = f" (for {format_money(prices[network], currency)})" if known else ""
    best = format_money(value, currency) if result.unit == name_currency(currency) else format_number(value)
    numbers = f"{format_number(result.ours)} against {best}"
    if result.unit == GBPS:
        numbers = f"{format_rate(1000 * result.ours)} against {format_rate(1000 * value)}"
    return f"It loses in {result.words} to {name}{price}, {numbers}{more}."


def _describe_affordable(
    evaluation: Mapping[str, Any], results: Sequence[MeasureResult], networks: Sequence[Network]
) -> str:
    """The measures besides prices in which no network of the same or a lower price is better."""
    ours = networks[0].price or 0.0
    cheap = {each.name for each in networks[1:] if not each.reason and each.price is not None and each.price <= ours}
    about = [each for each in results if each.words not in (WORDS[PRICE], WORDS[PER_GBPS])]
    better = [each.words for each in about if not cheap.intersection(each.loses_to)]
    price = f"At the price of its fabric, {format_money(ours, evaluation['currency'])}, or less"
    return (
        f"{price}, no network is better in: {'; '.join(better)}."
        if better
        else f"{price}, some network is better in every other measure."
    )


def _describe_prices(evaluation: Mapping[str, Any], routing: str) -> Iterator[str]:
    """Break-even prices of the networks that are cheaper per Gb/s; if there is none, that of the closest network."""
    results = [each for each in evaluation["comparison"] if each["measure"] == f"{PER_GBPS}-{routing}"]
    if not results:
        yield "Its value for money is unknown: prices are missing (fnn_prices)."
        return
    rows = {_find_name(row): row for row in evaluation["alternatives"]}
    currency = evaluation["currency"]
    yield from _describe_impossible(rows.values(), routing, currency)
    cheaper = [rows[name] for name in results[0]["loses_to"] if name in rows]
    if cheaper:
        yield from (_describe_even(row, routing, currency) for row in _pick_cheapest(cheaper, routing))
        return
    beaten = [rows[name] for name in results[0]["wins_over"] if name in rows and _read_even(rows[name], routing)]
    if beaten:
        nearest = min(beaten, key=lambda row: float(row["fabric_cost"]["per_gbps"][f"effective_{routing}"]))
        even = _read_even(nearest, routing)
        total = format_money(even["alternative"]["total"], currency) if even else DASH
        own = format_money(nearest["fabric_cost"]["price"]["total"], currency)
        name = format_name(_find_name(nearest))
        yield (
            "Its fabric is the cheapest per Gb/s of effective bisection bandwidth;"
            f" {name} would cost as much at a total of {total} instead of {own}."
        )


def _describe_impossible(rows: Iterable[Mapping[str, Any]], routing: str, currency: str | None) -> Iterator[str]:
    """The break-even price of a switch that is not on the market or in no price list."""
    for row in rows:
        even = None if row["possible"] else _read_even(row, routing)
        if even and even["alternative"]["switch"] is not None and len(row["parts"]["switches"]) == 1:
            (switch,) = row["parts"]["switches"]
            price, ports = format_money(even["alternative"]["switch"], currency), switch["ports"]
            wins = f"this network wins while a switch of {ports} ports costs more than {price}"
            if even["alternative"]["switch"] == 0:
                wins = f"this network wins at any price of a switch of {ports} ports"
            yield f"Against {format_name(_find_name(row))}, which has no price here, {wins}."


def _pick_cheapest(rows: Sequence[Mapping[str, Any]], routing: str) -> list[Mapping[str, Any]]:
    """The routing of each alternative that is cheapest per Gb/s."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in sorted(rows, key=lambda each: float(each["fabric_cost"]["per_gbps"][f"effective_{routing}"])):
        best.setdefault(row["alternative"], row)
    return list(best.values())


def _describe_even(row: Mapping[str, Any], routing: str, currency: str | None) -> str:
    name = format_name(_find_name(row))
    price = format_money(row["fabric_cost"]["per_gbps"][f"effective_{routing}"], currency)
    even = _read_even(row, routing)
    sentence = f"A Gb/s of effective bisection bandwidth costs less with {name}: {price}."
    if not even or even["design"]["total"] is None:
        return f"{sentence} No price of this network would change that."
    parts = [("switches", even["design"]["switch"]), ("NICs", even["design"]["nic"])]
    ways = [f"with {what} under {format_money(each, currency)} each" for what, each in parts if each]
    theirs = even["alternative"]["total"]
    other = f", or if {name} cost more than {format_money(theirs, currency)}" if theirs is not None else ""
    how = f" ({' or '.join(ways)})" if ways else ""
    total = format_money(even["design"]["total"], currency)
    return f"{sentence} This network would win if its fabric cost less than {total}{how}{other}."


def _read_even(row: Mapping[str, Any], routing: str) -> Mapping[str, Any] | None:
    even: Mapping[str, Any] | None = row["even_at"]
    return even and even[routing]


def _find_name(row: Mapping[str, Any]) -> str:
    """The name of a row in `comparison`."""
    return str(row["alternative"]) + (f"/{row['routing']}" if row["routing"] else "")


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
