# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/ports.py and purchases.py: the parts that fit ports of nodes, and what to buy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from advices import PRICES, make_network
from ansible.module_utils.fnn.controller.advise.ports import (
    Ports,
    choose_bought,
    choose_present,
    format_groups,
    list_groups,
)
from ansible.module_utils.fnn.controller.advise.purchases import add_purchases
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.init.answers import Group


@pytest.fixture
def offers(root: Path) -> dict[str, Any]:
    """The price list of the toolkit."""
    found: dict[str, Any] = read_json(root / "prices/estimates-2026-11.json")
    return found


def make_switch(ports: int, mbps: int, price: float, **more: Any) -> dict[str, Any]:
    return {"name": "x", "ports": ports, "speed_mbps": mbps, "price": price, "source": "invented", **more}


def test_a_switch_counts_for_each_socket_with_the_ports_that_fit() -> None:
    mixed = make_switch(8, 2500, 90, media="rj45", more_ports="2x10 SFP+")
    offers = {**PRICES, "switches": [mixed]}
    found = {
        media: [(each["ports"], each["speed_mbps"]) for each in Ports(1000, 2, offers, media).prices["switches"]]
        for media in ("rj45", "sfp28", "qsfp28")
    }
    assert found == {"rj45": [(8, 2500)], "sfp28": [(2, 10000)], "qsfp28": []}
    assert format_groups(list_groups(mixed)) == "8 x 2.5 Gb/s + 2 x 10 Gb/s SFP+"


def test_faster_ports_of_a_switch_serve_slower_nics() -> None:
    offers = {**PRICES, "switches": [make_switch(8, 1000, 30, media="rj45", more_ports="2x10")]}
    plain = Ports(1000, 1, offers, "rj45").prices["switches"]
    assert [(each["ports"], each["speed_mbps"]) for each in plain] == [(10, 1000), (2, 10000)]


def test_parts_without_a_socket_fit_all() -> None:
    assert Ports(1000, 2, PRICES, "sfp+").prices["switches"] == PRICES["switches"]


def test_nics_to_buy_have_the_socket_of_the_cheapest(offers: dict[str, Any]) -> None:
    assert [choose_bought(offers, mbps, 1).media for mbps in (1000, 10000, 25000)] == ["rj45", "sfp+", "sfp28"]


def test_copper_ports_reach_modules_of_their_speed(offers: dict[str, Any]) -> None:
    ports = [(each.mbps, each.media, each.module) for each in choose_present(offers, [Group(2, 2500), Group(1, 10000)])]
    assert ports == [(2500, "rj45", None), (10000, "rj45", None), (10000, "rj45", 45)]
    *_, by_module = choose_present(offers, [Group(1, 10000, "sfp+")])
    plain = by_module.prices
    assert [(each["name"], each["ports"]) for each in plain["switches"] if each["speed_mbps"] == 10000] == [
        ("8 x 10 Gb/s", 8)
    ]
    assert [each["price"] for each in plain["cables"]] == [2 + 45, 4 + 45]


def test_purchases_have_switches_cables_modules_and_nics(offers: dict[str, Any]) -> None:
    ports = Ports(10000, 1, offers, "rj45", True, 45)
    switches = ({"count": 1, "ports": 16, "price": 450},)
    prices = {"nics": 0.0, "cables": 16 * 49.0, "switches": 450.0, "connections": 0.0, "total": 1234.0}
    network = make_network("one-switch", switches=switches, prices=prices, mbps=10000, unpriced=())
    bought = add_purchases(network, ports, 16).purchases
    assert [(each["part"], each["name"], each["count"], each["price"]) for each in bought] == [
        ("switch", "16 x 10 Gb/s SFP+", 1, 450),
        ("cable", "10 Gb/s", 16, 4),
        ("module", "10 Gb/s RJ45", 16, 45),
    ]
    cards = {**prices, "nics": 16 * 70.0, "cables": 32 * 12.0}
    pieces = {"nics": 32, "cables": 32, "switches": 1}
    network = make_network("rails", switches=switches, prices=cards, pieces=pieces, mbps=10000, unpriced=())
    nics = add_purchases(network, Ports(10000, 2, offers, "sfp+"), 16).purchases[-1]
    assert nics == {
        "part": "nic", "name": "10 Gb/s SFP+, 2 ports", "model": "10 Gb/s SFP+, two ports", "count": 16, "price": 70,
        "total": 1120,
    }  # fmt: skip


def test_unequal_nodes_get_nics_without_a_price_of_each(offers: dict[str, Any]) -> None:
    prices = {"nics": 100.0, "cables": 0.0, "switches": 40.0, "connections": 0.0, "total": 140.0}
    pieces = {"nics": 24, "cables": 24, "switches": 2}
    network = make_network("fnn", prices=prices, pieces=pieces, nics=2, unpriced=())
    nics = add_purchases(network, Ports(1000, 2, offers, "rj45"), 16).purchases[-1]
    assert (nics["count"], nics["price"], nics["total"]) == (24, None, 100)


def test_every_price_of_the_toolkit_is_said_to_be_an_estimate(offers: dict[str, Any]) -> None:
    parts = ("switches", "nics", "cables", "modules")
    sources = {each["source"] for part in parts for each in offers[part]}
    assert sources == {"estimate, rounded, 2026-11"}
