# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/ranking.py: the order of networks, break-even prices and the document."""

from __future__ import annotations

import pytest
from advices import make_advice, make_network, make_request
from ansible.module_utils.fnn.controller.advise.gather import Gathered, Sizing
from ansible.module_utils.fnn.controller.advise.networks import Network
from ansible.module_utils.fnn.controller.advise.ranking import list_ranked, make_document, rank
from ansible.module_utils.fnn.controller.advise.request import SwitchModel
from ansible.module_utils.fnn.controller.advise.sizes import Fewest
from ansible.module_utils.fnn.controller.documents import Documents


def name_all(networks: list[Network]) -> list[str]:
    return [each.kind for each in networks]


def test_the_cheapest_per_bandwidth_is_first_and_what_cannot_be_built_last() -> None:
    networks = [
        make_network("star", 1.0, reason="a node would need 15 ports, and has 3"),
        make_network("mesh", None),
        make_network("tree", 30.0),
        make_network("fnn", 20.0),
    ]
    assert name_all(rank(networks)) == ["fnn", "tree", "mesh", "star"]
    assert name_all(rank(networks[::-1])) == ["fnn", "tree", "mesh", "star"]


def test_of_equals_per_bandwidth_the_cheapest_in_all_is_first() -> None:
    flat, tree = make_network("fnn", 10.0, price=320.0, nics=2), make_network("tree", 10.0, price=160.0)
    assert name_all(rank([flat, tree])) == ["tree", "fnn"]


def test_break_even_prices_make_a_network_as_cheap_as_the_first() -> None:
    advice = make_advice(make_network("fnn", 10.0), make_network("tree", 30.0, effective=500.0))
    first, tree = advice["networks"]
    # 16 nodes with half a gigabit each at 10 per Gb/s, of which NICs and cables take 40; two switches have the rest.
    assert (first["even_at"], tree["even_at"]) == (None, {"total": 80.0, "switch": 20.0})


def test_no_switch_breaks_even_that_would_need_a_negative_price_or_is_not_there() -> None:
    dear = {"nics": 90.0, "cables": 10.0, "switches": 40.0, "connections": 0.0, "total": 480.0}
    others = [
        make_network("tree", 30.0, effective=500.0, prices=dear),
        make_network("ring", 40.0, pieces={"nics": 32, "cables": 16, "switches": 0}),
        make_network("clos", None, unpriced=("nics", "switches")),
    ]
    advice = make_advice(make_network("fnn", 10.0), *others)
    switches = {each["network"]: each["even_at"]["switch"] for each in advice["networks"][1:]}
    assert switches == {"tree": None, "ring": None, "clos": None}


def test_only_ranked_networks_have_a_rank(documents: Documents) -> None:
    others = [make_network("star", None), make_network("ring", 1.0, reason="every node would need 2 ports, and has 1")]
    advice = make_advice(make_network("tree", 30.0), make_network("fnn", 20.0), *others)
    ranks = [(each["network"], each["rank"]) for each in advice["networks"]]
    assert ranks == [("fnn", 1), ("tree", 2), ("star", None), ("ring", None)]
    assert [each["network"] for each in list_ranked(advice)] == ["fnn", "tree"]
    documents.check(advice, "fnn-advice")


REASON = "n0 can share a switch with at most 21 nodes"


def test_the_document_has_the_request_and_the_sizes(documents: Documents) -> None:
    sizing = Sizing(
        1000, 3, SwitchModel(8, 1000, 20.0), Fewest(None, True, "n0 can share a switch with at most 21 nodes")
    )
    advice = make_document(make_request(), Gathered([Network("fnn", 3, 1000, "plain-switches", "none")], [sizing]))
    documents.check(advice, "fnn-advice")
    assert advice["prices"] == {"name": "shop", "date": "2026-11", "currency": "EUR", "estimated": False}
    assert (advice["nodes"], advice["nics"], advice["pairs"], advice["speeds_mbps"]) == (16, 3, 120, [1000])
    (size,) = advice["sizes"]
    assert (size["ports"], size["switches"], size["reason"]) == (8, None, "n0 can share a switch with at most 21 nodes")


@pytest.mark.parametrize("place", [0, 1])
def test_the_ranking_does_not_depend_on_the_order_of_equals(place: int) -> None:
    pair = [make_network("fnn", 10.0, nics=nics) for nics in (2, 3)]
    assert [each.nics for each in rank([pair[place], pair[1 - place]])] == [2, 3]
