# SPDX-License-Identifier: GPL-3.0-or-later
"""The headline numbers and the verdict in sentences, for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import count
from ..numbers import DASH, format_count, format_number, format_rate, format_share
from .descriptions import describe_design, describe_topology


@dataclass(frozen=True)
class Headline:
    """value: with its unit. words: its meaning. note: details in small print."""

    value: str
    words: str
    note: str


@dataclass(frozen=True)
class Verdict:
    """word: the verdict of the design. title: the same in plain words. words: a paragraph each."""

    word: str
    title: str
    words: list[str]


def list_headlines(evaluation: Mapping[str, Any], routing: str) -> list[Headline]:
    """The numbers that `fnn_evaluate` returns, formatted for readers. routing: the kind that the nodes use."""
    link = evaluation["link_mbps"]
    pairwise, bisection = evaluation["pairwise"], evaluation["bisection"]
    worst = evaluation["exposure"]["switch"]
    pairs = evaluation["nodes"] * (evaluation["nodes"] - 1) // 2
    cost, traversed = evaluation["cost"], evaluation["switches_traversed"]["mean"]
    headlines = [
        Headline(_count_switches(traversed), "between two nodes", "on average over all pairs that reach each other"),
        Headline(
            format_count(pairwise["mean"]["value"], "link"),
            "for a single pair of nodes",
            f"{_format_fraction(pairwise['mean'])}{format_rate(pairwise['mean']['value'] * link)} on average,"
            f" {format_rate(pairwise['min']['value'] * link)} at least",
        ),
        Headline(
            format_rate(1000 * bisection["best"]["gbps"]),
            "best bisection bandwidth",
            f"{format_rate(1000 * bisection['conservative']['gbps'])} conservatively; both directions",
        ),
    ]
    ratio = evaluation["worst_case"]["ratio"]
    if ratio:
        other = "basic" if routing == "advanced" else "advanced"
        note = f"{routing} routing; {format_share(ratio[other])} with {other}"
        headlines.append(Headline(format_share(ratio[routing]), "of the best possible in the worst case", note))
    if worst:
        note = (
            f"of {format_number(pairs)}; a failed NIC costs at most {format_number(_find_maximum(evaluation, 'nic'))}"
        )
        headlines.append(Headline(format_count(worst["max"], "pair"), "lost in the worst switch failure", note))
    if cost["price"]:
        per_gbps = (cost["per_gbps"] or {}).get("best")
        note = f"{format_number(cost['per_node'])} per node, {format_number(per_gbps)} per Gb/s of best bisection"
        headlines.append(Headline(format_number(cost["price"]["total"]), "for the network", note))
    note = f"{count(cost['switches'], 'switch')}, {count(cost['nics'], 'NIC')}"
    return [*headlines, Headline(format_number(cost["cables"]), "cables", note)]


def make_verdict(
    design: Mapping[str, Any], findings: Mapping[str, Any] | None, proof: Mapping[str, Any] | None
) -> Verdict:
    """The verdict of the design, and the state of the cluster built from it."""
    word = design["verdict"]
    sparse = design["spec"]["coverage"] != "all"
    title = describe_topology(design)
    if title:
        return Verdict(word, title, [f"Design {describe_design(design)}.", _describe_standing(findings, proof)])
    if word != "found":
        title = "Not a flat neighborhood network yet"
    elif sparse:
        title = "Every two nodes that talk share a switch"
    else:
        title = "Every two nodes share a switch"
    return Verdict(word, title, [f"Design {describe_design(design)}.", _describe_standing(findings, proof)])


def _describe_standing(findings: Mapping[str, Any] | None, proof: Mapping[str, Any] | None) -> str:
    if not findings:
        return "Everything here is predicted from the design; no cable has been verified yet."
    wiring = {
        "match": "every cable was verified as designed",
        "miswired": "some cables differ from the design",
    }.get(findings["verdict"], "not all cables could be measured")
    if not proof:
        return f"As built, {wiring}; the network has not been proved yet."
    proved = {"proved": "the network is proved", "failed": "the network failed its proof"}
    return f"As built, {wiring}, and {proved.get(proof['verdict'], 'the proof is not complete')}."


def _count_switches(mean: Mapping[str, Any] | None) -> str:
    return DASH if mean is None else format_count(mean["value"], "switch")


def _find_maximum(evaluation: Mapping[str, Any], part: str) -> float | None:
    failures = evaluation["exposure"][part]
    return failures and float(failures["max"])


def _format_fraction(number: Mapping[str, Any]) -> str:
    return f"{number['exact']} links, " if number["exact"] and "/" in number["exact"] else ""
