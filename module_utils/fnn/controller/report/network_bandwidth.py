# SPDX-License-Identifier: GPL-3.0-or-later
"""The bandwidth of a network in which flows share cables between switches or nodes (format "fnn-network")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..evaluate.comparison import LINKS, WORDS, number_repeated
from ..numbers import format_number, format_rate
from .bandwidth import name_pattern
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table
from .headlines import WORST_PERMUTATION


def show_network_bandwidth(network: Mapping[str, Any]) -> Section:
    """Flows alone and together, patterns, and the busiest cables. All flows of a pair take one path at a time."""
    link = format_rate(network["link_mbps"])
    words = [
        f"Bandwidths are in links; a link is {link} in each direction at once. Flows over the same cable share it."
    ]
    return Section(
        "bandwidth", "Bandwidth", words, [_show_traffic(network), _show_patterns(network), _show_load(network)]
    )


def _show_traffic(network: Mapping[str, Any]) -> Figure:
    found = list(_list_traffic(network))
    title = "Bandwidth of a flow"
    svg = draw_bars(
        [name for name, _ in found],
        [Series("links", [value for _, value in found])],
        Axis("links per flow", 1.0),
        title,
    )
    rows: list[list[Cell]] = [[name, value, value * network["link_mbps"]] for name, value in found]
    words = (
        "A single pair is on an otherwise idle fabric. Effective bisection bandwidth is the mean of random pairs that"
        " send both ways at once. In a permutation every node sends to one other and receives from one other."
    )
    return Figure("traffic", title, words, Table(["traffic", LINKS, "Mb/s"], rows), svg)


def _list_traffic(network: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    yield WORDS["pairwise"], network["pairwise"]["mean"]["value"]
    yield WORDS["effective"], network["ebb"]["advanced"]["sym"]["mean"]
    if network["worst_case"]:
        yield WORST_PERMUTATION, network["worst_case"]["permutation"]["throughput"]["value"]
    names = number_repeated([each["pattern"] for each in network["saturation"]])
    for name, each in zip(names, network["saturation"]):
        if each["advanced"] is not None:
            yield f"{name} at once", each["advanced"]


def _show_patterns(network: Mapping[str, Any]) -> Figure:
    """Bars for each pattern, the design's own patterns first."""
    patterns = sorted(network["patterns"], key=lambda each: not each["own"])
    rates = [each["in_rank_order"]["advanced"] for each in patterns]
    names = number_repeated([name_pattern(each) for each in patterns])
    title = "Communication patterns"
    series = [Series("mean", [each["mean"] for each in rates]), Series("least", [each["least"] for each in rates])]
    svg = draw_bars(names, series, Axis("links per flow", 1.0), title) if patterns else None
    words = (
        "Bandwidth of a flow when rank r is on node r. In an exchange every node sends to both its neighbors on a"
        " logical ring at once."
    )
    rows: list[list[Cell]] = [
        [name, each["flows"], rate["mean"], rate["least"]] for name, each, rate in zip(names, patterns, rates)
    ]
    return Figure("patterns", title, words, Table(["pattern", "flows", "mean", "least"], rows), svg)


def _show_load(network: Mapping[str, Any]) -> Figure:
    """The forwarding index: routes over a cable when every node sends to every other."""
    names = {"nic": "cables of nodes", "switch": "cables between switches"}
    found = [(words, network["forwarding_index"][key]) for key, words in names.items()]
    rows: list[list[Cell]] = [[words, each["min"], each["mean"]["value"], each["max"]] for words, each in found if each]
    most = max(each["max"] for _, each in found if each)
    words = (
        "The forwarding index of a cable is the number of pairs that send over it in one direction. The busiest cable"
        f" limits an all-to-all exchange; it has {format_number(most)} pairs."
    )
    return Figure("forwarding-index", "Pairs per cable", words, Table(["cables", "least", "mean", "most"], rows))
