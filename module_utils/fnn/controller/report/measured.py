# SPDX-License-Identifier: GPL-3.0-or-later
"""What the network delivered in a benchmark (format "fnn-bench"), beside predictions, a tree and an earlier run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..bench.cell_names import KEYS, name_cell, shorten_cell
from ..bench.compare import summarize_comparison
from ..bench.show import show_bench
from ..numbers import format_number, format_share, round_digits
from .bandwidth import group_histogram
from .charts import Axis, Series, draw_bars, draw_columns
from .figure import Cell, Figure, Section, Table
from .measured_rates import show_phases, show_sizes, show_together

Document = Mapping[str, Any]
#: Pairs and changes in a table.
_MOST_ROWS = 12
_MOST_BINS = 8
_ABOUT_RATES = "Rates are payload in Mb/s that a rank sends, medians of samples."


def show_measured(bench: Document | None, tree: Document | None, comparison: Document | None) -> Iterator[Section]:
    """No section before the network is measured. tree: the same wiring with all traffic over the uplink tree."""
    if bench is None:
        return
    figures = [
        *_show_suspects(bench),
        *_show_histogram(bench),
        *show_phases(bench),
        *_show_programs(bench),
        *_show_predictions(bench),
        *show_sizes(bench, tree),
        *show_together(bench, tree),
        *_show_slowest(bench),
        *_show_comparison(comparison),
    ]
    answer = [line for line in show_bench(bench) if not line.startswith(" ")]
    run = bench["run"]
    mpis = " and ".join(f"{name} {release}" for name, release in run["mpi"].items())
    identity = (
        f"Measured {run['date'][:10]} on {format_number(len(run['nodes']))} nodes{f' with {mpis}' if mpis else ''}."
    )
    yield Section("measured", "Measured", [identity, *answer, _ABOUT_RATES], figures)


def _show_suspects(bench: Document) -> Iterator[Figure]:
    rows: list[list[Cell]] = [
        [at, each["name"], each["says"], each["do"], _format_chance(each["p"])]
        for at, each in enumerate(bench["suspects"], start=1)
    ]
    if rows:
        words = "Parts whose tests are slower than all others, by a test of significance."
        columns = ["step", "part", "measured", "what to do", "by chance"]
        yield Figure("suspects", "What is to blame", words, Table(columns, rows), wide=True)


def _show_histogram(bench: Document) -> Iterator[Figure]:
    """All pair tests by their share of the link rate: a bad part makes a second hill."""
    if not bench["histogram"]:
        return
    bins = group_histogram({100 * float(share): number for share, number in bench["histogram"].items()}, _MOST_BINS)
    title = "Every pair on every switch"
    svg = draw_columns(
        [each[0] for each in bins],
        [Series("tests", [each[3] for each in bins])],
        ("percent of the link rate", "tests"),
        title,
    )
    share = format_share(bench["rules"]["payload_share"])
    words = (
        f"Payload of each pair test by its share of the link rate; TCP can get {share}. Bad parts make a second hill."
    )
    rows: list[list[Cell]] = [[round(start, 1), round(end, 1), number] for _, start, end, number in bins]
    yield Figure("route-histogram", title, words, Table(["from percent", "to percent", "tests"], rows), svg)


def _show_slowest(bench: Document) -> Iterator[Figure]:
    pairs = sorted(bench["pairs"], key=lambda each: each["ratio"])[:_MOST_ROWS]
    rows: list[list[Cell]] = [
        [
            *(f"{each[side]} {each[f'{side}_nic']}" for side in ("from", "to")),
            each["switch"],
            each["mbps"],
            round(100 * each["ratio"], 1),
            None if each["loss"] is None else round(100 * each["loss"], 3),
        ]
        for each in pairs
    ]
    if rows:
        words = "Medians of their tests, one direction each."
        columns = ["from", "to", "switch", "Mb/s", "percent of the link", "percent lost"]
        yield Figure("slowest-pairs", "The slowest pairs", words, Table(columns, rows), wide=True)


def _show_predictions(bench: Document) -> Iterator[Figure]:
    """Predicted beside measured, of the largest messages of each kind and group."""
    largest: dict[tuple[Any, ...], Document] = {}
    for each in bench["cells"]:
        if each["agrees"] is not None and each["mbps"]:
            key = tuple(each.get(name) for name in KEYS if name != "bytes")
            if key not in largest or each["bytes"] > largest[key]["bytes"]:
                largest[key] = each
    first = next(iter(bench["run"]["mpi"]), None)
    shown = [each for each in largest.values() if each["mpi"] == first]
    if not shown:
        return
    title = "Predicted beside measured"
    predicted = [each["mbps"] / each["ratio"] for each in shown]
    names = [shorten_cell(each) for each in shown]
    svg = draw_bars(
        names,
        [Series("predicted", predicted), Series("measured", [each["mbps"] for each in shown])],
        Axis("Mb/s of payload per rank"),
        title,
    )
    rows: list[list[Cell]] = [
        [
            name_cell(each),
            round_digits(each["mbps"] / each["ratio"]),
            *(each[key] for key in ("mbps", "mbps_low", "mbps_high")),
            round(100 * each["ratio"], 1),
            "yes" if each["agrees"] else each["cause"],
        ]
        for each in largest.values()
    ]
    words = (
        "The largest messages of each kind and group, of one group alone or all at once. Predicted from the paths of"
        " all messages, with the rate of a single flow as the unit. Both agree if they differ by at most 5 %; else the"
        " cause is what was measured beside it."
    )
    columns = ["cell", "predicted, Mb/s", "measured, Mb/s", "low", "high", "percent", "agrees"]
    yield Figure("predicted-measured", title, words, Table(columns, rows), svg)


def _format_chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _show_comparison(comparison: Document | None) -> Iterator[Figure]:
    if comparison is None:
        return
    cells = [(name_cell(each), each) for each in comparison["cells"]]
    legs = [
        (f"{each['node']} {each['device']} on {each['switch']}, {each['direction']}", each)
        for each in comparison["legs"]
    ]
    changed = [(name, each) for name, each in (*cells, *legs) if each["change"]]
    apart = sorted(changed or cells, key=lambda pair: min(pair[1]["ratio"], 1 / pair[1]["ratio"]))[:_MOST_ROWS]
    rows: list[list[Cell]] = [
        [name, each["ratio"], each["low"], each["high"], each["change"] or "no significant change"]
        for name, each in apart
    ]
    if rows:
        words = " ".join(each.rstrip(".") + "." for each in summarize_comparison(comparison))
        columns = ["cell or leg", "times the rate before", "low", "high", "change"]
        yield Figure("earlier-run", "Beside an earlier run", words, Table(columns, rows), wide=True)


def _show_programs(bench: Document) -> Iterator[Figure]:
    rows: list[list[Cell]] = [
        [each["program"], each["mpi"], value["name"], value["value"], value["unit"]]
        for each in bench["programs"]
        for value in each["values"]
    ]
    if rows:
        columns = ["program", "MPI", "result", "value", "unit"]
        yield Figure("programs", "Other benchmarks", "As they report.", Table(columns, rows))
