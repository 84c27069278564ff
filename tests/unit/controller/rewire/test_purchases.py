# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.rewire.purchases import Handled, describe_purchases, list_purchases

UPLINK: dict[str, Any] = {"name": "uplink", "ports": 32, "spares": [], "hosts": []}


def buy(old: dict[str, Any], new: dict[str, Any]) -> dict[str, int]:
    """Part -> the number to buy, where no cable of a node moves."""
    return {row["part"]: row["count"] for row in list_purchases(old, new, {}, Handled((), (), ()))["buy"]}


def test_a_new_uplink_switch_has_the_cables_of_the_bill(root: Path, documents: Documents) -> None:
    """KLAT2 with seven switches keeps four ports of each free; one of them is cabled, and so is each spare and host."""
    design = documents.read(root / "inventory/klat2-lean/design.json", "fnn-design")
    spec = design["spec"]
    new = {**spec, "uplink": {**UPLINK, "spares": ["spare0", "spare1"], "hosts": ["head"]}}
    on_uplink = make_cabling({**design, "spec": new}).switches[-1]
    assert (
        buy({**spec, "uplink": None}, new)
        == {"switch": 1, "cable": len(on_uplink.cables)}
        == {"switch": 1, "cable": 10}
    )


def test_a_new_spare_needs_a_cable(root: Path, documents: Documents) -> None:
    spec = documents.read(root / "inventory/klat2-lean/design.json", "fnn-design")["spec"]
    assert buy({**spec, "uplink": UPLINK}, {**spec, "uplink": {**UPLINK, "spares": ["spare0"]}}) == {"cable": 1}


def test_prices_without_a_currency_are_marked() -> None:
    row = {"part": "cable", "count": 2, "speed_mbps": 1000, "media": "rj45", "price": 3}
    assert list(describe_purchases({"buy": [row], "free": []})) == [
        "to buy: 2 cables of 1 Gb/s rj45, 3 (currency not set) each",
        "price: 6 (currency not set)",
    ]


def make_ports(*groups: tuple[int, int, str]) -> list[dict[str, Any]]:
    """groups: (count, Mb/s, medium)."""
    return [{"count": many, "speed_mbps": mbps, "media": media} for many, mbps, media in groups]


def test_a_new_switch_has_its_ports_of_each_speed(root: Path, documents: Documents) -> None:
    """The uplink goes to the last copper port, and the trunk joins the fastest ports that both switches have."""
    spec = documents.read(root / "inventory/lab/design.json", "fnn-design")["spec"]
    mixed = {**spec["switches"][0], "name": "white", "ports": make_ports((8, 2500, "rj45"), (2, 10000, "sfp"))}
    other = {**mixed, "name": "grey", "ports": make_ports((5, 2500, "rj45"), (1, 10000, "sfp"))}
    new = {**spec, "switches": [*spec["switches"], mixed, other]}
    handled = Handled((), (), [("white", "grey", -2)])
    assert list(describe_purchases(list_purchases(spec, new, {}, handled))) == [
        "to buy: 1 switch with 5 ports of 2.5 Gb/s rj45 and 1 port of 10 Gb/s sfp (grey)",
        "to buy: 1 switch with 8 ports of 2.5 Gb/s rj45 and 2 ports of 10 Gb/s sfp (white)",
        "to buy: 2 cables of 2.5 Gb/s rj45",
        "to buy: 2 cables of 10 Gb/s sfp",
    ]
