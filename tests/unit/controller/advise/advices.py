# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists, rows of evaluations and networks, as small as the functions under test need them."""

from __future__ import annotations

from typing import Any

from ansible.module_utils.fnn.controller.advise.gather import Gathered
from ansible.module_utils.fnn.controller.advise.networks import PLAIN, Network
from ansible.module_utils.fnn.controller.advise.ports import choose_bought
from ansible.module_utils.fnn.controller.advise.purchases import make_item
from ansible.module_utils.fnn.controller.advise.ranking import make_document
from ansible.module_utils.fnn.controller.advise.request import Request

Row = dict[str, Any]
PRICES: dict[str, Any] = {
    "format": "fnn-prices", "version": 1, "name": "shop", "date": "2026-11", "currency": "EUR",
    "switches": [{"name": "8", "ports": 8, "speed_mbps": 1000, "price": 20, "source": "invented"}],
    "nics": [{"name": "1", "ports": 1, "speed_mbps": 1000, "price": 10, "source": "invented"}],
}  # fmt: skip


def make_request(speeds: tuple[int, ...] = (1000,), **changes: Any) -> Request:
    given: dict[str, Any] = {"nodes": 16, "nics": 3, "routing": "advanced", "prices": PRICES, **changes}
    ports = tuple(choose_bought(given["prices"], each, given["nics"]) for each in speeds)
    return Request(**{"ports": ports, **given})


def make_row(name: str, effective: float, price: float | None = 100.0, **more: Any) -> Row:
    """A row of an evaluation: flows of random pairs get `effective` links, the slowest of all shifts half of that."""
    kinds = ("basic", "advanced")
    patterns = [
        {"pattern": "neighbors-2d", "own": False, "in_rank_order": {kind: {"least": 0.01} for kind in kinds}},
        {"pattern": "dissemination", "own": False, "in_rank_order": {kind: {"least": effective} for kind in kinds}},
    ]
    return {
        "alternative": name, "routing": None, "possible": True, "reason": None, "even_at": None, "patterns": patterns,
        "pairwise": {"mean": {"value": 1.0}, "min": {"value": 1.0}},
        "ebb": {kind: {"sym": {"mean": effective, "exact": None}, "uni": {"mean": 9.0}} for kind in kinds},
        "aapc": {kind: {"minimum": effective / 2} for kind in kinds},
        "saturation": [{"pattern": "all-to-all", "basic": 0.5, "advanced": 0.25, "pairs": 120}],
        "exposure": {"switch": {"max": 7}, "nic": {"max": 3}, "cable": {"max": 2}},
        "parts": {"link_mbps": 1000, "switches": [{"count": 2, "ports": 8, "price": 20.0}]},
        "fabric_cost": {
            "nics": 16, "cables": 18, "switches": 2, "unpriced": [],
            "price": {"nics": 60.0, "switches": 40.0, "cables": 0.0, "connections": 0.0, "total": price},
            "per_gbps": price and {f"effective_{kind}": price / (16 * effective) for kind in kinds},
        },
        **more,
    }  # fmt: skip


def make_evaluation(*rows: Row, nodes: int = 16) -> dict[str, Any]:
    permutation = {kind: {"exact": "1", "value": 1.0} for kind in ("basic", "advanced")}
    return {
        "nodes": nodes,
        "link_mbps": 1000,
        "worst_case": {"permutation": permutation},
        "alternatives": [make_row("design", 1.5), *rows],
    }


def make_network(kind: str, per_gbps: float | None = 10.0, **more: Any) -> Network:
    """A network on 16 nodes with a gigabit per node, so that it costs 16 times as much as a Gb/s."""
    price = None if per_gbps is None else 16 * per_gbps
    given: dict[str, Any] = {
        "nics": 1, "mbps": 1000, "forwarding": PLAIN, "switches": ({"count": 2, "ports": 8, "price": 20.0},),
        "pieces": {"nics": 16 * more.get("nics", 1), "cables": 16, "switches": 2},
        "prices": {"nics": 30.0, "cables": 10.0, "switches": 40.0, "connections": 0.0, "total": price},
        "price": price, "per_gbps": per_gbps, "pairwise": 1000.0, "effective": 1000.0, "worst": 500.0, "proved": False,
        "all_to_all": 60.0, "lost": {"switch": 20, "nic": 15, "cable": 15},
    }  # fmt: skip
    given.update(more)
    items = [
        make_item("switch", f"{each['ports']} x 1 Gb/s", each["count"], each["price"], "a model")
        for each in given["switches"]
    ]
    cables = [make_item("cable", "1 Gb/s", given["pieces"]["cables"], None)] if given["pieces"] else []
    return Network(kind, **{"purchases": (*items, *cables), **given})


def make_advice(*networks: Network, **changes: Any) -> dict[str, Any]:
    """The advice of some networks. changes: of the request."""
    return make_document(make_request(**changes), Gathered([*networks]))
