# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the design with other networks on the same nodes: the better one per measure, and break-even prices.

The engine measures (`alternatives` and `comparison` of an evaluation document). This file picks the numbers for the
routing of the cluster, and describes them in sentences. A network with several routing schemes counts with the scheme
of the highest effective bisection bandwidth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...shared.errors import count
from ..numbers import DASH, format_number, format_rate

DESIGN = "design"
OURS = "this network"

#: Name of a measure in the engine (without the routing at its end) -> its description.
_WORDS = {
    "switches-traversed": "switches between two nodes",
    "nodes-between": "nodes that forward between two nodes",
    "pairwise": "bandwidth of a single pair",
    "across": "bandwidth between two halves",
    "effective": "effective bisection bandwidth",
    "phases": "time of an all-to-all in phases",
    "exposure-switch": "pairs lost in the worst switch failure",
    "exposure-cable": "pairs lost in the worst cable failure",
    "price": "price",
    "price-per-effective": "price per Gb/s of effective bisection bandwidth",
}
#: Name of a network in the engine -> how people read it, where that differs.
_NAMES = {DESIGN: OURS, "fnn": "flat neighborhood network"}
_PER_GBPS = "price-per-effective"
_ROUTINGS = ("basic", "advanced")


@dataclass(frozen=True)
class Network:
    """One network, or the design itself. Numbers are None where there is none.

    reason: why it cannot be built, "" where it can. pairwise, effective: in links. time: of an all-to-all in phases,
    in messages. lost: pairs cut off by the worst dead switch or cable. open_end: whether parts of it have no
    price. between: nodes that forward between two nodes; None where switches join all nodes.
    """

    name: str
    routing: str
    reason: str
    switches: float | None = None
    pairwise: float | None = None
    effective: float | None = None
    time: float | None = None
    lost: float | None = None
    price: float | None = None
    per_gbps: float | None = None
    open_end: bool = False
    between: float | None = None

    @property
    def title(self) -> str:
        return f"{self.name} ({self.routing})" if self.routing else self.name


@dataclass(frozen=True)
class MeasureResult:
    """The result of the design in one measure; the lists name networks."""

    words: str
    more_is_better: bool
    ours: float
    best: tuple[str, float]
    wins_over: Sequence[str]
    even_with: Sequence[str]
    loses_to: Sequence[str]


def list_networks(evaluation: Mapping[str, Any], routing: str) -> list[Network]:
    """The design and every alternative, once each. routing: "basic" or "advanced"."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in evaluation["alternatives"]:
        name = row["alternative"]
        if name not in best or _read_effective(row, routing) > _read_effective(best[name], routing):
            best[name] = row
    return [_read_network(row, routing) for row in best.values()]


def list_results(evaluation: Mapping[str, Any], routing: str) -> list[MeasureResult]:
    """Every measure that applies to this routing, in the engine's order; no prices where switches have none."""
    found = []
    for each in evaluation["comparison"]:
        stem, _, last = each["measure"].rpartition("-")
        if last in _ROUTINGS and last != routing:
            continue
        stem = stem if last in _ROUTINGS else each["measure"]
        if stem in ("price", _PER_GBPS) and not _has_prices(evaluation):
            continue
        found.append(
            MeasureResult(
                _WORDS.get(stem, f"throughput of each pair of {stem}"),
                each["better"] == "more",
                each["design"],
                (format_name(each["best"]["alternative"]), each["best"]["value"]),
                _name_all(each["wins_over"]),
                _name_all(each["even_with"]),
                _name_all(each["loses_to"]),
            )
        )
    return found


def describe_losses(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """A sentence for each measure in which some other network is better."""
    networks = list_networks(evaluation, routing) if _has_prices(evaluation) else []
    prices = {each.name: each.price for each in networks}
    return [_describe_loss(each, prices) for each in list_results(evaluation, routing) if each.loses_to]


def describe_worth(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """Sentences: the number of measures in which the design loses, what its price buys, and break-even prices."""
    results = list_results(evaluation, routing)
    networks = list_networks(evaluation, routing)
    if not any(each.wins_over or each.even_with or each.loses_to for each in results):
        return ["There is no other network to compare with."]
    lost = sum(bool(each.loses_to) for each in results)
    measures = count(len(results), "measure")
    # Both kinds of routing give the same where each pair has one path at a time.
    ours = "This network" if "topology" in evaluation else f"With {routing} routing this network"
    sentences = [f"{ours} is the best, or one of the best, in {len(results) - lost} of {measures}"]
    sentences[0] += f" and loses in {lost}." if lost else "; no other network is better in any of them."
    if not _has_prices(evaluation):
        what = "NICs and cables" if evaluation["alternatives"][0]["cost"].get("switches") == 0 else "switches"
        return [
            *sentences,
            f"Its value for money is unknown: {what} have no price. Set fnn_prices, or use a price list.",
        ]
    return [*sentences, _describe_affordable(results, networks), *_describe_prices(evaluation, routing)]


def format_comparison(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """The lines for a terminal: networks side by side, then the sentences."""
    networks = list_networks(evaluation, routing)
    forwards = networks[0].between is not None
    head = ["network", *(["nodes"] if forwards else []), "switches", "pairwise", "effective", "all-to-all", "lost"]
    rows = [[*head, "price", "per Gb/s"], *(_format_row(each, forwards) for each in networks if not each.reason)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(
            each.ljust(width) if not at else each.rjust(width) for at, (each, width) in enumerate(zip(row, widths))
        )
        for row in rows
    ]
    link = format_rate(evaluation["link_mbps"])
    prices = evaluation["prices"]
    notes = [
        *(["Nodes and switches: means of those between two nodes."] if forwards else []),
        f"Bandwidths in links of {link}; pairwise: one pair at a time; effective: bisection, per flow;",
        "all-to-all: in messages; lost: pairs if the worst switch or cable fails; per Gb/s of effective bisection"
        " bandwidth." + (" +: parts without a price." if any(each.open_end for each in networks) else ""),
        *([f"Prices in {prices['currency']} of {prices['name']}, {prices['date']}."] if prices else []),
    ]
    impossible = [f"{each.name} is not available: {each.reason}." for each in networks if each.reason]
    return [
        *lines,
        "",
        *notes,
        *impossible,
        "",
        *describe_losses(evaluation, routing),
        *describe_worth(evaluation, routing),
    ]


def format_name(row: str) -> str:
    """The name of a row for display: fat-tree/d-mod-k is "fat tree (d-mod-k)"."""
    name, _, routing = row.partition("/")
    words = _NAMES.get(name) or name.replace("-", " ")
    return f"{words} ({routing})" if routing else words


def format_price(price: float | None, open_end: bool) -> str:
    """The price as text, with a plus where parts have no price."""
    return format_number(price) + ("+" if price is not None and open_end else "")


def _has_prices(evaluation: Mapping[str, Any]) -> bool:
    """Whether prices can be compared: networks differ in their switches, so these must have a price."""
    cost = evaluation["alternatives"][0]["cost"]
    return bool(cost["price"]) and cost["price"]["total"] is not None and "switches" not in cost["unpriced"]


def _read_network(row: Mapping[str, Any], routing: str) -> Network:
    name = format_name(row["alternative"])
    reason = "" if row["possible"] else row["reason"] or "not available"
    if row["ebb"] is None:
        return Network(name, row["routing"] or "", reason or row["reason"] or "not measured")
    unpriced = (row["cost"] or {"unpriced": []})["unpriced"]
    # A total without the price of the switches would be misleading.
    priced = row["cost"] if "switches" not in unpriced else None
    return Network(
        name,
        row["routing"] or "",
        reason,
        _read(row, "switches_traversed", "mean", "value"),
        _read(row, "pairwise", "mean", "value"),
        _read_effective(row, routing),
        _read(row, "aapc", routing, "time"),
        _read_lost(row),
        _read(priced, "price", "total"),
        _read(priced, "per_gbps", f"effective_{routing}"),
        bool(unpriced),
        _read(row, "nodes_between", "mean", "value"),
    )


def _read_lost(row: Mapping[str, Any]) -> float | None:
    lost = [_read(row, "exposure", part, "max") for part in ("switch", "cable")]
    return max((each for each in lost if each is not None), default=None)


def _read(row: Mapping[str, Any] | None, *keys: str) -> float | None:
    """The number under these keys; None where one has no value, such as a measure that takes too long."""
    found: Any = row
    for key in keys:
        found = found and found[key]
    return None if found is None else float(found)


def _read_effective(row: Mapping[str, Any], routing: str) -> float:
    return float(row["ebb"][routing]["uni"]["mean"]) if row["ebb"] else 0.0


def _format_row(network: Network, forwards: bool) -> list[str]:
    between = [network.between or 0.0] if forwards else []
    numbers = (*between, network.switches, network.pairwise, network.effective, network.time, network.lost)
    prices = (format_price(network.price, network.open_end), format_price(network.per_gbps, network.open_end))
    return [network.title, *map(format_number, numbers), *prices]


def _name_all(rows: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(format_name(each.partition("/")[0]) for each in rows))


def _describe_loss(result: MeasureResult, prices: Mapping[str, float | None]) -> str:
    name, value = result.best
    network = name.partition(" (")[0]
    others = [each for each in result.loses_to if each != network]
    more = f", and to {_join(others)}" if others else ""
    price = (
        f" (for {format_number(prices[network])})" if prices.get(network) and result.words != _WORDS["price"] else ""
    )
    numbers = f"{format_number(result.ours)} against {format_number(value)}"
    return f"It loses in {result.words} to {name}{price}, {numbers}{more}."


def _describe_affordable(results: Sequence[MeasureResult], networks: Sequence[Network]) -> str:
    """The measures besides prices in which no network of the same or a lower price is better."""
    ours = networks[0].price or 0.0
    cheap = {each.name for each in networks[1:] if not each.reason and each.price is not None and each.price <= ours}
    about = [each for each in results if each.words not in (_WORDS["price"], _WORDS[_PER_GBPS])]
    better = [each.words for each in about if not cheap.intersection(each.loses_to)]
    price = f"At its price of {format_number(ours)} or less"
    return (
        f"{price}, no network is better in: {'; '.join(better)}."
        if better
        else f"{price}, some network is better in every other measure."
    )


def _describe_prices(evaluation: Mapping[str, Any], routing: str) -> Iterator[str]:
    """Break-even prices of the networks that are cheaper per Gb/s; if there is none, that of the closest network."""
    results = [each for each in evaluation["comparison"] if each["measure"] == f"{_PER_GBPS}-{routing}"]
    if not results:
        yield "Its value for money is unknown: prices are missing (fnn_prices)."
        return
    rows = {_find_name(row): row for row in evaluation["alternatives"]}
    yield from _describe_impossible(rows.values(), routing)
    cheaper = [rows[name] for name in results[0]["loses_to"] if name in rows]
    if cheaper:
        yield from (_describe_even(row, routing) for row in _pick_cheapest(cheaper, routing))
        return
    beaten = [rows[name] for name in results[0]["wins_over"] if name in rows and _read_even(rows[name], routing)]
    if beaten:
        nearest = min(beaten, key=lambda row: float(row["cost"]["per_gbps"][f"effective_{routing}"]))
        even = _read_even(nearest, routing)
        total = format_number(even["alternative"]["total"]) if even else DASH
        own = format_number(nearest["cost"]["price"]["total"])
        name = format_name(_find_name(nearest))
        yield (
            "It is the cheapest per Gb/s of effective bisection bandwidth;"
            f" {name} would cost as much at a total of {total} instead of {own}."
        )


def _describe_impossible(rows: Iterable[Mapping[str, Any]], routing: str) -> Iterator[str]:
    """The break-even price of a switch that is not on the market or in no price list."""
    for row in rows:
        even = None if row["possible"] else _read_even(row, routing)
        if even and even["alternative"]["switch"] is not None and len(row["parts"]["switches"]) == 1:
            (switch,) = row["parts"]["switches"]
            price, ports = format_number(even["alternative"]["switch"]), switch["ports"]
            wins = f"this network wins while a switch of {ports} ports costs more than {price}"
            if even["alternative"]["switch"] == 0:
                wins = f"this network wins at any price of a switch of {ports} ports"
            yield f"Against {format_name(_find_name(row))}, which has no price here, {wins}."


def _pick_cheapest(rows: Sequence[Mapping[str, Any]], routing: str) -> list[Mapping[str, Any]]:
    """The routing of each alternative that is cheapest per Gb/s."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in sorted(rows, key=lambda each: float(each["cost"]["per_gbps"][f"effective_{routing}"])):
        best.setdefault(row["alternative"], row)
    return list(best.values())


def _describe_even(row: Mapping[str, Any], routing: str) -> str:
    name = format_name(_find_name(row))
    price = format_number(row["cost"]["per_gbps"][f"effective_{routing}"])
    even = _read_even(row, routing)
    sentence = f"A Gb/s of effective bisection bandwidth costs less with {name}: {price}."
    if not even or even["design"]["total"] is None:
        return f"{sentence} No price of this network would change that."
    parts = [("switches", even["design"]["switch"]), ("NICs", even["design"]["nic"])]
    ways = [f"with {what} under {format_number(each)} each" for what, each in parts if each is not None]
    theirs = even["alternative"]["total"]
    other = f", or if {name} cost more than {format_number(theirs)}" if theirs is not None else ""
    how = f" ({' or '.join(ways)})" if ways else ""
    return f"{sentence} This network would win at a total below {format_number(even['design']['total'])}{how}{other}."


def _read_even(row: Mapping[str, Any], routing: str) -> Mapping[str, Any] | None:
    even: Mapping[str, Any] | None = row["even_at"]
    return even and even[routing]


def _find_name(row: Mapping[str, Any]) -> str:
    """The name of a row in `comparison`."""
    return str(row["alternative"]) + (f"/{row['routing']}" if row["routing"] else "")


def _join(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
