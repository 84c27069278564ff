# SPDX-License-Identifier: GPL-3.0-or-later
"""What to buy for a network: switches, cables, modules and NICs.

Each item is {"part", "name", "model", "count", "price", "total"}.

name: what it is, in words. model: its name in the price list, or None. price: of one; None if the list has none, or if
the NICs of the nodes differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..init.answers import Group
from .networks import Network
from .ports import Ports, format_groups, format_socket, list_groups

Item = Mapping[str, Any]


def add_purchases(network: Network, ports: Ports, nodes: int) -> Network:
    """The same network with what to buy for it, and the socket of its NICs."""
    items = tuple(_list_purchases(network, ports, nodes)) if network.pieces and network.price is not None else ()
    return replace(network, media=ports.media, purchases=items)


def name_switch(entry: Mapping[str, Any] | None, ports: int, mbps: int) -> str:
    """A switch of the price list in words, or one of which only the ports are known."""
    return format_groups(list_groups(entry) if entry else [Group(ports, mbps)])


def make_item(part: str, name: str, count: int, price: float | None, model: str | None = None) -> dict[str, Any]:
    """An item of which one costs `price`."""
    total = None if price is None else count * price
    return {"part": part, "name": name, "model": model, "count": count, "price": price, "total": total}


def list_cables(count: int, ports: Ports, price: float | None) -> Iterator[Item]:
    """Cables that cost `price` with their modules, and these modules."""
    socket = format_socket(ports.mbps, ports.media if ports.module is None else None)
    yield make_item("cable", socket, count, None if price is None else price - (ports.module or 0))
    if ports.module is not None:
        yield make_item("module", f"{socket} RJ45", count, ports.module)


def find_cable_price(ports: Ports) -> float | None:
    """The lowest price of a cable that is fast enough."""
    return min((each["price"] for each in ports.prices["cables"] if each["speed_mbps"] >= ports.mbps), default=None)


def _list_purchases(network: Network, ports: Ports, nodes: int) -> Iterator[Item]:
    pieces, prices = network.pieces or {}, network.prices or {}
    if prices.get("connections"):
        yield make_item("connection", format_socket(network.mbps, ports.media), nodes, prices["connections"] / nodes)
        return
    for each in network.switches:
        entry = ports.find_switch(each["ports"], each["price"])
        name = name_switch(entry, each["ports"], network.mbps)
        yield make_item("switch", name, each["count"], each["price"], entry["name"] if entry else None)
    if pieces["cables"]:
        price = None if "cables" in network.unpriced else prices["cables"] / pieces["cables"]
        yield from list_cables(pieces["cables"], replace(ports, mbps=network.mbps), price)
    if prices["nics"]:
        yield _name_nics(network, ports, nodes)


def _name_nics(network: Network, ports: Ports, nodes: int) -> Item:
    """The NICs: of the cheapest model for these ports, as the engine chooses it, where all nodes need equally many."""
    pieces, total = network.pieces or {}, (network.prices or {})["nics"]
    per_node = pieces["nics"] / nodes
    for each in ports.prices["nics"]:
        count = nodes * -(-pieces["nics"] // (nodes * each["ports"]))
        if each["speed_mbps"] >= network.mbps and per_node.is_integer() and abs(count * each["price"] - total) < 1e-6:
            more = f", {each['ports']} ports" if each["ports"] > 1 else ""
            return make_item("nic", format_socket(network.mbps, ports.media) + more, count, each["price"], each["name"])
    item = make_item("nic", format_socket(network.mbps, ports.media), pieces["nics"], None)
    return {**item, "total": total}
