# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks networks by price per effective bandwidth, and makes the document (format "fnn-advice").

The effective bisection bandwidth of a network counts both directions, as in an evaluation: nodes x bandwidth of a node.
The *break-even price* of a network is that at which a Gb/s costs as much as with the first of the ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..numbers import round_places
from .gather import Gathered, Sizing
from .networks import ORDER, Network
from .ports import format_groups
from .request import Request

VERSION = 1
_MBPS_PER_GBPS = 1000
_LISTS = ("switches", "nics", "cables", "modules", "connections")


def make_document(request: Request, gathered: Gathered) -> dict[str, Any]:
    networks = rank(gathered.networks)
    first = networks[0] if networks and is_ranked(networks[0]) else None
    prices = request.prices
    return {
        "format": "fnn-advice",
        "version": VERSION,
        "nodes": request.nodes,
        "nics": request.nics,
        "speeds_mbps": [*request.speeds],
        "routing": request.routing,
        "pairs": request.pairs,
        "prices": {**{key: prices[key] for key in ("name", "date", "currency")}, "estimated": _is_estimated(prices)},
        **({"groups": format_groups(request.groups)} if request.groups else {}),
        **({"mixes": dict(zip(("tried", "all"), gathered.mixes, strict=True))} if gathered.mixes[1] else {}),
        "networks": [
            _describe(each, place if is_ranked(each) else None, request.nodes, first)
            for place, each in enumerate(networks, start=1)
        ],
        "sizes": [_describe_size(each) for each in gathered.sizings],
    }


def _is_estimated(prices: Mapping[str, Any]) -> bool:
    """Whether all prices of a list are said to be estimates."""
    sources = [each["source"] for part in _LISTS for each in prices.get(part, [])]
    return bool(sources) and all(each.startswith("estimate") for each in sources)


def is_ranked(network: Network) -> bool:
    """Whether it can be built for a known price."""
    return not network.reason and network.per_gbps is not None


def rank(networks: Sequence[Network]) -> list[Network]:
    """Those with a price per Gb/s first, the cheapest first; then those without a price; then the impossible ones."""
    return sorted(networks, key=_place)


def _place(network: Network) -> tuple[Any, ...]:
    ranked = is_ranked(network)
    switches = [(each["ports"], each["count"]) for each in network.switches]
    return (
        bool(network.reason),
        not ranked,
        *((network.per_gbps, network.price) if ranked else (0.0, 0.0)),
        ORDER.index(network.kind),
        network.mbps,
        network.nics,
        network.media or "",
        switches,
    )


def _describe(network: Network, place: int | None, nodes: int, first: Network | None) -> dict[str, Any]:
    return {
        "rank": place,
        "network": network.kind,
        "nics": network.nics,
        "link_mbps": network.mbps,
        "media": network.media,
        "groups": network.groups,
        "forwarding": network.forwarding,
        "routing": network.routing,
        "possible": not network.reason,
        "reason": network.reason or None,
        "switches": [*network.switches],
        "pieces": network.pieces,
        "prices": network.prices,
        "unpriced": [*network.unpriced],
        "price": network.price,
        "price_per_gbps": network.per_gbps,
        "pairwise_mbps": round_places(network.pairwise),
        "effective_mbps": round_places(network.effective),
        "worst_case": None
        if network.worst is None
        else {"mbps": round_places(network.worst), "proved": network.proved},
        "all_to_all_mbps": round_places(network.all_to_all),
        "pairs_lost": network.lost,
        "buy": [*network.purchases],
        "even_at": None if first in (None, network) else _find_even_prices(network, nodes, first),
    }


def _find_even_prices(network: Network, nodes: int, first: Network) -> dict[str, float | None] | None:
    """The total, and the price of each switch, at which this network costs as much per Gb/s as the first."""
    if not network.effective or not network.pieces or not network.prices or first.per_gbps is None:
        return None
    total = first.per_gbps * nodes * network.effective / _MBPS_PER_GBPS
    rest = total - network.prices["nics"] - network.prices["cables"]
    count = network.pieces["switches"]
    known = count and "nics" not in network.unpriced and not network.prices["connections"] and rest >= 0
    return {"total": round_places(total), "switch": round_places(rest / count) if known else None}


def _describe_size(sizing: Sizing) -> dict[str, Any]:
    return {
        "link_mbps": sizing.mbps,
        "nics": sizing.nics,
        "ports": sizing.model.ports,
        "price": sizing.model.price,
        "switches": sizing.fewest.switches,
        "proved": sizing.fewest.proved,
        "reason": sizing.fewest.reason or None,
    }


def list_ranked(advice: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The ranked networks of a document, in their order."""
    return [each for each in advice["networks"] if each["rank"] is not None]
