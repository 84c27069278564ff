# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/request.py: what an operator asks, with all problems at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from advices import PRICES
from ansible.module_utils.fnn.controller.advise.request import (
    Request,
    SwitchModel,
    list_models,
    list_speeds,
    read_request,
)
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.init.answers import Group
from ansible.module_utils.fnn.controller.spec.variable_source import read_source
from ansible.module_utils.fnn.shared.errors import FnnError

Ask = Callable[..., Request]


@pytest.fixture
def ask(root: Path, documents: Documents, tmp_path: Path) -> Ask:
    """Reads a request with these changes of a price list and of variables."""

    def read(prices: dict[str, Any] | None = None, **given: Any) -> Request:
        path = tmp_path / "shop.json"
        path.write_text(json.dumps({**PRICES, **(prices or {})}))
        variables = {"fnn_advise_nodes": 16, "fnn_advise_nics": 3, "fnn_advise_mbps": None, "fnn_advise_prices": path}
        return read_request({**variables, **given}, read_source(root).variables, documents, "basic")

    return read


def list_problems(ask: Ask, *words: Any, **given: Any) -> list[str]:
    with pytest.raises(FnnError) as caught:
        ask(*words, **given)
    return str(caught.value).splitlines()


def make_parts(*speeds: int, **more: Any) -> list[dict[str, Any]]:
    return [{"name": "x", "ports": 1, "speed_mbps": each, "price": 1, "source": "invented", **more} for each in speeds]


def test_numbers_may_be_texts_as_ansible_passes_them(ask: Ask) -> None:
    request = ask(fnn_advise_nodes="16", fnn_advise_mbps="1000")
    assert (request.nodes, request.nics, request.speeds, request.routing) == (16, 3, [1000], "basic")
    assert request.pairs == 120


def test_all_problems_are_named_at_once(ask: Ask) -> None:
    assert list_problems(ask, fnn_advise_nodes=1, fnn_advise_nics=0, fnn_advise_mbps=2500) == [
        "fnn_advise_nodes: 1 is not an integer from 2 to 2048",
        "fnn_advise_nics: 0 is not an integer from 1 to 16",
        "fnn_advise_mbps: shop.json has no NIC of 2500 Mb/s or faster; expected a speed of its NICs: 1000 Mb/s",
        "fnn_advise_mbps: shop.json has no switch of 2500 Mb/s or faster; its switches have 1000 Mb/s",
    ]


def test_missing_variables_and_an_unreadable_list_are_named_at_once(ask: Ask) -> None:
    problems = list_problems(ask, fnn_advise_nodes=None, fnn_advise_nics="", fnn_advise_prices="/nowhere.json")
    assert problems == [
        "fnn_advise_nodes: missing (Number of nodes)",
        "fnn_advise_nics: missing (Network ports of each node)",
        "/nowhere.json: cannot be read: No such file or directory",
    ]


def test_a_list_of_another_shape_is_named_with_its_place(ask: Ask) -> None:
    (problem,) = list_problems(ask, {"switches": make_parts(0)})
    assert problem.startswith("shop.json#/switches/0/speed_mbps: 0 is not ")


def test_a_list_without_nics_prices_no_network(ask: Ask) -> None:
    text = "no NIC has a price; expected at least one, at price 0 if nodes have them"
    assert list_problems(ask, {"nics": []}) == [f"shop.json#/nics: {text}"]


def test_switches_that_are_all_slower_than_the_nics_are_a_problem(ask: Ask) -> None:
    text = "shop.json has no switch of 10000 Mb/s or faster; its switches have 1000 Mb/s"
    assert list_problems(ask, {"nics": make_parts(10000)}) == [f"shop.json#/switches: {text}"]
    assert list_problems(ask, {"nics": make_parts(10000)}, fnn_advise_mbps=10000) == [f"fnn_advise_mbps: {text}"]


def test_a_list_without_switches_is_no_problem(ask: Ask) -> None:
    assert ask({"switches": []}).speeds == [1000]


def test_all_speeds_of_nics_count_that_some_switch_reaches() -> None:
    parts = {"nics": make_parts(10000, 1000, 100, 1000), "switches": make_parts(1000)}
    assert list_speeds(parts) == [100, 1000]
    assert list_speeds({"nics": parts["nics"]}) == [100, 1000, 10000]


def test_words_are_ports_that_nodes_have_and_count_also_for_lower_speeds(ask: Ask) -> None:
    request = ask({"nics": make_parts(1000, 10000), "switches": make_parts(1000, 10000)}, fnn_advise_nics="1x1 + 2x2.5")
    assert (request.nics, request.groups) == (3, (Group(1, 1000), Group(2, 2500)))
    ports = [(each.mbps, each.nics, each.present, each.single) for each in request.ports]
    assert ports == [(1000, 3, True, False), (2500, 2, True, False), (10000, 1, False, True)]
    assert request.ports[0].prices["nics"] == [
        {"name": "present", "ports": 1, "speed_mbps": 1000, "price": 0, "source": "the request"}
    ]


def test_words_that_are_no_ports_are_problems(ask: Ask) -> None:
    assert list_problems(ask, fnn_advise_nics="two") == [
        "fnn_advise_nics: 'two' is no group of sockets; expected a number, perhaps with the speed in Gb/s and the"
        " socket, such as 8x2.5 + 2x10 SFP+"
    ]
    assert list_problems(ask, fnn_advise_nics="17x1") == ["fnn_advise_nics: '17x1' has no 1 to 16 ports"]
    assert list_problems(ask, fnn_advise_nics="2x1", fnn_advise_mbps=1000) == [
        "fnn_advise_mbps: fnn_advise_nics has the speeds already; leave this out"
    ]


def test_words_of_a_price_list_that_are_no_ports_are_named_with_the_switch(ask: Ask) -> None:
    (problem,) = list_problems(ask, {"switches": make_parts(1000, more_ports="two")})
    assert problem.startswith("shop.json#more_ports of x: 'two' is no group of sockets; ")


def test_a_switch_that_another_one_replaces_is_left_out() -> None:
    switches = [
        *make_parts(1000, ports=16, price=50),
        *make_parts(1000, ports=8, price=50),  # fewer ports for as much
        *make_parts(1000, ports=16, price=50),  # the same again
        *make_parts(1000, ports=24, price=40, internal_gbps=10),  # cheaper, but oversubscribed
        *make_parts(100, ports=48, price=5),  # too slow
        *make_parts(1000, ports=48, price=90),  # dearer
    ]
    kept = [SwitchModel(16, 1000, 50), SwitchModel(24, 1000, 40, 10), SwitchModel(48, 1000, 90)]
    assert list_models({"switches": switches}, 1000) == kept
