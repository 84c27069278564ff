# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what the operator asks: the number of nodes and their ports, and a price list. All problems are raised at once.

Ports are a number of NICs to buy, or in words the ports that the nodes have: 1x1 + 2x2.5.

Of several switches, one is left out if another has as many ports, as much internal capacity and no higher price.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..documents import Documents
from ..init import answers
from ..init.answers import Group
from ..init.words import read_groups
from ..schema import format_value, name_range
from ..spec.variable_source import Variable
from ..spec.variables import convert_value, find_expected
from .ports import Ports, choose_bought, choose_present, list_groups

PRICES = "fnn_advise_prices"
SPEED = "fnn_advise_mbps"
NICS = "fnn_advise_nics"
_NODES = "fnn_advise_nodes"
_NUMBERS = (_NODES, SPEED)
_REQUIRED = (_NODES, NICS, PRICES)


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
    """nics: network ports of each node. groups: these by kind, where the nodes have them. ports: those to compare."""

    nodes: int
    nics: int
    ports: tuple[Ports, ...]
    routing: str
    prices: Mapping[str, Any]
    groups: tuple[Group, ...] = ()

    @property
    def pairs(self) -> int:
        """The unordered pairs of nodes."""
        return self.nodes * (self.nodes - 1) // 2

    @property
    def speeds(self) -> list[int]:
        """Speeds of the ports, without the one for which only one switch is compared; in ascending order."""
        return sorted({each.mbps for each in self.ports if not each.single})


def read_request(
    given: Mapping[str, Any], known: Mapping[str, Variable], documents: Documents, routing: str
) -> Request:
    """given: values of the variables of the role. known: all variables of the toolkit. Raises FnnError."""
    problems = list(_find_bad_values(given, known))
    prices: dict[str, Any] | None = None
    nics, groups = 0, tuple[Group, ...]()
    try:
        nics, groups = _read_nics(given[NICS], _has(given, SPEED)) if _has(given, NICS) else (0, ())
    except FnnError as error:
        problems += error.problems
    if given.get(PRICES):
        try:
            prices = _read_prices(Path(given[PRICES]), documents)
        except FnnError as error:
            problems += error.problems
    bad = {each.at for each in problems}
    values = {
        name: convert_value(given[name], known[name]) for name in _NUMBERS if _has(given, name) and name not in bad
    }
    if prices is not None and SPEED not in bad and not groups:
        problems += _find_missing_parts(prices, Path(given[PRICES]).name, values.get(SPEED))
    if problems or prices is None:
        raise FnnError(problems)
    if not groups:
        speeds = [values[SPEED]] if SPEED in values else list_speeds(prices)
        return Request(
            values[_NODES], nics, tuple(choose_bought(prices, each, nics) for each in speeds), routing, prices
        )
    ports = [*choose_present(prices, groups)]
    faster = [each for each in list_speeds(prices) if each > ports[-1].mbps]
    ports += [choose_bought(prices, each, 1, single=True) for each in faster[:1]]
    return Request(values[_NODES], nics, tuple(ports), routing, prices, groups)


def _read_nics(value: Any, has_speed: bool) -> tuple[int, tuple[Group, ...]]:
    """The number of ports of a node; and in words also their kinds. Raises FnnError."""
    text = str(value).strip()
    least, most = answers.NICS
    if re.fullmatch(r"[+-]?\d+", text):
        if not least <= int(text) <= most:
            raise problem(NICS, f"{text} is not {name_range('integer', {'minimum': least, 'maximum': most})}")
        return int(text), ()
    groups = read_groups(NICS, text, Group(1))
    nics = sum(each.count for each in groups)
    if nics > most or any(each.count < 1 for each in groups):
        raise problem(NICS, f"{text!r} has no {least} to {most} ports")
    if has_speed:
        raise problem(SPEED, f"{NICS} has the speeds already; leave this out")
    return nics, groups


def _read_prices(path: Path, documents: Documents) -> dict[str, Any]:
    """The price list, of which all ports can be read. Raises FnnError."""
    prices = documents.read(path, "fnn-prices")
    try:
        for each in prices.get("switches", []):
            list_groups(each)
    except FnnError as error:
        raise error.within(path.name) from None
    return prices


def list_speeds(prices: Mapping[str, Any]) -> list[int]:
    """The speeds of the NICs of a list, without those that none of its switches reaches. In ascending order."""
    fastest = max(
        (group.speed_mbps for each in prices.get("switches", []) for group in list_groups(each)), default=math.inf
    )
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
