# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer to "what should I build?" in a few sentences, made from an advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..numbers import format_number, format_rate
from .names import Entry, cost_verb, format_lost, format_money, format_worst, join_words, name_network, name_parts
from .networks import FNN, MULTIPATH, NODES
from .ranking import list_ranked

Advice = Mapping[str, Any]
_REFUSAL = "A flat neighborhood network is not the answer here:"


def describe_answer(advice: Advice) -> list[str]:
    """What to build; whether a flat neighborhood network is the answer; what the first of the ranking requires."""
    ranked = list_ranked(advice)
    if not ranked:
        return [f"No network can be built for a known price. {_REFUSAL} {_find_reason(advice)}."]
    first, flat = ranked[0], next((each for each in ranked if each["network"] == FNN), None)
    sentences = [_recommend(first, advice)]
    if first is not flat:
        sentences.append(_refuse_flat(first, flat, advice))
    else:
        sentences += _name_next(ranked, advice)
    return [*sentences, *_describe_requirement(first, ranked, advice)]


def _recommend(entry: Entry, advice: Advice) -> str:
    total = format_money(entry["price"], advice)
    return (
        f"Build {name_network(entry)}: {name_parts(entry, advice)}; {total} in all, {_format_per_gbps(entry, advice)}."
    )


def _format_per_gbps(entry: Entry, advice: Advice) -> str:
    return f"{format_money(entry['price_per_gbps'], advice)} per Gb/s of effective bandwidth"


def _name_next(ranked: Sequence[Entry], advice: Advice) -> Iterator[str]:
    """The best network of another kind."""
    other = next((each for each in ranked if each["network"] != FNN), None)
    if other:
        parts = f"{name_network(other)}, {name_parts(other, advice)}"
        yield f"The cheapest other network is {parts}, at {_format_per_gbps(other, advice)}."


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


def _describe_requirement(first: Entry, ranked: Sequence[Entry], advice: Advice) -> Iterator[str]:
    """What plain switches cannot do, and what to build of them."""
    if first["forwarding"] == NODES:
        yield "In this network the nodes forward traffic of others, which takes their processor time."
    elif first["forwarding"] == MULTIPATH:
        words = f"The switches of {name_network(first)} must use several paths, which unmanaged switches cannot"
        plain = next((each for each in ranked if each["forwarding"] not in (MULTIPATH, NODES)), None)
        yield f"{words}. Of plain switches, build {_describe_plain(plain, advice)}." if plain else f"{words}."


def _describe_plain(entry: Entry, advice: Advice) -> str:
    parts, total = name_parts(entry, advice), format_money(entry["price"], advice)
    return f"{name_network(entry)}: {parts}; {total}, {format_money(entry['price_per_gbps'], advice)} per Gb/s"
