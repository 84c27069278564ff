# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/mixes.py: switches for nodes with ports of several kinds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from advices import PRICES, make_request
from ansible.module_utils.fnn.controller.advise.gather import Gatherer
from ansible.module_utils.fnn.controller.advise.mixes import Mix, list_mixes
from ansible.module_utils.fnn.controller.advise.ports import choose_present
from ansible.module_utils.fnn.controller.advise.request import Request
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.init.answers import Group


def make_switch(ports: int, mbps: int, price: float, media: str = "rj45", **more: Any) -> dict[str, Any]:
    name = f"{ports} x {mbps}"
    return {
        "name": name, "ports": ports, "speed_mbps": mbps, "media": media, "price": price, "source": "invented", **more
    }  # fmt: skip


SWITCHES = [make_switch(5, 1000, 10), make_switch(16, 1000, 50), make_switch(8, 2500, 55)]
CABLES = [{"speed_mbps": 2500, "media": "rj45", "price": 2, "source": "invented"}]


def ask(nodes: int, *groups: Group, switches: list[dict[str, Any]] | None = None) -> Request:
    prices = {**PRICES, "switches": SWITCHES if switches is None else switches, "cables": CABLES}
    ports = tuple(choose_present(prices, groups))
    return make_request(nodes=nodes, nics=sum(each.count for each in groups), prices=prices, ports=ports, groups=groups)


def count_all(mixes: list[Mix]) -> list[Mapping[str, int]]:
    return [{entry["name"]: number for entry, number in mix.switches} for mix in mixes]


def test_every_nic_has_a_port_and_the_cheapest_combination_is_first() -> None:
    mixes = list_mixes(ask(11, Group(1, 1000), Group(2, 2500)))
    # 22 NICs on three switches leave two ports, so that two small switches hold the other nine.
    assert count_all(mixes)[:2] == [{"8 x 2500": 3, "5 x 1000": 2}, {"8 x 2500": 3, "5 x 1000": 3}]
    assert {"8 x 2500": 3, "16 x 1000": 1} in count_all(mixes)
    assert {"8 x 2500": 5} in count_all(mixes), "switches of 2.5 Gb/s take all 33"


def test_a_switch_with_ports_for_two_kinds_serves_both() -> None:
    both = make_switch(8, 2500, 90, more_ports="2x10 SFP+")
    request = ask(4, Group(2, 2500), Group(1, 10000, "sfp+"), switches=[both, make_switch(8, 10000, 220, "sfp+")])
    assert count_all(list_mixes(request))[0] == {"8 x 2500": 2}
    nics, ports = (list_mixes(request)[0].spec[key][0] for key in ("nodes", "switches"))
    assert [each["media"] for each in nics["nics"]] == ["rj45", "rj45", "sfp"]
    assert [(each["count"], each["media"]) for each in ports["ports"]] == [(8, "rj45"), (2, "sfp")]


def test_ports_of_one_kind_and_of_a_kind_without_switches_have_no_combinations() -> None:
    assert list_mixes(ask(11, Group(3, 2500))) == []
    assert list_mixes(ask(11, Group(2, 2500), Group(2, 40000, "usb4"))) == []


def gather(request: Request, engine: Designer, documents: Documents, directory: Path) -> list[Any]:
    gathered = Gatherer(request, engine, documents, directory, lambda _: None).gather()
    return [each for each in gathered.networks if each.groups]


@pytest.mark.long
def test_the_engine_designs_a_network_of_all_ports(engine: Designer, documents: Documents, tmp_path: Path) -> None:
    found = gather(ask(11, Group(1, 1000), Group(2, 2500)), engine, documents, tmp_path)
    best = min(found, key=lambda each: each.price)
    assert (best.kind, best.groups) == ("fnn", "1 x 1 Gb/s + 2 x 2.5 Gb/s")
    # Three switches at 55 and two at 10, and 33 cables at 2.
    assert (best.price, best.pieces["cables"]) == (3 * 55 + 2 * 10 + 33 * 2, 33)
    assert [(each["part"], each["count"], each["total"]) for each in best.purchases] == [
        ("switch", 2, 20), ("switch", 3, 165), ("cable", 33, 66),
    ]  # fmt: skip
    assert best.per_gbps == pytest.approx(1000 * best.price / 11 / best.effective)


@pytest.mark.long
def test_switches_that_hold_all_nodes_are_rails(engine: Designer, documents: Documents, tmp_path: Path) -> None:
    (best, *_) = gather(
        ask(6, Group(1, 1000), Group(2, 2500), switches=[make_switch(8, 1000, 20), make_switch(8, 2500, 55)]),
        engine, documents, tmp_path,
    )  # fmt: skip
    assert (best.kind, best.price) == ("rails", 20 + 2 * 55 + 18 * 2)
    assert best.effective == pytest.approx(6000)
