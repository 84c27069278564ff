# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers the questions before a network is built: its strengths and weaknesses, which networks are better at which
price, and the reasons to build it.

Every sentence is a number of the evaluation in words of the reader, with its unit. A number that covers only some
traffic says which. Sentences appear only if their number is on that side: a worst case of the whole rate of the slowest
link is a strength, one of half of it is a weakness.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..evaluate.comparison import MeasureResult, Network, list_networks, list_results
from ..evaluate.worth import describe_worth
from ..numbers import format_count, format_money, format_number, format_rate
from .own_numbers import list_strengths, list_weaknesses

#: Networks that are named, and measures that are named of each.
_MOST_NETWORKS, _MOST_MEASURES = 2, 3
_MOST_REASONS = 3
_ALONE = "No other network was compared (fnn_evaluate_alternatives)."


@dataclass(frozen=True)
class Answers:
    """Sentences; none where there is nothing to say."""

    strengths: list[str] = field(default_factory=list)
    weaknesses: list[str] = field(default_factory=list)
    better_networks: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)


def answer(evaluation: Mapping[str, Any], design: Mapping[str, Any], routing: str, division: str) -> Answers:
    """evaluation: format "fnn-evaluation" or "fnn-network". routing: the kind that the nodes use.

    division: of the nodes (divisions.py).
    """
    strengths = list(list_strengths(evaluation, design, routing, division))
    weaknesses = list(list_weaknesses(evaluation, design, routing, division))
    if len(evaluation["alternatives"]) < 2:
        return Answers(strengths, weaknesses, [_ALONE], [])
    networks, results = list_networks(evaluation, routing), list_results(evaluation, routing)
    currency = evaluation.get("currency") or (evaluation.get("prices") or {}).get("currency")
    return Answers(
        [*strengths, *_describe_value(results, currency)],
        weaknesses,
        list(_describe_better(networks, results, currency)),
        list(_list_reasons(evaluation, networks, results, routing, currency)),
    )


def _describe_value(results: Sequence[MeasureResult], currency: str | None) -> Iterator[str]:
    for each in results:
        if _is_price(each) and "per Gb/s" in each.words and not each.loses_to:
            price = format_money(each.ours, currency)
            yield f"Value: its {each.words}, {price}, is the lowest of all compared networks."


def _describe_better(
    networks: Sequence[Network], results: Sequence[MeasureResult], currency: str | None
) -> Iterator[str]:
    """The networks that win most measures besides prices; the cheaper one first among equals."""
    wins = {each: _list_wins(each, results) for each in networks[1:] if not each.reason}
    better = sorted(
        (each for each in wins if wins[each]),
        key=lambda each: (-len(wins[each]), each.price is None, each.price or 0.0, each.name),
    )
    if not better:
        yield "No compared network is better in a measure other than price."
    for each in better[:_MOST_NETWORKS]:
        name = f"{each.name[:1].upper()}{each.name[1:]}"
        yield f"{name}: better in {_join(wins[each])}. {_describe_price(each, networks[0], currency)}"
    if len(better) > _MOST_NETWORKS:
        yield f"Also better in some measures: {', '.join(each.name for each in better[_MOST_NETWORKS:])}."
    cheaper = [each for each in networks[1:] if _is_cheaper(each, networks[0])]
    if cheaper:
        least = min(cheaper, key=lambda each: (each.price or 0.0, -(each.effective or 0.0), each.name))
        worse = sum(least.name in each.wins_over for each in results if not _is_price(each))
        many = sum(not _is_price(each) for each in results)
        price = format_money(least.price, currency)
        yield f"Cheapest fabric: {least.name} for {price}, worse in {worse} of {many} measures."
    if any(each.open_end and each.price is not None for each in networks):
        yield "Parts without a price are left out of these prices."


def _list_wins(network: Network, results: Sequence[MeasureResult]) -> list[str]:
    return [each.words for each in results if network.name in each.loses_to and not _is_price(each)]


def _describe_price(network: Network, ours: Network, currency: str | None) -> str:
    """The price of its fabric, next to that of the design: NICs, switches and cables between nodes."""
    if network.price is None or not ours.price:
        return "The price of its fabric is not known."
    if network.price == ours.price:
        return f"Its fabric costs the same, {format_money(network.price, currency)}."
    times = (
        f", {format_number(round(network.price / ours.price, 1))} times as much" if network.price > ours.price else ""
    )
    return f"Its fabric costs {format_money(network.price, currency)} instead of {format_number(ours.price)}{times}."


def _is_cheaper(network: Network, ours: Network) -> bool:
    return not network.reason and None not in (network.price, ours.price) and (network.price or 0) < (ours.price or 0)


def _list_reasons(
    evaluation: Mapping[str, Any],
    networks: Sequence[Network],
    results: Sequence[MeasureResult],
    routing: str,
    currency: str | None,
) -> Iterator[str]:
    """The measures that it leads, what more bandwidth would cost, and what its price buys."""
    leads = [each.words for each in results if not each.loses_to and each.wins_over and not _is_price(each)]
    if leads:
        yield f"No compared network is better in: {'; '.join(leads)}."
    faster = [each for each in networks[1:] if not each.reason and (each.effective or 0) > (networks[0].effective or 0)]
    priced = [each for each in faster if each.price is not None]
    if networks[0].price and priced and all((each.price or 0.0) > networks[0].price for each in priced):
        least = min(priced, key=lambda each: (each.price or 0.0, each.name))
        ours, more = (format_rate(1000 * (each.effective or 0.0)) for each in (networks[0], least))
        yield (
            f"More effective bisection bandwidth ({more} instead of {ours}) costs"
            f" at least {format_money(least.price, currency)} for the fabric, that of {least.name}."
        )
    yield from describe_worth(evaluation, routing)[1:_MOST_REASONS]


def _is_price(result: MeasureResult) -> bool:
    return "price" in result.words


def _join(words: Sequence[str]) -> str:
    more = len(words) - _MOST_MEASURES
    shown = ", ".join(words[:_MOST_MEASURES])
    return f"{shown} and {format_count(more, 'other measure')}" if more > 0 else shown
