# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of a network without a common switch for each pair: which pairs are lost, and what takes a longer path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..segments import has_bridges, has_cables
from .figure import Cell, Figure, Section, Table
from .groups import MOST_ROWS
from .survival import Loss, make_graph, measure_losses

#: What happens where nodes bridge, by mode.
_BRIDGED = {
    "stp": "The spanning tree unblocks the blocked cable if another cable or a node fails. In a ring of four, all"
    " pairs communicated again 13 to 16 s after a cable was cut.",
    "bridged": "There is one path between two nodes, and no other if a part of it fails.",
    "bonded": "There is one path between two nodes. Only the bonded node has two, and its bond does not use a NIC"
    " without carrier.",
}
_ROUTED = (
    "fnn-linkd reports failed NICs and cables to all nodes. Each node then uses the shortest paths without them: within"
    " 0.1 s after a loss of carrier, within 1.2 s after a silent failure."
)
_SWITCHED = (
    "There is one path between two nodes, and no other if a part of it fails. If one of several cables between two"
    " switches fails, the others remain in use."
)
_KINDS = ("cable", "node", "switch")
#: Pairs of the failed node itself are not counted.
_OTHERS = {"node": " of other nodes"}
#: Parts with the same loss that a row names.
_MOST_NAMES = 4


def show_detours(design: Mapping[str, Any], network: Mapping[str, Any]) -> Section:
    """network: format "fnn-network". Parts are measured one by one in clusters of up to 128 nodes."""
    direct = has_cables(design["spec"])
    words = [_describe_repair(design["spec"])]
    if len(design["nodes"]) > MOST_ROWS:
        return Section("failures", "Failures", words, [_show_exposure(network)])
    losses = measure_losses(make_graph(design))
    words.append(describe_worst(losses))
    return Section("failures", "Failures", words, [_show_losses(losses, "nodes" if direct else "switches")])


def _describe_repair(spec: Mapping[str, Any]) -> str:
    if has_bridges(spec):
        return _BRIDGED[spec["mode"]]
    return _ROUTED if has_cables(spec) else _SWITCHED


def describe_worst(losses: Sequence[Loss]) -> str:
    """A sentence: the most pairs that are lost if one part of each kind fails."""
    worst = {kind: max((each.lost for each in losses if each.kind == kind), default=None) for kind in _KINDS}
    text = "; ".join(
        f"{describe_lost(lost)}{_OTHERS.get(kind, '')} by a failed {kind}"
        for kind, lost in worst.items()
        if lost is not None
    )
    return f"Pairs lost in the worst case: {text}."


def _show_losses(losses: Sequence[Loss], between: str) -> Figure:
    """A row for all parts of a kind with the same loss, the worst first."""
    alike: dict[tuple[str, int, int, int], list[str]] = {}
    for each in losses:
        alike.setdefault((each.kind, each.lost, each.longer, each.most), []).append(each.name)
    order = sorted(alike, key=lambda key: (-key[1], -key[2], _KINDS.index(key[0])))
    rows: list[list[Cell]] = [
        [f"a {kind}", _name_some(alike[kind, lost, longer, most]), lost, longer, most]
        for kind, lost, longer, most in order
    ]
    columns = ["failed part", "which", "pairs lost", "pairs with a longer path", f"{between} between, at most"]
    words = "One part fails, and all others work. A lost pair has no path."
    if any(each.kind == "node" for each in losses):
        words += " Pairs of a failed node itself are not counted."
    return Figure("losses", "Effect of one failure", words, Table(columns, rows), None, True)


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names) if more < 2 else f"{', '.join(names[:_MOST_NAMES])} and {more} more"


def _show_exposure(network: Mapping[str, Any]) -> Figure:
    rows: list[list[Cell]] = [
        [f"a {thing}", found["min"], found["mean"]["value"], found["max"]]
        for thing in ("switch", "NIC", "cable")
        if (found := network["exposure"][thing.lower()])
    ]
    words = "Lost pairs, which have no path, if one part fails."
    return Figure("losses", "Effect of one failure", words, Table(["failed part", "least", "mean", "most"], rows))


def describe_lost(pairs: int) -> str:
    """ "3 pairs", or "no pair" """
    return count(pairs, "pair") if pairs else "no pair"
