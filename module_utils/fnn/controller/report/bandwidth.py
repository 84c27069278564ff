# SPDX-License-Identifier: GPL-3.0-or-later
"""The bandwidth of the wiring: histograms and bars of an evaluation document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluate.comparison import GBPS, number_repeated
from ..numbers import DASH, find_gbps, format_gbps, format_number, format_rate, format_share
from .charts import Axis, Series, draw_bars, draw_columns
from .divisions import DIVISIONS
from .figure import Cell, Figure, Section, Table
from .headlines import LEAST_SHARE, list_worst_cases

#: A histogram with more values has ranges of values as its columns.
_MOST_COLUMNS = 12
_KINDS = ("basic", "advanced")


def show_bandwidth(evaluation: Mapping[str, Any], routes: Mapping[str, Any]) -> Section:
    """Single pairs, all-to-all exchanges, peers per NIC, the worst case, and patterns."""
    words = [
        "Bandwidths are those of each direction, both at once. With basic routing a pair uses one of its shared"
        " switches, that of the routing table. With advanced routing it spreads its flows over all of them."
    ]
    figures = [_show_pairs(evaluation), _show_phases(evaluation), _show_load(routes), _show_worst_case(evaluation)]
    return Section("bandwidth", "Bandwidth", words, [*figures, _show_patterns(evaluation)])


def group_histogram(histogram: Mapping[float, int], most: int = _MOST_COLUMNS) -> list[tuple[str, float, float, int]]:
    """(label, from, to, count) by value; ranges of equal width where there are more values than `most`."""
    counts = sorted(histogram.items())
    if len(counts) <= most:
        return [(format_number(value), value, value, number) for value, number in counts]
    least, greatest = counts[0][0], counts[-1][0]
    step = (greatest - least) / most
    places = [min(int((value - least) / step), most - 1) for value, _ in counts]
    bins = []
    for place in range(most):
        start, end = least + place * step, least + (place + 1) * step
        number = sum(many for at, (_, many) in zip(places, counts) if at == place)
        bins.append((format_number(round(start, 3)) + DASH + format_number(round(end, 3)), start, end, number))
    return bins


def _show_pairs(evaluation: Mapping[str, Any]) -> Figure:
    pairwise = evaluation["pairwise"]
    bins = group_histogram(_read_histogram(pairwise, evaluation["link_mbps"]))
    title = "A single pair of nodes"
    svg = draw_columns(
        [each[0] for each in bins], [Series("pairs", [each[3] for each in bins])], (GBPS, "pairs of nodes"), title
    )
    mean = format_gbps(pairwise["mean"], evaluation["link_mbps"])
    words = f"Bandwidth of a pair on an otherwise idle fabric: {mean} on average."
    rows = [[start, end, number] for _, start, end, number in bins]
    return Figure("pairwise", title, words, Table([f"from {GBPS}", f"to {GBPS}", "pairs"], rows), svg)


def _read_histogram(measure: Mapping[str, Any], link_mbps: int) -> dict[float, int]:
    """The histogram of an evaluation, whose keys are links as decimals or fractions, by Gb/s."""
    return {find_gbps(links, link_mbps): number for links, number in measure["histogram"].items()}


def _show_phases(evaluation: Mapping[str, Any]) -> Figure:
    """All-to-all in phases; the two routings share their categories."""
    link = evaluation["link_mbps"]
    histograms = {kind: _read_histogram(evaluation["aapc"][kind], link) for kind in _KINDS}
    values = sorted({*histograms["basic"], *histograms["advanced"]})
    if len(values) <= _MOST_COLUMNS:
        rows = [[value, *(histograms[kind].get(value, 0) for kind in _KINDS)] for value in values]
        labels = [format_number(value) for value in values]
        columns = [GBPS, *_KINDS]
    else:
        whole = {value: histograms["basic"].get(value, 0) + histograms["advanced"].get(value, 0) for value in values}
        bins = group_histogram(whole)
        rows = count_in_ranges([histograms[kind] for kind in _KINDS], [(start, end) for _, start, end, _ in bins])
        labels = [each[0] for each in bins]
        columns = [f"from {GBPS}", f"to {GBPS}", *_KINDS]
    series = [Series(kind, [row[at - 2] for row in rows]) for at, kind in enumerate(_KINDS)]
    title = "All-to-all exchange in phases"
    svg = draw_columns(labels, series, (GBPS, "routes"), title)
    times = {kind: evaluation["aapc"][kind]["time"] for kind in _KINDS}
    took = " and ".join(f"{_format_exact(times[kind])} with {kind}" for kind in _KINDS if times[kind])
    words = (
        "In phase l node i sends to node i + l, and all wait for the slowest. The chart shows the bandwidth of each"
        " route."
        + (f" In times of one message at {format_rate(link)}, the exchange takes {took} routing." if took else "")
    )
    return Figure("all-to-all", title, words, Table(columns, rows), svg)


def count_in_ranges(
    histograms: Sequence[Mapping[float, int]], ranges: Sequence[tuple[float, float]]
) -> list[list[float]]:
    """A row for each range: start, end, and the count of values in it for each histogram.

    A range is a single value, or excludes its end; the last range includes all values from its start.
    """
    rows: list[list[float]] = []
    for number, (start, end) in enumerate(ranges, 1):
        limit = float("inf") if number == len(ranges) else end
        counts = [
            sum(many for value, many in histogram.items() if start <= value < limit or value == start)
            for histogram in histograms
        ]
        rows.append([start, end, *counts])
    return rows


def _show_load(routes: Mapping[str, Any]) -> Figure:
    """The forwarding index of NICs: how many peers each sends to."""
    counts = Counter(float(nic["sends_to"]) for node in routes["nodes"] for nic in node["nics"])
    bins = group_histogram(counts)
    title = "Peers per NIC"
    numbers = [each[3] for each in bins]
    svg = draw_columns([each[0] for each in bins], [Series("NICs", numbers)], ("peers a NIC sends to", "NICs"), title)
    words = (
        "The forwarding index of a NIC is the number of peers to which its node sends over it, with basic routing. The"
        f" busiest NIC limits an all-to-all exchange; it has {format_number(max(counts, default=0))} peers."
    )
    rows = [[start, end, number] for _, start, end, number in bins]
    return Figure("forwarding-index", title, words, Table(["from peers", "to peers", "NICs"], rows), svg)


def _show_worst_case(evaluation: Mapping[str, Any]) -> Figure:
    known = list_worst_cases(evaluation["worst_case"])
    title = "Routing compared with the optimum"
    series = [
        Series(label, [100 * ratio[key] for _, ratio in known], [format_share(ratio[key]) for _, ratio in known])
        for key, label in DIVISIONS.items()
    ]
    axis = Axis("percent of the optimum", 100)
    svg = draw_bars([name for name, _ in known], series, axis, title) if known else None
    words = (
        "All nodes send at once: in the worst permutation, and in each pattern. 100 % is the optimum, the most that any"
        " routing reaches on this wiring. A linear program computes it, with a proved bound. Advanced routing divides"
        " the flows of a pair in equal parts or by weights (fnn_weights)."
        f" {_describe_single_pair(evaluation)}"
    )
    rows: list[list[Cell]] = [[name, *(ratio[key] for key in DIVISIONS)] for name, ratio in known]
    if evaluation["worst_case"]["ratio"]:
        rows.append([LEAST_SHARE, *(evaluation["worst_case"]["ratio"][key] for key in DIVISIONS)])
    return Figure("worst-case", title, words, Table(["traffic", *DIVISIONS.values()], rows), svg)


def _describe_single_pair(evaluation: Mapping[str, Any]) -> str:
    """What weights cost a pair without other traffic."""
    single, link = evaluation["single_pair"], evaluation["link_mbps"]
    means = {division: format_gbps(each["mean"], link) for division, each in single.items()}
    if means["advanced"] == means["weighted"]:
        return f"A pair with many flows and no other traffic gets {means['advanced']} on average with either."
    return (
        f"A pair with many flows and no other traffic gets {means['advanced']} on average with equal parts, and"
        f" {means['weighted']} with weights; a single flow uses one switch with either."
    )


def _show_patterns(evaluation: Mapping[str, Any]) -> Figure:
    """Bars for each pattern, the design's own patterns first."""
    patterns, link = sorted(evaluation["patterns"], key=lambda each: not each["own"]), evaluation["link_mbps"]
    names = number_repeated([name_pattern(each) for each in patterns])
    rates = {kind: [each["in_rank_order"][kind] for each in patterns] for kind in _KINDS}
    means, least = (
        {kind: [find_gbps(each[key], link) for each in rates[kind]] for kind in _KINDS} for key in ("mean", "least")
    )
    title = "Communication patterns"
    axis = Axis(f"{GBPS} per flow, mean over all flows", link / 1000)
    svg = draw_bars(names, [Series(kind, means[kind]) for kind in _KINDS], axis, title) if patterns else None
    words = (
        "Bandwidth of a flow when rank r is on node r. In an exchange every node sends to both its neighbors on a"
        " logical ring at once. If both flows go over one NIC, each gets half of its bandwidth."
    )
    rows = [
        [name, each["flows"], means["basic"][at], least["basic"][at], means["advanced"][at], least["advanced"][at]]
        for at, (name, each) in enumerate(zip(names, patterns))
    ]
    columns = ["pattern", "flows", *(f"{kind}, {which}, {GBPS}" for kind in _KINDS for which in ("mean", "least"))]
    return Figure("patterns", title, words, Table(columns, rows), svg)


def name_pattern(pattern: Mapping[str, Any]) -> str:
    group = f" of {pattern['group']}" if pattern["group"] else ""
    return f"{pattern['pattern']}{group}{' (own)' if pattern['own'] else ''}"


def _format_exact(number: Mapping[str, Any]) -> str:
    """The decimal, followed by the exact fraction if there is one: `1.76 (1775/1008)`."""
    exact = number["exact"]
    return format_number(number["value"]) + (f" ({exact})" if exact and "/" in exact else "")
