# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks up the weights of a pair in the routes document, and formats their table as text (controller only).

Where two nodes share several switches, advanced routing divides their flows over all of them. With equal parts, a link
that is busy with peers without another switch limits all-to-all exchanges. The engine (`fnn-designer routes`) therefore
chooses weights per pair (designer/src/routing/weights.h). A row per node, a code per peer:

    k00  .0==       k00 sends to k01 by the weights with the code 0, say a quarter over red and the rest over blue
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import reduce
from math import gcd
from typing import Any

from ...shared.errors import FnnError, Problem, count
from ..routes_consistency import EQUAL, split_row
from ..twins import find_firsts


class Weights:
    """The weights of `select_weights`, for a design."""

    @classmethod
    def read(cls, routes: Mapping[str, Any], design: Mapping[str, Any]) -> Weights | None:
        """routes: format "fnn-routes", of the design. None where all parts are equal."""
        selected = select_weights(routes)
        return cls(selected, design) if selected else None

    def __init__(self, weights: Mapping[str, Any], design: Mapping[str, Any]) -> None:
        self._names = [node["name"] for node in design["nodes"]]
        order = {switch["name"]: place for place, switch in enumerate(design["spec"]["switches"])}
        self._firsts = find_firsts(design)
        homes = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
        self._switches = {name: sorted(own - self._firsts.keys(), key=order.__getitem__) for name, own in homes.items()}
        self._seconds = {name: own & self._firsts.keys() for name, own in homes.items()}
        self._table: dict[str, list[int]] = {each["code"]: each["weights"] for each in weights["weights"]}
        self._rows: Mapping[str, str] = weights["rows"]

    def find(self, name: str) -> dict[str, dict[str, int]]:
        """Peer -> switch -> weight, for the peers of a node to which flows divide in unequal parts.

        Raises FnnError for weights of another number of switches than a pair shares.
        """
        found, problems = {}, []
        for peer, code in split_row(self._rows.get(name, ""), self._names):
            if code not in self._table:
                continue
            shared = [switch for switch in self._switches[name] if switch in self._switches[peer]]
            weights = self._table[code]
            if len(weights) != len(shared):
                switches = count(len(shared), "switch")
                words = f"code {code} has {len(weights)} weights, but {name} and {peer} share {switches}"
                problems.append(Problem("routes.json#/weights", words))
            found[peer] = dict(zip(shared, weights))
            if self._firsts and (seconds := self._seconds[name] & self._seconds[peer]):
                found[peer] = self._split(found[peer], seconds)
        if problems:
            raise FnnError(problems)
        return found

    def _split(self, weights: dict[str, int], seconds: Set[str]) -> dict[str, int]:
        """The weights of a pair, each divided over both devices of a plug. seconds: switches of second devices."""
        halves = {self._firsts[second]: second for second in seconds}
        single = {switch: weight if switch in halves else 2 * weight for switch, weight in weights.items()}
        return {**single, **{second: weights[first] for first, second in halves.items() if first in weights}}


def select_weights(routes: Mapping[str, Any]) -> dict[str, Any] | None:
    """The part of a routes document that the plan needs; None where all parts are equal."""
    rows = _list_rows(routes)
    return {"weights": routes["weights"], "rows": rows} if rows else None


def _list_rows(routes: Mapping[str, Any]) -> dict[str, str]:
    """Node -> its row, for nodes with unequal parts."""
    return {node["name"]: node["weight_row"] for node in routes["nodes"] if "weight_row" in node}


def choose_weights(weights: Mapping[str, int], over: Sequence[str]) -> tuple[int, ...]:
    """The weights of the switches that a pair uses now, in lowest terms; empty for equal parts.

    weights: switch -> weight, as planned. While a cable is out of use, the others keep their proportion. A switch
    without a weight, as in a rewiring, makes all parts equal.
    """
    if not all(switch in weights for switch in over):
        return ()
    chosen = [weights[switch] for switch in over]
    divisor = reduce(gcd, chosen, 0)
    return tuple(each // divisor for each in chosen) if len(set(chosen)) > 1 else ()


def show_weights(routes: Mapping[str, Any]) -> str:
    """The table as text; empty where all parts are equal."""
    rows = _list_rows(routes)
    if not rows:
        return ""
    width = max(map(len, rows))
    legend = [f"{each['code']} {':'.join(map(str, each['weights']))}" for each in routes["weights"]]
    head = [
        "\nThe weights by which advanced routing divides the flows of a pair over the switches that it shares,\n",
        "in the order above:\n",
        *(f"{'  '.join(legend[start : start + 8])}\n" for start in range(0, len(legend), 8)),
        f"{EQUAL} equal parts\n\n",
    ]
    return "".join([*head, *(f"{name:<{width}}  {row}\n" for name, row in rows.items())])
