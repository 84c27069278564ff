# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison with other networks as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..numbers import format_number, format_rate, name_currency
from .comparison import Network, format_price, list_networks
from .worth import describe_losses, describe_worth


def format_comparison(evaluation: Mapping[str, Any], routing: str) -> list[str]:
    """The lines for a terminal: networks side by side, then the sentences."""
    networks = list_networks(evaluation, routing)
    forwards = networks[0].between is not None
    head = ["network", *(["nodes"] if forwards else []), "switches", "pairwise", "effective", "all-to-all", "lost"]
    rows = [[*head, "price", "per Gb/s"], *(_format_row(each, forwards) for each in networks if not each.reason)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(
            each.ljust(width) if not at else each.rjust(width) for at, (each, width) in enumerate(zip(row, widths))
        )
        for row in rows
    ]
    link = format_rate(evaluation["link_mbps"])
    notes = [
        *(["Nodes and switches: means of those between two nodes."] if forwards else []),
        "Bandwidths in Gb/s; pairwise: one pair at a time; effective: bisection, per flow;",
        f"all-to-all: in messages at {link}; lost: pairs if the worst switch or cable fails.",
        *_describe_prices(evaluation, networks),
    ]
    impossible = [f"{each.name} is not available: {each.reason}." for each in networks if each.reason]
    return [
        *lines,
        "",
        *notes,
        *impossible,
        "",
        *describe_losses(evaluation, routing),
        *describe_worth(evaluation, routing),
    ]


def _describe_prices(evaluation: Mapping[str, Any], networks: Sequence[Network]) -> Iterator[str]:
    """What the prices are of; nothing where there are none."""
    if all(each.price is None for each in networks):
        return
    list_of_prices = evaluation["prices"]
    source = f", from {list_of_prices['name']}, {list_of_prices['date']}" if list_of_prices else ""
    more = " +: parts without a price." if any(each.open_end for each in networks) else ""
    yield f"Prices in {name_currency(evaluation['currency'])}{source}: of the fabric, without uplink switch and spares;"
    yield f"per Gb/s of effective bisection bandwidth.{more}"


def _format_row(network: Network, forwards: bool) -> list[str]:
    between = [network.between or 0.0] if forwards else []
    numbers = (*between, network.switches, network.pairwise, network.effective, network.time, network.lost)
    prices = (format_price(network.price, network.open_end), format_price(network.per_gbps, network.open_end))
    return [network.title, *map(format_number, numbers), *prices]
