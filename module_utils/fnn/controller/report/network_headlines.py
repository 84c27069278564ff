# SPDX-License-Identifier: GPL-3.0-or-later
"""The headline numbers of a tree, ring, star or mesh (format "fnn-network")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import count
from ..numbers import format_count, format_number, format_part, format_rate
from .headlines import Headline


def list_network_headlines(network: Mapping[str, Any]) -> Iterator[Headline]:
    """network: format "fnn-network"."""
    link, cost = network["link_mbps"], network["alternatives"][0]["cost"]
    yield _describe_distance(network)
    mean = network["pairwise"]["mean"]["value"]
    yield Headline(format_count(mean, "link"), "for a single pair of nodes", f"{format_rate(mean * link)} on average")
    bisection = network["bisection"]["best"]["gbps"]
    yield Headline(format_rate(1000 * bisection), "best bisection bandwidth", "both directions")
    if network["worst_case"]:
        worst = network["worst_case"]["permutation"]["throughput"]
        note = f"{format_rate(worst['value'] * link)}, if every node sends to one other and receives from one other"
        yield Headline(format_part(worst, "link"), "for each flow in the worst case", note)
    part = "switch" if network["exposure"]["switch"] else "cable"
    pairs = len(network["nodes"]) * (len(network["nodes"]) - 1) // 2
    lost = network["exposure"][part]["max"]
    yield Headline(format_count(lost, "pair"), f"lost in the worst {part} failure", f"of {format_number(pairs)}")
    if cost["price"]:
        per_gbps = (cost["per_gbps"] or {}).get("best")
        note = f"{format_number(cost['per_node'])} per node, {format_number(per_gbps)} per Gb/s of best bisection"
        yield Headline(format_number(cost["price"]["total"]), "for the network", note)
    switches = count(cost["switches"], "switch") if cost["switches"] else "no switch"
    yield Headline(format_number(cost["cables"]), "cables", f"{switches}, {count(cost['nics'], 'NIC')}")


def _describe_distance(network: Mapping[str, Any]) -> Headline:
    between = network["nodes_between"]
    if between is None:
        mean = network["switches_traversed"]["mean"]["value"]
        return Headline(format_count(mean, "switch"), "between two nodes", "on average over all pairs")
    mean = between["mean"]["value"]
    most = max(map(float, between["histogram"]))
    note = f"on average over all pairs; at most {format_number(most)}" if most else "every two nodes share a cable"
    return Headline(format_count(mean, "node"), "between two nodes", note)
