# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the networks of an evaluation: price, effective bandwidth, worst case and exposure of each.

All numbers are those of the engine, in Mb/s instead of links. The *worst case* is the rate of the slowest flow of any
permutation, in which every node sends to one other and receives from one other. It is proved for designs, and for
networks in which no two flows of a permutation meet. Of other networks the engine tries some permutations: random pairs
that exchange, all shifts, and those of three collective operations. The slowest flow of these is an upper bound.

A network with several routing schemes counts with the one of the highest effective bisection bandwidth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

FNN = "fnn"
#: Networks that use one NIC of each node, that use several, and that have no switches: names of the engine.
SINGLE = ("one-switch", "faster-switch", "two-switches", "uplink-tree", "tree", "clos", "fat-tree")
BUNDLED = ("rails", "bonded-tree", "planes")
SWITCHLESS = ("ring", "cut-ring", "bonded-ring", "star", "mesh", "grid")
#: All of them, in the order of documents.
ORDER = (FNN, *SINGLE, *BUNDLED, *SWITCHLESS)

#: What forwards the frames: switches with one path to each node (or nothing does), switches that use several paths, or
#: nodes.
PLAIN, MULTIPATH, NODES = "plain-switches", "multipath-switches", "nodes"
_MULTIPATH = ("clos", "fat-tree", "planes")
#: Patterns in which no node sends or receives more than one flow at a time.
_PERMUTATIONS = ("binomial-tree", "dissemination", "recursive-doubling")
_PARTS = ("nics", "cables", "switches")


@dataclass(frozen=True)
class Network:
    """One network; numbers are None where there is none.

    nics: of each node, for this network. mbps: of a NIC. media: its socket. groups: ports of each node in words, where
    it uses several kinds. reason: why it cannot be built, "" where it can. switches: {"count", "ports", "price"} of
    each model. unpriced: the parts without a price. effective: bisection bandwidth of a node, in Mb/s. worst: of a
    flow, in Mb/s. proved: whether it is exact. lost: pairs that the worst dead part of each kind loses. purchases: what
    to buy (purchases.py).
    """

    kind: str
    nics: int
    mbps: int
    forwarding: str
    reason: str = ""
    routing: str | None = None
    switches: tuple[Mapping[str, Any], ...] = ()
    pieces: Mapping[str, int] | None = None
    prices: Mapping[str, float] | None = None
    unpriced: tuple[str, ...] = ()
    price: float | None = None
    per_gbps: float | None = None
    pairwise: float | None = None
    effective: float | None = None
    worst: float | None = None
    proved: bool = False
    all_to_all: float | None = None
    lost: Mapping[str, int | None] | None = None
    media: str | None = None
    groups: str | None = None
    purchases: tuple[Mapping[str, Any], ...] = ()

    def refuse(self, reason: str) -> Network:
        """The same network, which cannot be built for this reason."""
        return replace(self, reason=reason)


def read_design(evaluation: Mapping[str, Any], nics: int, mbps: int, routing: str) -> Network:
    """The design of an evaluation, as a flat neighborhood network."""
    network = _read_row(evaluation["alternatives"][0], evaluation, nics, mbps, routing)
    permutation = evaluation["worst_case"]["permutation"]
    exact = permutation and permutation[routing]
    worst = exact["value"] * evaluation["link_mbps"] if exact else network.worst
    return replace(network, kind=FNN, worst=worst, proved=bool(exact))


def read_alternatives(evaluation: Mapping[str, Any], nics: int, mbps: int, routing: str) -> list[Network]:
    """The other networks of an evaluation, each once. nics: of the nodes of its design."""
    best: dict[str, Network] = {}
    for row in evaluation["alternatives"][1:]:
        network = _read_row(row, evaluation, nics, mbps, routing)
        known = best.get(network.kind)
        if known is None or (network.effective or 0.0) > (known.effective or 0.0):
            best[network.kind] = network
    return [_require_ports(each, evaluation["nodes"], nics) for each in best.values()]


def count_ports(kind: str, nodes: int) -> int:
    """The most cables of any node in a network without switches."""
    if kind in ("star", "mesh"):
        return nodes - 1
    if kind != "grid":
        return 2
    columns = next(each for each in range(1, nodes + 1) if each * each >= nodes)
    rows = -(-nodes // columns)
    return min(2, columns - 1) + min(2, rows - 1)


def _require_ports(network: Network, nodes: int, nics: int) -> Network:
    """The engine lets a node have several NICs with several ports each; here `nics` counts its ports."""
    needed = count_ports(network.kind, nodes) if network.kind in SWITCHLESS else 0
    return network.refuse(f"a node would need {needed} ports, and has {nics}") if needed > nics else network


def _read_row(row: Mapping[str, Any], evaluation: Mapping[str, Any], nics: int, mbps: int, routing: str) -> Network:
    kind = row["alternative"]
    network = Network(
        kind,
        _count_nics(kind, evaluation["nodes"], nics),
        row["parts"]["link_mbps"] if row["parts"] else mbps,
        _name_forwarding(row, evaluation["nodes"]),
        "" if row["possible"] else row["reason"] or "not available",
        row["routing"],
    )
    if row["ebb"] is None:
        return network if network.reason else network.refuse(row["reason"] or "not measured")
    link, cost = evaluation["link_mbps"], row["fabric_cost"]
    worst, proved = _find_worst(row, routing)
    return replace(
        network,
        switches=tuple(row["parts"]["switches"]),
        pieces={part: cost[part] for part in _PARTS},
        prices=cost["price"],
        unpriced=tuple(cost["unpriced"]),
        price=cost["price"] and cost["price"]["total"],
        per_gbps=cost["per_gbps"] and cost["per_gbps"][f"effective_{routing}"],
        pairwise=row["pairwise"]["mean"]["value"] * link,
        effective=row["ebb"][routing]["sym"]["mean"] * link,
        worst=worst * link,
        proved=proved or _is_direct(row, evaluation["nodes"]),
        all_to_all=_read_all_to_all(row["saturation"], routing, link),
        lost={part: found and found["max"] for part, found in row["exposure"].items()},
    )


def _count_nics(kind: str, nodes: int, nics: int) -> int:
    """The NICs that this network uses of each node, or of the node with the most cables. nics: those that it has."""
    if kind in SWITCHLESS:
        return count_ports(kind, nodes)
    return 1 if kind in SINGLE else nics


def _name_forwarding(row: Mapping[str, Any], nodes: int) -> str:
    kind = row["alternative"]
    if kind in SWITCHLESS:
        return PLAIN if _is_direct(row, nodes) else NODES
    trunk = row["fabric_cost"]["cables"] - nodes if kind == "two-switches" and row["fabric_cost"] else 1
    return MULTIPATH if kind in _MULTIPATH or trunk > 1 else PLAIN


def _is_direct(row: Mapping[str, Any], nodes: int) -> bool:
    """Whether every two nodes have a cable of their own, so that none forwards: a mesh, or a ring of three."""
    cables = row["fabric_cost"]["cables"] if row["fabric_cost"] else 0
    return row["alternative"] in ("ring", "star", "mesh") and cables >= nodes * (nodes - 1) // 2


def _find_worst(row: Mapping[str, Any], routing: str) -> tuple[float, bool]:
    """The slowest flow of any permutation in links, and whether it is proved."""
    random = row["ebb"][routing]["sym"]
    if random["exact"] is not None and row["pairwise"]["min"]["value"] == row["pairwise"]["mean"]["value"]:
        return random["mean"], True
    tried = [random["mean"], *([row["aapc"][routing]["minimum"]] if row["aapc"] else [])]
    tried += _list_least(row["patterns"], routing)
    return min(tried), False


def _list_least(patterns: Iterable[Mapping[str, Any]], routing: str) -> list[float]:
    chosen = (each["in_rank_order"] for each in patterns if each["pattern"] in _PERMUTATIONS and not each["own"])
    return [each[routing]["least"] for each in chosen if each]


def _read_all_to_all(saturation: Iterable[Mapping[str, Any]], routing: str, link: int) -> float | None:
    """The rate of a pair in Mb/s when all pairs send at once."""
    rate = next((each[routing] for each in saturation if each["pattern"] == "all-to-all"), None)
    return None if rate is None else rate * link
