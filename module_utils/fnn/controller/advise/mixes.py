# SPDX-License-Identifier: GPL-3.0-or-later
"""Combinations of switches for nodes with ports of several kinds, with a port for every NIC.

Each kind of ports has one model of switches. The fastest kind is served first, and what remains of its switches serves
slower kinds; then the same from the slowest kind on, as a switch may have ports for two kinds:

    11 nodes, 1x1 + 2x2.5, switches of 5x1 and 8x2.5:  3 switches of 8x2.5 for 22 NICs, and 2 of 5x1 for the other 11,
                                                       two of which find a port that the first three have left
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ..init.answers import Group
from ..spec.ports import media_family
from .networks import Network
from .ports import Ports, fits_group, list_groups
from .purchases import find_cable_price, list_cables, make_item, name_switch
from .request import Request
from .sizes import build_spec

Entry = Mapping[str, Any]
#: Models of switches for each kind of ports: those at which every NIC finds a port for the lowest price.
_MODELS = 4


@dataclass(frozen=True)
class Mix:
    """switches: entries of the price list with their numbers. spec: of nodes and switches. words: for people."""

    switches: tuple[tuple[Entry, int], ...]
    spec: dict[str, Any]
    words: str


def list_mixes(request: Request) -> list[Mix]:
    """The combinations, the cheapest first; none for ports of one kind."""
    kinds = _join_groups(request.groups)
    if len(kinds) < 2:
        return []
    switches = [*request.prices.get("switches", [])]
    found: dict[tuple[tuple[int, int], ...], float] = {}
    for chosen in product(*(_choose_models(each, request.nodes, switches) for each in kinds)):
        for order in (1, -1):
            numbers = _count_switches([*zip(kinds, chosen, strict=True)][::order], request.nodes, switches)
            found[tuple(sorted(numbers.items()))] = sum(
                switches[at]["price"] * number for at, number in numbers.items()
            )
    ordered = sorted(found, key=lambda each: (found[each], each))
    return [_make_mix([(switches[at], number) for at, number in each], kinds, request.nodes) for each in ordered]


def _join_groups(groups: Sequence[Group]) -> list[Group]:
    """The kinds of ports of a node, the fastest first."""
    counts: Counter[tuple[int, str]] = Counter()
    for each in groups:
        counts[each.speed_mbps, each.media] += each.count
    return [Group(count, *kind) for kind, count in sorted(counts.items(), reverse=True)]


def _choose_models(kind: Group, nodes: int, switches: Sequence[Entry]) -> list[int]:
    """Places in the list of the switches that serve this kind for the lowest prices."""
    prices = {
        at: each["price"] * -(-nodes * kind.count // _count_ports(each, kind))
        for at, each in enumerate(switches)
        if _count_ports(each, kind)
    }
    return sorted(prices, key=lambda at: (prices[at], at))[:_MODELS]


def _count_ports(switch: Entry, kind: Group) -> int:
    return sum(each.count for each in list_groups(switch) if _serves(switch, each, kind))


def _serves(switch: Entry, group: Group, kind: Group) -> bool:
    return group.speed_mbps >= kind.speed_mbps and fits_group(switch, group, kind.media)


def _count_switches(chosen: Sequence[tuple[Group, int]], nodes: int, switches: Sequence[Entry]) -> Counter[int]:
    """How many of each switch have a port for every NIC. chosen: kinds of ports, each with the place of its switch."""
    numbers: Counter[int] = Counter()
    free: Counter[tuple[int, Group]] = Counter()
    for kind, at in chosen:
        needed = nodes * kind.count
        present = sum(free[place, group] for place, group in free if _serves(switches[place], group, kind))
        more = -(-max(0, needed - present) // _count_ports(switches[at], kind))
        numbers[at] += more
        for group in list_groups(switches[at]):
            free[at, group] += more * group.count
        for place, group in sorted(free, key=lambda each: each[1].speed_mbps):
            if _serves(switches[place], group, kind):
                taken = min(needed, free[place, group])
                free[place, group] -= taken
                needed -= taken
    return +numbers


def _make_mix(switches: Sequence[tuple[Entry, int]], kinds: Sequence[Group], nodes: int) -> Mix:
    words = " and ".join(f"{number} of {name_switch(entry, 0, 0)}" for entry, number in switches)
    nics = [_make_socket(each.speed_mbps, each.media) for each in reversed(kinds) for _ in range(each.count)]
    devices = [
        {"ports": [*_list_spec_ports(each, kinds)], "price": each["price"], "internal_gbps": each.get("internal_gbps")}
        for each, number in switches
        for _ in range(number)
    ]
    return Mix(tuple(switches), build_spec(nodes, nics, devices), words)


def _list_spec_ports(entry: Entry, kinds: Sequence[Group]) -> Iterator[dict[str, Any]]:
    """The groups of ports of a switch that some NIC fits."""
    for group in list_groups(entry):
        served = next((each for each in kinds if _serves(entry, group, each)), None)
        if served:
            yield {"count": group.count, **_make_socket(group.speed_mbps, served.media)}


def _make_socket(mbps: int, media: str) -> dict[str, Any]:
    return {"speed_mbps": mbps, "media": media_family(media)}


def price_mix(network: Network, mix: Mix, design: Mapping[str, Any], request: Request) -> Network:
    """The network of a mix, with its price and what to buy. design: of the spec of the mix."""
    switches = [
        make_item("switch", name_switch(each, 0, 0), number, each["price"], each["name"])
        for each, number in mix.switches
    ]
    nics = mix.spec["nodes"][0]["nics"]
    links = Counter(
        (nics[link["nic"]]["speed_mbps"], nics[link["nic"]]["media"])
        for node in design["nodes"]
        for link in node["links"]
    )
    ports = {(each.mbps, media_family(each.media or "")): each for each in request.ports if each.module is None}
    bought: Counter[tuple[str, float | None]] = Counter()
    fastest: dict[tuple[str, float | None], Ports] = {}
    for (mbps, family), number in sorted(links.items()):
        cable = (family, find_cable_price(ports[mbps, family]))
        bought[cable] += number
        fastest[cable] = ports[mbps, family]
    cables = [item for cable, number in bought.items() for item in list_cables(number, fastest[cable], cable[1])]
    totals = {
        part: sum(item["total"] or 0.0 for item in items)
        for part, items in (("switches", switches), ("cables", cables))
    }
    total = sum(totals.values())
    rate = request.nodes * (network.effective or 0.0) / 1000
    return replace(
        network,
        switches=tuple(
            {"count": each, "ports": sum(group.count for group in list_groups(entry)), "price": entry["price"]}
            for entry, each in mix.switches
        ),
        prices={"nics": 0.0, "connections": 0.0, **totals, "total": total},
        unpriced=("cables",) if any(item["price"] is None for item in cables) else (),
        price=total,
        per_gbps=total / rate if rate else None,
        purchases=(*switches, *cables),
    )
