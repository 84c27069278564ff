# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer to "what should I build?" in a few sentences, made from an advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..numbers import format_number, format_rate
from .names import (
    Entry,
    cost_verb,
    format_lost,
    format_money,
    format_worst,
    join_words,
    name_network,
    name_nics,
    name_parts,
    name_purchases,
)
from .networks import FNN, MULTIPATH, NODES
from .ranking import list_ranked

Advice = Mapping[str, Any]
#: Bandwidths are rounded to six places.
_ROUNDING = 1 - 1e-9
_REFUSAL = "A flat neighborhood network is not the answer here:"


def describe_answer(advice: Advice) -> list[str]:
    """What to buy; why, and what a flat neighborhood network has instead; the source of the prices."""
    ranked = list_ranked(advice)
    if not ranked:
        return [f"No network can be built for a known price. {_REFUSAL} {_find_reason(advice)}."]
    fit = list_fit(ranked)
    first = fit[0]
    flat = next((each for each in ranked if each["network"] == FNN), None)
    sentences = [*_recommend(first, advice)]
    if first["network"] == FNN:
        sentences += _name_next([*fit, *ranked], advice)
    elif flat is None or flat["rank"] > first["rank"]:
        sentences.append(_refuse_flat(first, flat, advice))
    sentences += _describe_passed(first, ranked, advice)
    sentences += _describe_all_ports(first, ranked, advice)
    lowest = min(fit, key=lambda each: float(each["price"]))
    if lowest["price"] < first["price"]:
        total = format_money(lowest["price"], advice)
        sentences.append(f"The lowest total has {name_network(lowest)} with {name_nics(lowest, advice)}: {total}.")
    return [*sentences, *_describe_source(advice)]


def choose_network(advice: Advice) -> Entry | None:
    """The network to buy: the first of the ranking that every buyer can build, and that is never slower than a link."""
    ranked = list_ranked(advice)
    return list_fit(ranked)[0] if ranked else None


def list_fit(ranked: Sequence[Entry]) -> list[Entry]:
    """Networks of plain switches or cables in which each flow of any permutation gets a link.

    Without any, those of plain switches; without these, all.
    """
    steady = [each for each in ranked if each["forwarding"] != MULTIPATH and _is_steady(each)]
    return steady or [each for each in ranked if each["forwarding"] not in (MULTIPATH, NODES)] or [*ranked]


def _is_steady(entry: Entry) -> bool:
    worst = entry["worst_case"]
    return bool(worst and worst["proved"] and worst["mbps"] >= entry["link_mbps"] * _ROUNDING)


def _recommend(entry: Entry, advice: Advice) -> Iterator[str]:
    yield f"Buy {name_purchases(entry)}: {format_money(entry['price'], advice)} in all."
    worst = format_worst(entry).replace("<= ", "at most ")
    yield (
        f"The network is {name_network(entry)} with {name_nics(entry, advice)}. Each node has"
        f" {format_rate(entry['effective_mbps'])} of effective bandwidth, for {_format_per_gbps(entry, advice)};"
        f" the slowest flow gets {worst}."
    )


def _format_per_gbps(entry: Entry, advice: Advice) -> str:
    return f"{format_money(entry['price_per_gbps'], advice)} per Gb/s"


def _name_next(ranked: Sequence[Entry], advice: Advice) -> Iterator[str]:
    """The best network of another kind."""
    other = next((each for each in ranked if each["network"] != FNN), None)
    if other:
        parts = f"{name_network(other)}, {name_parts(other, advice)}"
        yield f"The cheapest other network per Gb/s is {parts}, for {_format_per_gbps(other, advice)}."


def _refuse_flat(first: Entry, flat: Entry | None, advice: Advice) -> str:
    """Why another network is the answer, and what the flat neighborhood network has instead."""
    if flat is None:
        return f"{_REFUSAL} {_find_reason(advice)}."
    prices, per_gbps = (_compare(first[key], flat[key], advice) for key in ("price", "price_per_gbps"))
    name = name_network(first)
    if first["price"] <= flat["price"]:
        costs = f"{name} {cost_verb(first)} less ({prices}), also per Gb/s"
    else:
        costs = f"{name} {cost_verb(first)} more ({prices}), but less per Gb/s"
    merits = list(_list_merits(flat, first))
    more = f" The flat neighborhood network {join_words(merits)}." if merits else ""
    return f"{_REFUSAL} {costs} ({per_gbps}).{more}"


def _compare(first: float, flat: float, advice: Advice) -> str:
    return f"{format_number(first)} instead of {format_money(flat, advice)}"


def _find_reason(advice: Advice) -> str:
    """Why there is no flat neighborhood network. One without a price has no reason of its own."""
    reasons = [each["reason"] for each in advice["networks"] if each["network"] == FNN and each["reason"]]
    return reasons[-1] if reasons else "its parts have no price"


def _list_merits(flat: Entry, first: Entry) -> Iterator[str]:
    rates = [each["effective_mbps"] for each in (flat, first)]
    if rates[0] > rates[1]:
        yield f"has more bandwidth ({format_rate(rates[0])} per node instead of {format_rate(rates[1])})"
    ours, theirs = flat["worst_case"], first["worst_case"]
    if ours and theirs and ours["mbps"] > theirs["mbps"]:
        most = format_worst(first).replace("<= ", "at most ")
        yield f"has a better worst case ({format_worst(flat)} instead of {most})"
    lost = [each["pairs_lost"]["switch"] for each in (flat, first)]
    if None not in lost and lost[0] < lost[1]:
        yield f"loses fewer pairs to a dead switch ({format_lost(flat)} instead of {format_lost(first)})"


def _describe_passed(first: Entry, ranked: Sequence[Entry], advice: Advice) -> Iterator[str]:
    """Why the first of the ranking is not the answer; or what the answer requires, if it is one of these."""
    best = ranked[0]
    name, costs = (
        name_network(best),
        f"{cost_verb(best)} less per Gb/s ({format_money(best['price_per_gbps'], advice)}), but",
    )
    worst = format_worst(best).replace("<= ", "at most ")
    if best["forwarding"] == MULTIPATH:
        words = "switches must use several paths, which unmanaged switches cannot"
        yield f"In {name}, {words}." if best is first else f"{_begin(name)} {costs} its {words}."
    elif best["forwarding"] == NODES and not _is_steady(best):
        words = "nodes forward traffic of others, which takes their processor time"
        slow = f", and the slowest flow gets {worst}"
        yield f"In {name}, {words}." if best is first else f"{_begin(name)} {costs} its {words}{slow}."
    elif best is not first:
        yield f"{_begin(name)} {costs} the slowest flow gets {worst}."


def _describe_all_ports(first: Entry, ranked: Sequence[Entry], advice: Advice) -> Iterator[str]:
    """The best network that uses ports of several kinds."""
    best = next((each for each in ranked if each.get("groups")), None)
    if best and best is not first:
        total = f"{format_money(best['price'], advice)}, {_format_per_gbps(best, advice)}"
        rate = format_rate(best["effective_mbps"])
        yield f"All ports are used by {name_network(best)} of {name_purchases(best)}: {rate} per node, for {total}."


def _describe_source(advice: Advice) -> Iterator[str]:
    if advice["prices"].get("estimated"):
        yield (
            f"All prices are rounded estimates of {advice['prices']['date']}: for those of your shop, write a list"
            " (docs/reference/prices.md) and add --prices FILE."
        )


def _begin(words: str) -> str:
    return words[:1].upper() + words[1:]
