# SPDX-License-Identifier: GPL-3.0-or-later
"""The headline numbers of a tree, ring, star or mesh (format "fnn-network")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..evaluate.comparison import GBPS, name_quantity
from ..numbers import find_gbps, format_count, format_gbps, format_number, format_rate
from .headlines import BEST_BISECTION, WORST_PERMUTATION, Headline, list_cost_headlines


def list_network_headlines(network: Mapping[str, Any]) -> Iterator[Headline]:
    """network: format "fnn-network"."""
    link = network["link_mbps"]
    yield _describe_distance(network)
    mean = network["pairwise"]["mean"]
    words, note = "for a single pair of nodes", "on average"
    yield Headline(name_quantity("pairwise"), find_gbps(mean, link), format_gbps(mean, link), words, note)
    best = network["bisection"]["best"]["gbps"]
    yield Headline(BEST_BISECTION, best, format_rate(1000 * best), "best bisection bandwidth", "both directions")
    if network["worst_case"]:
        worst = network["worst_case"]["permutation"]["throughput"]
        quantity, note = f"{WORST_PERMUTATION}, {GBPS}", "if every node sends to one other and receives from one other"
        words = "for each flow in the worst permutation"
        yield Headline(quantity, find_gbps(worst, link), format_gbps(worst, link), words, note)
    part = "switch" if network["exposure"]["switch"] else "cable"
    pairs = len(network["nodes"]) * (len(network["nodes"]) - 1) // 2
    lost, words = network["exposure"][part]["max"], f"lost in the worst {part} failure"
    note = f"of {format_number(pairs)}"
    yield Headline(name_quantity(f"exposure-{part}"), lost, format_count(lost, "pair"), words, note)
    yield from list_cost_headlines(network)


def _describe_distance(network: Mapping[str, Any]) -> Headline:
    between, words = network["nodes_between"], "between two nodes"
    if between is None:
        mean = network["switches_traversed"]["mean"]["value"]
        note = "on average over all pairs"
        return Headline(name_quantity("switches-traversed"), mean, format_count(mean, "switch"), words, note)
    mean = between["mean"]["value"]
    most = float(max(map(Fraction, between["histogram"])))
    note = f"on average over all pairs; at most {format_number(most)}" if most else "every two nodes share a cable"
    return Headline(name_quantity("nodes-between"), mean, format_count(mean, "node"), words, note)
