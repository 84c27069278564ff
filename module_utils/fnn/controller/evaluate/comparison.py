# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the design with other networks on the same nodes: the numbers of each, and the better one per measure.

Fabrics are compared: the NICs, switches and cables that join nodes. A design may have an uplink switch, spares and
hosts beside its fabric, and other networks have none, so the price of the fabric is not that of the network.

The engine measures (`alternatives` and `comparison` of an evaluation document). This file picks the numbers for the
routing of the cluster; worth.py describes them in sentences. A network with several routing schemes counts with the
scheme of the highest effective bisection bandwidth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..numbers import find_gbps, format_number, name_currency

DESIGN = "design"
OURS = "this network"
OTHER_ROUTING = {"basic": "advanced", "advanced": "basic"}
GBPS = "Gb/s"

#: Name of a measure in the engine (without the routing at its end) -> its description.
WORDS = {
    "switches-traversed": "switches between two nodes",
    "nodes-between": "nodes that forward between two nodes",
    "pairwise": "bandwidth of a single pair",
    "across": "bandwidth between two halves",
    "effective": "effective bisection bandwidth",
    "phases": "time of an all-to-all in phases",
    "exposure-switch": "pairs lost in the worst switch failure",
    "exposure-cable": "pairs lost in the worst cable failure",
    "fabric-price": "price of the fabric",
    "fabric-price-per-effective": "price of the fabric per Gb/s of effective bisection",
}
#: Name of a measure -> the unit of its values; counts have none. Prices are in the currency of the evaluation.
UNITS = {"pairwise": GBPS, "across": GBPS, "effective": GBPS, "phases": "messages"}
#: Name of a network in the engine -> how people read it, where that differs.
_NAMES = {DESIGN: OURS, "fnn": "flat neighborhood network"}
PRICE, PER_GBPS = "fabric-price", "fabric-price-per-effective"
_ROUTINGS = ("basic", "advanced")


@dataclass(frozen=True)
class Network:
    """One network, or the design itself. Numbers are None where there is none.

    reason: why it cannot be built, "" where it can. pairwise, effective: in Gb/s; effective counts random pairs that
    send both ways at once. time: of an all-to-all in phases, in messages. lost: pairs that the worst dead switch loses
    or cable. price, per_gbps: of the fabric. open_end: whether parts of it have no price. between: nodes that forward
    between two nodes; None where switches join all nodes.
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
    """The result of the design in one measure; the lists name networks. unit: "" for a count."""

    words: str
    unit: str
    more_is_better: bool
    ours: float
    best: tuple[str, float]
    wins_over: Sequence[str]
    even_with: Sequence[str]
    loses_to: Sequence[str]

    @property
    def quantity(self) -> str:
        """The measure with its unit: bandwidth of a single pair, Gb/s."""
        return f"{self.words}, {self.unit}" if self.unit else self.words


def name_quantity(measure: str, currency: str | None = None) -> str:
    """A measure with its unit, as in MeasureResult.quantity."""
    unit = name_currency(currency) if measure in (PRICE, PER_GBPS) else UNITS.get(measure)
    return f"{WORDS[measure]}, {unit}" if unit else WORDS[measure]


def number_repeated(names: Sequence[str]) -> list[str]:
    """Names that occur several times get their place among equals: torus, ring, torus are torus 1, ring, torus 2."""
    places: Counter[str] = Counter()
    apart = []
    for name in names:
        places[name] += 1
        apart.append(f"{name} {places[name]}" if names.count(name) > 1 else name)
    return apart


def list_networks(evaluation: Mapping[str, Any], routing: str) -> list[Network]:
    """The design and every alternative, once each. routing: "basic" or "advanced"."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in evaluation["alternatives"]:
        name = row["alternative"]
        if name not in best or _read_effective(row, routing) > _read_effective(best[name], routing):
            best[name] = row
    return [_read_network(row, routing, evaluation["link_mbps"]) for row in best.values()]


def list_results(evaluation: Mapping[str, Any], routing: str) -> list[MeasureResult]:
    """Every measure that applies to this routing, in the engine's order; no prices where switches have none."""
    chosen = [(stem, each) for each in evaluation["comparison"] if (stem := _read_stem(each["measure"], routing))]
    chosen = [(stem, each) for stem, each in chosen if stem not in (PRICE, PER_GBPS) or has_prices(evaluation)]
    words = number_repeated([WORDS.get(stem, f"throughput of each pair of {stem}") for stem, _ in chosen])
    return [_read_result(name, stem, each, evaluation) for name, (stem, each) in zip(words, chosen)]


def _read_result(name: str, stem: str, row: Mapping[str, Any], evaluation: Mapping[str, Any]) -> MeasureResult:
    """One row of `comparison`, with bandwidths in Gb/s instead of links."""
    currency, link = name_currency(evaluation["currency"]), evaluation["link_mbps"]
    unit = currency if stem in (PRICE, PER_GBPS) else UNITS.get(stem, "" if stem in WORDS else GBPS)
    ours, best = (find_gbps(v, link) if unit == GBPS else v for v in (row["design"], row["best"]["value"]))
    others = (_name_all(row[key]) for key in ("wins_over", "even_with", "loses_to"))
    return MeasureResult(
        name, unit, row["better"] == "more", ours, (format_name(row["best"]["alternative"]), best), *others
    )


def _read_stem(measure: str, routing: str) -> str:
    """The name of a measure without the routing at its end; "" for one of the other routing."""
    stem, _, last = measure.rpartition("-")
    if last not in _ROUTINGS:
        return measure
    return stem if last == routing else ""


def format_name(row: str) -> str:
    """The name of a row for display: fat-tree/d-mod-k is "fat tree (d-mod-k)"."""
    name, _, routing = row.partition("/")
    words = _NAMES.get(name) or name.replace("-", " ")
    return f"{words} ({routing})" if routing else words


def format_price(price: float | None, open_end: bool) -> str:
    """The price as text, with a plus where parts have no price."""
    return format_number(price) + ("+" if price is not None and open_end else "")


def describe_common_nics(spec: Mapping[str, Any]) -> list[str]:
    """A sentence where nodes differ: other networks are built of the NICs that every node has."""
    kinds = {tuple(sorted(nic["speed_mbps"] for nic in node["nics"])) for node in spec["nodes"]}
    words = "The nodes differ: other networks count only NICs and speeds that all nodes have, and may be faster."
    return [words] if len(kinds) > 1 else []


def has_prices(evaluation: Mapping[str, Any]) -> bool:
    """Whether prices can be compared: networks differ in their switches, so these must have a price."""
    cost = evaluation["alternatives"][0]["fabric_cost"]
    return bool(cost["price"]) and cost["price"]["total"] is not None and "switches" not in cost["unpriced"]


def _read_network(row: Mapping[str, Any], routing: str, link_mbps: int) -> Network:
    name = format_name(row["alternative"])
    reason = "" if row["possible"] else row["reason"] or "not available"
    if row["ebb"] is None:
        return Network(name, row["routing"] or "", reason or row["reason"] or "not measured")
    unpriced = (row["fabric_cost"] or {"unpriced": []})["unpriced"]
    # A total without the price of the switches would be misleading.
    priced = row["fabric_cost"] if "switches" not in unpriced else None
    return Network(
        name,
        row["routing"] or "",
        reason,
        _read(row, "switches_traversed", "mean", "value"),
        find_gbps(row["pairwise"]["mean"], link_mbps),
        find_gbps(_read_effective(row, routing), link_mbps),
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
    return float(row["ebb"][routing]["sym"]["mean"]) if row["ebb"] else 0.0


def _name_all(rows: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(format_name(each.partition("/")[0]) for each in rows))
