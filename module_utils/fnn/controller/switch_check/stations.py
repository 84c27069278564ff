# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs take part in the check of a switch, and which node coordinates it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ...shared.errors import problem
from ...shared.frames.switch_check import LAYERS
from ..segments import has_cables

#: Nodes that take part: more add nothing but frames.
FEWEST, MOST = 2, 8


@dataclass(frozen=True)
class Station:
    """A NIC that the design puts on the switch."""

    node: str
    mac: str


@dataclass(frozen=True)
class Participants:
    """stations: those that take part, the coordinator first; each receives each other in the layer.

    isolated: pairs of nodes that do not receive each other. absent: nodes that no other receives.
    """

    stations: tuple[Station, ...]
    layer: str
    isolated: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]


def find_stations(
    design: Mapping[str, Any], macs: Mapping[str, Any], switch: str, nodes: Collection[str]
) -> list[Station]:
    """The NICs of these nodes on the switch, by the design; MOST at most. Raises FnnError for fewer than FEWEST."""
    names = [each["name"] for each in design["spec"]["switches"]]
    if has_cables(design["spec"]):
        raise problem("fnn_switch_check_switch", "the nodes are joined by cables, there is no switch to check")
    if switch not in names:
        raise problem("fnn_switch_check_switch", f"no switch is called {switch}, there are: {', '.join(names)}")
    links = [(node["name"], link) for node in design["nodes"] for link in node["links"]]
    wired = [(node, link["nic"]) for node, link in links if link["switch"] == switch]
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    found: dict[str, Station] = {}
    for node, nic in wired:
        if node in nodes and (node, nic) in bound:
            # A node takes part with one NIC, also if the design plugs two of them into the switch.
            found.setdefault(node, Station(node, bound[node, nic]))
    if len(found) < FEWEST:
        known = ", ".join(found) or "none"
        raise problem(switch, f"needs two nodes that answer and have a NIC there in design.json and macs.json: {known}")
    return list(found.values())[:MOST]


def choose_participants(stations: Sequence[Station], received: Mapping[str, Mapping[str, Any] | None]) -> Participants:
    """received: node -> whom its station received (fnn_switch_probe state=wait). Raises FnnError if none do.

    The layer is `experimental` if as many stations reach each other in it as in `ip`.
    """
    best = Participants((), LAYERS[0], (), ())
    for layer in LAYERS:
        pairs = set(_list_pairs(stations, received, layer))
        groups = [_find_group(first, stations, pairs) for first in stations]
        group = max(groups, key=len)
        if len(group) > len(best.stations):
            best = Participants(
                tuple(group), layer, tuple(_list_isolated(stations, pairs)), _list_absent(stations, pairs)
            )
    if len(best.stations) < FEWEST:
        names = ", ".join(each.node for each in stations)
        text = "no frame passes between any two of them: check power, cables (./fnn verify) and blocked ports"
        raise problem(names, text)
    return best


def _list_pairs(
    stations: Sequence[Station], received: Mapping[str, Mapping[str, Any] | None], layer: str
) -> Iterator[tuple[str, str]]:
    """Pairs of nodes that receive each other."""

    def receives(one: Station, other: Station) -> bool:
        return layer in ((received.get(one.node) or {}).get("peers", {}).get(other.mac, {}))

    for one, other in combinations(stations, 2):
        if receives(one, other) and receives(other, one):
            yield one.node, other.node


def _find_group(first: Station, stations: Sequence[Station], pairs: Collection[tuple[str, str]]) -> list[Station]:
    """Stations that all receive each other, `first` among them."""
    group = [first]
    for each in stations:
        known = all((each.node, other.node) in pairs or (other.node, each.node) in pairs for other in group)
        if known and each is not first:
            group.append(each)
    return group


def _list_absent(stations: Sequence[Station], pairs: Collection[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(each.node for each in stations if not any(each.node in pair for pair in pairs))


def _list_isolated(stations: Sequence[Station], pairs: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Pairs of nodes that do not receive each other, though both receive a third one."""
    absent = _list_absent(stations, pairs)
    for one, other in combinations(stations, 2):
        if (one.node, other.node) not in pairs and not {one.node, other.node} & {*absent}:
            yield one.node, other.node
