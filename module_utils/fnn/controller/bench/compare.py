# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a benchmark with an earlier one: what became faster or slower, beyond chance and beyond what matters.

The ratio of two medians has an interval without assumptions on the distributions (Price and Bonett, *Distribution-free
confidence intervals for difference and ratio of medians*, Journal of Statistical Computation and Simulation 72, 2002):
ln(ratio) plus and minus z times the root of the sum of both variances, where the variance of the logarithm of a median
follows from two order statistics around it.

A change is stated if it is significantly greater than the margin of 5 %, after Holm's correction for the number of
cells. Samples of one run do not contain what differs from run to run, such as the paths that connections got; that is
what the margin is for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import Any

from ...shared.errors import count, problem
from ..numbers import format_number, round_digits
from ..verify.words import name_some
from .cell_names import KEYS, identify_cell, name_cell
from .fabric import FULL_SPEED
from .flows import combine
from .groups import IN, OUT
from .rank_sum import LEVEL, correct
from .statistics import CONFIDENCE, find_quantile, find_tail
from .suspects import RATE_MARGIN

Document = Mapping[str, Any]
VERSION = 1
FASTER, SLOWER = "faster", "slower"
#: Samples that an interval needs.
_LEAST = 5
#: Changes that the text lists.
_MOST_LINES = 10


@dataclass(frozen=True)
class Ratio:
    """The ratio of two medians. p: probability that it is within the margin; None where there are too few samples."""

    value: float
    low: float | None = None
    high: float | None = None
    p: float | None = None


def compare_runs(before: Document, now: Document) -> dict[str, Any]:
    """The comparison of two benchmarks (format "fnn-bench-comparison"). Raises FnnError for another cluster."""
    if before["cluster"] != now["cluster"]:
        raise problem("/cluster", f"the earlier run is of {before['cluster']}, this one of {now['cluster']}")
    cells, legs = _compare_cells(before, now), _compare_legs(before, now)
    known = [{identify_cell(each) for each in run["cells"] if each["n"]} for run in (before, now)]
    document: dict[str, Any] = {
        "format": "fnn-bench-comparison",
        "version": VERSION,
        "cluster": now["cluster"],
        "before": _identify(before),
        "now": _identify(now),
        "differences": list(_list_differences(before, now)),
        "margin": RATE_MARGIN,
        "confidence": CONFIDENCE,
        "cells": cells,
        "legs": legs,
        "only_before": len(known[0] - known[1]),
        "only_now": len(known[1] - known[0]),
    }
    return {**document, "lines": list(_list_lines(document))}


def summarize_comparison(comparison: Document) -> list[str]:
    """How much has changed, and what else differs."""
    cells, legs = comparison["cells"], comparison["legs"]
    changes = sum(1 for each in (*cells, *legs) if each["change"])
    headline = (
        f"Beside the run of {comparison['before']['date']}: {count(changes, 'change')} of more than"
        f" {format_number(100 * RATE_MARGIN)} % in {count(len(cells), 'cell')} and {count(len(legs), 'leg')}."
    )
    before, now = comparison["only_before"], comparison["only_now"]
    apart = [f"Not compared: {before} cells of the earlier run, {now} of this one."] if before or now else []
    return [headline, *apart, *(f"Also different: {each}" for each in comparison["differences"])]


def find_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Ratio:
    """The ratio of the medians of positive samples."""
    middles = [find_quantile(sorted(each), 0.5) for each in (numerator, denominator)]
    value = middles[0] / middles[1]
    if min(len(numerator), len(denominator)) < _LEAST:
        return Ratio(value)
    deviation = math.sqrt(_find_variance(numerator) + _find_variance(denominator))
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * deviation
    beyond = abs(math.log(value)) + math.log(1 - RATE_MARGIN)
    z = beyond / deviation if deviation else math.copysign(math.inf, beyond)
    return Ratio(value, value * math.exp(-reach), value * math.exp(reach), find_tail(z))


def _find_variance(samples: Sequence[float]) -> float:
    """The variance of the logarithm of the median."""
    n, ordered = len(samples), sorted(samples)
    place = max(1, round((n + 1) / 2 - math.sqrt(n)))
    outside = sum(math.comb(n, below) for below in range(place)) / 2 ** (n - 1)
    z = NormalDist().inv_cdf(1 - outside / 2)
    return ((math.log(ordered[-place]) - math.log(ordered[place - 1])) / (2 * z)) ** 2


def _compare_cells(before: Document, now: Document) -> list[dict[str, Any]]:
    earlier = {identify_cell(each): each for each in before["cells"]}
    found = []
    for cell in now["cells"]:
        other = earlier.get(identify_cell(cell))
        if other and cell["median_s"] and other["median_s"]:
            names = {key: cell[key] for key in KEYS if key in cell}
            seconds = {"before_s": other["median_s"], "now_s": cell["median_s"]}
            found.append(({**names, **seconds}, find_ratio(_list_samples(other), _list_samples(cell))))
    return _judge(found)


def _compare_legs(before: Document, now: Document) -> list[dict[str, Any]]:
    """Compares the shares of the expected rate of all tests of a leg, one direction at a time."""
    earlier = {_identify_leg(each): each for each in before["legs"]}
    found = []
    both = [(leg, earlier[key]) for leg in now["legs"] if (key := _identify_leg(leg)) in earlier]
    for (leg, other), direction in product(both, (OUT, IN)):
        ratios, former = ([value for value in each[direction]["samples"] if value > 0] for each in (leg, other))
        if ratios and former:
            middles = {"before": find_quantile(sorted(former), 0.5), "now": find_quantile(sorted(ratios), 0.5)}
            names = {key: leg[key] for key in ("node", "device", "switch")} | {"direction": direction}
            found.append(({**names, **middles}, find_ratio(ratios, former)))
    return _judge(found)


def _identify_leg(leg: Document) -> tuple[str, str, str]:
    return leg["node"], leg["device"], leg["switch"]


def _list_samples(cell: Document) -> list[float]:
    return [each for each in combine(cell["kind"], cell["samples"])[cell["cut"] :] if each > 0]


def _judge(found: Sequence[tuple[dict[str, Any], Ratio]]) -> list[dict[str, Any]]:
    """Entries with their ratios, the corrected p and the change."""
    tested = [ratio.p for _, ratio in found if ratio.p is not None]
    corrected = iter(correct(tested))
    entries = []
    for names, ratio in found:
        p = None if ratio.p is None else next(corrected)
        change = None if p is None or p > LEVEL else FASTER if ratio.value > 1 else SLOWER
        numbers = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high, "p": p}
        rounded = {key: round_digits(value) for key, value in numbers.items()}
        entries.append({**names, **rounded, "change": change})
    return entries


def _identify(run: Document) -> dict[str, Any]:
    kept = {"date": run["run"]["date"], "routing": run["run"]["routing"]}
    return {**kept, "design_digest": run["design_digest"], "verdict": run["verdict"]}


def _list_differences(before: Document, now: Document) -> Iterator[str]:
    """Other differences between the runs, which could also explain a change."""
    if before["design_digest"] != now["design_digest"]:
        yield "the design has changed"
    one, other = before["run"], now["run"]
    for key, words in (("routing", "network"), ("kind", "routing"), ("iperf3", "iperf3")):
        if one[key] != other[key]:
            yield f"{words}: {one[key]} before, {other[key]} now"
    if one["weights"] != other["weights"]:
        yield "equal parts before, weights now" if other["weights"] else "weights before, equal parts now"
    percents = [run.get("speed_percent", FULL_SPEED) for run in (one, other)]
    if percents[0] != percents[1]:
        yield "cables of the lab: {:g} % of their speed before, {:g} % now".format(*percents)
    for name in sorted({*one["mpi"], *other["mpi"]}):
        if one["mpi"].get(name) != other["mpi"].get(name):
            yield f"{name}: {one['mpi'].get(name, 'none')} before, {other['mpi'].get(name, 'none')} now"
    changed = [node for node, release in other["kernel"].items() if one["kernel"].get(node, release) != release]
    if changed:
        yield f"another kernel on {name_some(changed, ', ')}"
    away = name_some([node for node in one["nodes"] if node not in other["nodes"]], ", ")
    added = name_some([node for node in other["nodes"] if node not in one["nodes"]], ", ")
    if away or added:
        yield f"nodes: {away or 'none'} removed, {added or 'none'} added"
    speeds, earlier = _list_nics(other), _list_nics(one)
    if changed := [name for name, nic in speeds.items() if earlier.get(name, nic) != nic]:
        yield f"another driver or link speed of {name_some(changed, ', ')}"


def _list_nics(run: Document) -> dict[str, Any]:
    return {f"{node} {nic}": facts for node, nics in run.get("nics", {}).items() for nic, facts in nics.items()}


def _list_lines(document: Document) -> Iterator[str]:
    """The comparison as text, the greatest change first."""
    headline, *rest = summarize_comparison(document)
    yield headline
    changes = [(each, name_cell(each)) for each in document["cells"] if each["change"]]
    changes += [(each, _name_leg(each)) for each in document["legs"] if each["change"]]
    changes.sort(key=lambda each: -abs(math.log(each[0]["ratio"])))
    for each, name in changes[:_MOST_LINES]:
        interval = f"{format_number(each['low'])} to {format_number(each['high'])}"
        yield f"  {each['change']}: {name}: {format_number(each['ratio'])} times the rate ({interval})"
    if len(changes) > _MOST_LINES:
        yield f"  and {len(changes) - _MOST_LINES} more"
    yield from (f"  {each}" for each in rest)


def _name_leg(leg: Document) -> str:
    way = {OUT: "sends", IN: "receives"}[leg["direction"]]
    return f"{leg['node']} {leg['device']} on {leg['switch']} {way}"
