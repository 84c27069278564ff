# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds impossible pins: cables for which the NIC or the port does not exist or is already taken.

Each pin is checked by itself and against those before it. Only the search can determine whether the rest of a
design fits around all pins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import Problem, count
from ..schema import format_value

_Named = Mapping[str, Mapping[str, Any]]


def find_wrong_pins(spec: Mapping[str, Any]) -> Iterator[Problem]:
    """The problems of the pins of a normalised spec, with pointers into it."""
    nodes: _Named = {node["name"]: node for node in spec["nodes"]}
    switches: _Named = {switch["name"]: switch for switch in spec["switches"]}
    seen: set[tuple[str, Any]] = set()
    load: Counter[tuple[str, str | None]] = Counter()
    for index, pin in enumerate(spec.get("pinned", [])):
        at = f"/pinned/{index}"
        found = [*_find_unknown(at, pin, nodes, switches)]
        if pin["node"] in nodes:
            found += [*_find_no_place(at, pin, nodes, switches), *_find_repeated(at, pin, seen)]
        yield from found
        if not found:
            media = nodes[pin["node"]]["nics"][pin["nic"]]["media"]
            yield from _find_full(at, media, switches[pin["switch"]], load)


def _find_unknown(at: str, pin: Mapping[str, Any], nodes: _Named, switches: _Named) -> Iterator[Problem]:
    if pin["node"] not in nodes:
        yield Problem(f"{at}/node", f"{format_value(pin['node'])} is not the name of a node")
    if pin["switch"] not in switches:
        yield Problem(f"{at}/switch", f"{format_value(pin['switch'])} is not the name of a switch")


def _find_no_place(at: str, pin: Mapping[str, Any], nodes: _Named, switches: _Named) -> Iterator[Problem]:
    """A NIC that does not exist, or one that fits no port of the switch."""
    node, nic, switch = pin["node"], pin["nic"], pin["switch"]
    nics = nodes[node]["nics"]
    if nic >= len(nics):
        yield Problem(f"{at}/nic", f"{nic}, but {node} has only {count(len(nics), 'NIC')}")
    elif switch in switches and not count_ports(switches[switch], nics[nic]["media"]):
        yield Problem(at, f"NIC {nic} of {node} is {nics[nic]['media']}, but {switch} has no such port")


def _find_repeated(at: str, pin: Mapping[str, Any], seen: set[tuple[str, Any]]) -> Iterator[Problem]:
    node, nic, switch = pin["node"], pin["nic"], pin["switch"]
    if (node, nic) in seen:
        yield Problem(at, "this NIC is pinned already")
    if (node, switch) in seen:
        yield Problem(at, f"{node} is pinned to {switch} already")
    seen |= {(node, nic), (node, switch)}


def _find_full(
    at: str, media: str, switch: Mapping[str, Any], load: Counter[tuple[str, str | None]]
) -> Iterator[Problem]:
    """One pin too many. Reserved ports may be of any media, so there are two limits: for all ports and for the media.

    load: the number of pins of each switch by media, and under None that of all media.
    """
    name = switch["name"]
    load.update([(name, media), (name, None)])
    ports, usable = count_ports(switch, media), max(0, count_ports(switch) - switch["reserved"])
    if load[name, None] > usable:
        yield _report_full(at, name, load[name, None], usable, "")
    elif load[name, media] > ports:
        yield _report_full(at, name, load[name, media], ports, f"{media} ")


def _report_full(at: str, switch: str, cables: int, ports: int, media: str) -> Problem:
    pinned, there = count(cables, f"{media}cable"), count(ports, f"{media}port")
    return Problem(at, f"{pinned} pinned to {switch} by now, but it has only {there} for nodes")


def count_ports(switch: Mapping[str, Any], media: str | None = None) -> int:
    """The physical ports of a normalised switch, of one media or of all."""
    return sum(group["count"] for group in switch["ports"] if media in (None, group["media"]))
