# SPDX-License-Identifier: GPL-3.0-or-later
"""The headline numbers, for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..evaluate.comparison import PRICE, name_quantity, number_repeated
from ..numbers import (
    DASH,
    find_gbps,
    format_count,
    format_gbps,
    format_money,
    format_number,
    format_rate,
    format_share,
    name_currency,
)
from .parts import NETWORK_PRICE, PIECES, count_parts, has_parts_beside, list_parts, name_sum, read_fabric

BEST_BISECTION = "best bisection bandwidth, Gb/s"
LEAST_SHARE = "least share of the optimum"
WORST_PERMUTATION = "worst permutation"
#: Name of all patterns of a spec at once in the engine -> for readers.
_OWN = {"own": "own patterns together"}
#: The divisions of the nodes in sentences.
_NAMES = {"basic": "basic routing", "advanced": "equal parts", "weighted": "weights"}


@dataclass(frozen=True)
class Headline:
    """quantity: its name in tables, with the unit. number: unformatted.

    value: with its unit. words: its meaning. note: details in small print.
    """

    quantity: str
    number: float | None
    value: str
    words: str
    note: str


def list_headlines(evaluation: Mapping[str, Any], division: str) -> list[Headline]:
    """The numbers that `fnn_evaluate` returns, formatted for readers. division: of the nodes (divisions.py)."""
    return [
        *_describe_bandwidth(evaluation),
        *_describe_worst_case(evaluation, division),
        *_describe_failures(evaluation),
        *list_cost_headlines(evaluation),
    ]


def _describe_bandwidth(evaluation: Mapping[str, Any]) -> Iterator[Headline]:
    link, pairwise, bisection = evaluation["link_mbps"], evaluation["pairwise"], evaluation["bisection"]
    traversed = (evaluation["switches_traversed"]["mean"] or {}).get("value")
    yield Headline(
        name_quantity("switches-traversed"),
        traversed,
        DASH if traversed is None else format_count(traversed, "switch"),
        "between two nodes",
        "on average over all pairs that reach each other",
    )
    yield Headline(
        name_quantity("pairwise"),
        find_gbps(pairwise["mean"], link),
        format_gbps(pairwise["mean"], link),
        "for a single pair of nodes",
        f"on average; {format_gbps(pairwise['min'], link)} at least",
    )
    yield Headline(
        BEST_BISECTION,
        bisection["best"]["gbps"],
        format_rate(1000 * bisection["best"]["gbps"]),
        "best bisection bandwidth",
        f"{format_rate(1000 * bisection['conservative']['gbps'])} conservatively; both directions",
    )


def _describe_worst_case(evaluation: Mapping[str, Any], division: str) -> Iterator[Headline]:
    """The least of all traffic that the report draws, and the share of the worst permutation beside it."""
    worst = evaluation["worst_case"]
    if not worst["ratio"]:
        return
    least = worst["ratio"][division]
    cases = [(name, ratio[division]) for name, ratio in list_worst_cases(worst)]
    name = min(cases, key=lambda each: each[1])[0]
    where = f"in the worst traffic: {name}" if any(share > least for _, share in cases) else "in all traffic"
    others = [f"{format_share(worst['ratio'][key])} with {words}" for key, words in _NAMES.items() if key != division]
    rest = "".join(f"{format_share(share)} in the {case}; " for case, share in cases[:1] if share > least)
    yield Headline(
        f"{LEAST_SHARE}, {division}",
        least,
        format_share(least),
        f"of the optimum {where}",
        f"the least of the worst permutation and all patterns, with {_NAMES[division]}; {rest}{', '.join(others)}",
    )


def list_worst_cases(worst_case: Mapping[str, Any]) -> list[tuple[str, Mapping[str, float]]]:
    """(traffic, share of the optimum by division) of the worst permutation and of every pattern that was measured."""
    cases = [(WORST_PERMUTATION, worst_case["permutation"])]
    names = number_repeated([_OWN.get(each["pattern"], each["pattern"]) for each in worst_case["patterns"]])
    cases += list(zip(names, worst_case["patterns"]))
    return [(name, case["ratio"]) for name, case in cases if case and case["ratio"]]


def _describe_failures(evaluation: Mapping[str, Any]) -> Iterator[Headline]:
    worst, pairs = evaluation["exposure"]["switch"], evaluation["nodes"] * (evaluation["nodes"] - 1) // 2
    if worst:
        note = f"of {format_number(pairs)}; at most {format_number(find_most_lost(evaluation, 'nic'))} in a NIC failure"
        value = format_count(worst["max"], "pair")
        yield Headline(name_quantity("exposure-switch"), worst["max"], value, "lost in the worst switch failure", note)


def list_cost_headlines(evaluation: Mapping[str, Any]) -> Iterator[Headline]:
    """The price, and the number of cables, each as a sum of its parts. evaluation: also format "fnn-network"."""
    cost, currency, parts = evaluation["cost"], evaluation["currency"], list_parts(evaluation["cost"])
    whole, fabric = ((each["price"] or {}).get("total") for each in (cost, read_fabric(evaluation)))
    unit = name_currency(currency)
    if whole is not None:
        beside = f"{format_money(fabric, currency)} of it for the fabric, " if has_parts_beside(cost) else ""
        note = f"{beside}{format_money(cost['per_node'], currency)} per node"
        yield Headline(f"{NETWORK_PRICE}, {unit}", whole, format_money(whole, currency), "for the network", note)
    elif fabric is not None:
        quantity = name_quantity(PRICE, currency)
        yield Headline(quantity, fabric, format_money(fabric, currency), "for the fabric", "the rest has no price")
    cables, name = count_parts(parts, "cables"), name_sum(parts, "cables")
    others = [count_parts(parts, "switches") or "no switch", count_parts(parts, "nics")]
    note = "; ".join([*([cables] if name.endswith("in all") else []), *others])
    yield Headline(f"{name}, {PIECES}", cost["cables"], format_number(cost["cables"]), name, note)


def find_most_lost(evaluation: Mapping[str, Any], part: str) -> float | None:
    """The most pairs that one failed part loses; None where it is not computed. part: switch, cable or nic."""
    failures = evaluation["exposure"][part]
    return float(failures["max"]) if failures else None
