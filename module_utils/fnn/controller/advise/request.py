# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what the operator asks: the number of nodes and their ports, and a price list. All problems are raised at once.

Of several switches, one is left out if another has as many ports, as much internal capacity and no higher price.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem
from ..documents import Documents
from ..schema import format_value
from ..spec.variable_source import Variable
from ..spec.variables import convert_value, find_expected

PRICES = "fnn_advise_prices"
SPEED = "fnn_advise_mbps"
_NUMBERS = ("fnn_advise_nodes", "fnn_advise_nics", SPEED)
_REQUIRED = ("fnn_advise_nodes", "fnn_advise_nics", PRICES)


@dataclass(frozen=True)
class SwitchModel:
    """A switch of the price list. mbps: of its ports. internal_gbps: None where its ports are the only limit."""

    ports: int
    mbps: int
    price: float
    internal_gbps: float | None = None

    def replaces(self, other: SwitchModel) -> bool:
        """Whether this one does all that the other does, for no higher price."""
        capacity, needed = (math.inf if each.internal_gbps is None else each.internal_gbps for each in (self, other))
        return self.ports >= other.ports and self.price <= other.price and capacity >= needed


@dataclass(frozen=True)
class Request:
    """nics: network ports of each node. speeds: of these ports, in Mb/s. prices: the price list, in the file `path`."""

    nodes: int
    nics: int
    speeds: tuple[int, ...]
    routing: str
    prices: Mapping[str, Any]
    path: Path

    @property
    def pairs(self) -> int:
        """The unordered pairs of nodes."""
        return self.nodes * (self.nodes - 1) // 2


def read_request(
    given: Mapping[str, Any], known: Mapping[str, Variable], documents: Documents, routing: str
) -> Request:
    """given: values of the variables of the role. known: all variables of the toolkit. Raises FnnError."""
    problems = list(_find_bad_values(given, known))
    prices: dict[str, Any] | None = None
    if given.get(PRICES):
        try:
            prices = documents.read(given[PRICES], "fnn-prices")
        except FnnError as error:
            problems += error.problems
    bad = {each.at for each in problems}
    values = {
        name: convert_value(given[name], known[name]) for name in _NUMBERS if _has(given, name) and name not in bad
    }
    speeds: Sequence[int] = ()
    if prices is not None and SPEED not in bad:
        name = Path(given[PRICES]).name
        problems += _find_missing_parts(prices, name, values.get(SPEED))
        speeds = [values[SPEED]] if SPEED in values else list_speeds(prices)
    if problems or prices is None:
        raise FnnError(problems)
    nodes, nics = (values[name] for name in _NUMBERS[:2])
    return Request(nodes, nics, tuple(speeds), routing, prices, Path(given[PRICES]))


def list_speeds(prices: Mapping[str, Any]) -> list[int]:
    """The speeds of the NICs of a list, without those that none of its switches reaches. In ascending order."""
    fastest = max((each["speed_mbps"] for each in prices.get("switches", [])), default=math.inf)
    return sorted({each["speed_mbps"] for each in prices.get("nics", []) if each["speed_mbps"] <= fastest})


def list_models(prices: Mapping[str, Any], mbps: int) -> list[SwitchModel]:
    """Switches with ports of at least this speed, without those that another one replaces; fewest ports first."""
    models = {
        SwitchModel(each["ports"], each["speed_mbps"], each["price"], each.get("internal_gbps"))
        for each in prices.get("switches", [])
        if each["speed_mbps"] >= mbps
    }
    ordered = sorted(models, key=lambda each: (each.ports, each.price, each.mbps, each.internal_gbps or 0))
    return [
        each
        for at, each in enumerate(ordered)
        if not any(
            other.replaces(each) and (not each.replaces(other) or place < at)
            for place, other in enumerate(ordered)
            if place != at
        )
    ]


def _has(given: Mapping[str, Any], name: str) -> bool:
    return given.get(name) not in (None, "")


def _find_bad_values(given: Mapping[str, Any], known: Mapping[str, Variable]) -> Iterator[Problem]:
    for name in _REQUIRED:
        if not _has(given, name):
            yield Problem(name, f"missing ({known[name].description.split('. ')[0].rstrip('.')})")
    for name in _NUMBERS:
        expected = find_expected(given[name], known[name]) if _has(given, name) else None
        if expected:
            yield Problem(name, f"{format_value(given[name])} is not {expected}")


def _find_missing_parts(prices: Mapping[str, Any], name: str, mbps: int | None) -> Iterator[Problem]:
    """What the list lacks for any network with a price. name: of its file. A list without switches is complete."""
    nics, switches = ([each["speed_mbps"] for each in prices.get(key, [])] for key in ("nics", "switches"))
    if not nics:
        yield Problem(f"{name}#/nics", "no NIC has a price; expected at least one, at price 0 if nodes have them")
        return
    slowest = min(nics) if mbps is None else mbps
    if max(nics) < slowest:
        has = _join_speeds(nics)
        yield Problem(SPEED, f"{name} has no NIC of {mbps} Mb/s or faster; expected a speed of its NICs: {has}")
    if switches and max(switches) < slowest:
        has = _join_speeds(switches)
        at = f"{name}#/switches" if mbps is None else SPEED
        yield Problem(at, f"{name} has no switch of {slowest} Mb/s or faster; its switches have {has}")


def _join_speeds(speeds: Sequence[int]) -> str:
    return f"{', '.join(str(each) for each in sorted(set(speeds)))} Mb/s"
