# SPDX-License-Identifier: GPL-3.0-or-later
"""The bandwidth of a network in which flows share cables between switches or nodes (format "fnn-network")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..evaluate.comparison import GBPS, WORDS, number_repeated
from ..numbers import find_gbps, format_number
from .bandwidth import name_pattern
from .charts import Axis, Series, draw_bars
from .figure import Cell, Figure, Section, Table
from .headlines import WORST_PERMUTATION


def show_network_bandwidth(network: Mapping[str, Any]) -> Section:
    """Flows alone and together, patterns, and the busiest cables. All flows of a pair take one path at a time."""
    words = ["Bandwidths are those of each direction, both at once. Flows over the same cable share it."]
    return Section(
        "bandwidth", "Bandwidth", words, [_show_traffic(network), _show_patterns(network), _show_load(network)]
    )


def _show_traffic(network: Mapping[str, Any]) -> Figure:
    found = list(_list_traffic(network))
    title = "Bandwidth of a flow"
    svg = draw_bars(
        [name for name, _ in found],
        [Series(GBPS, [value for _, value in found])],
        Axis(f"{GBPS} per flow", network["link_mbps"] / 1000),
        title,
    )
    rows: list[list[Cell]] = [[name, value] for name, value in found]
    words = (
        "A single pair is on an otherwise idle fabric. Effective bisection bandwidth is the mean of random pairs that"
        " send both ways at once. In a permutation every node sends to one other and receives from one other."
    )
    return Figure("traffic", title, words, Table(["traffic", GBPS], rows), svg)


def _list_traffic(network: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """(traffic, Gb/s of a flow)."""
    link = network["link_mbps"]
    yield WORDS["pairwise"], find_gbps(network["pairwise"]["mean"], link)
    yield WORDS["effective"], find_gbps(network["ebb"]["advanced"]["sym"]["mean"], link)
    if network["worst_case"]:
        yield WORST_PERMUTATION, find_gbps(network["worst_case"]["permutation"]["throughput"], link)
    names = number_repeated([each["pattern"] for each in network["saturation"]])
    for name, each in zip(names, network["saturation"]):
        if each["advanced"] is not None:
            yield f"{name} at once", find_gbps(each["advanced"], link)


def _show_patterns(network: Mapping[str, Any]) -> Figure:
    """Bars for each pattern, the design's own patterns first."""
    patterns = sorted(network["patterns"], key=lambda each: not each["own"])
    rates, link = [each["in_rank_order"]["advanced"] for each in patterns], network["link_mbps"]
    names = number_repeated([name_pattern(each) for each in patterns])
    title, kinds = "Communication patterns", ("mean", "least")
    series = [Series(kind, [find_gbps(each[kind], link) for each in rates]) for kind in kinds]
    svg = draw_bars(names, series, Axis(f"{GBPS} per flow", link / 1000), title) if patterns else None
    words = (
        "Bandwidth of a flow when rank r is on node r. In an exchange every node sends to both its neighbors on a"
        " logical ring at once."
    )
    rows: list[list[Cell]] = [
        [name, each["flows"], *(one.values[at] for one in series)]
        for at, (name, each) in enumerate(zip(names, patterns))
    ]
    columns = ["pattern", "flows", *(f"{kind}, {GBPS}" for kind in kinds)]
    return Figure("patterns", title, words, Table(columns, rows), svg)


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
