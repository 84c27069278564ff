# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/answer.py, names.py, table.py and chart.py: the answer in sentences, tables and a picture."""

from __future__ import annotations

from typing import Any

from advices import PRICES, make_advice, make_network, make_request
from ansible.module_utils.fnn.controller.advise.answer import describe_answer
from ansible.module_utils.fnn.controller.advise.chart import draw_ranking
from ansible.module_utils.fnn.controller.advise.gather import Gathered
from ansible.module_utils.fnn.controller.advise.names import format_title, join_words, name_parts
from ansible.module_utils.fnn.controller.advise.networks import MULTIPATH, NODES, Network
from ansible.module_utils.fnn.controller.advise.purchases import make_item
from ansible.module_utils.fnn.controller.advise.ranking import make_document
from ansible.module_utils.fnn.controller.advise.table import format_long, format_short
from ansible.module_utils.fnn.controller.init.answers import Group
from ansible.module_utils.fnn.controller.numbers import DASH

REFUSAL = "A flat neighborhood network is not the answer here:"


def make_flat(per_gbps: float | None = 20.0, **more: Any) -> Network:
    given = {"nics": 3, "switches": ({"count": 6, "ports": 8, "price": 20.0},), "worst": 1000.0, "proved": True}
    return make_network("fnn", per_gbps, **{**given, **more})


def make_one(per_gbps: float = 10.0, **more: Any) -> Network:
    switches = ({"count": 1, "ports": 24, "price": 110.0},)
    return make_network("one-switch", per_gbps, **{"switches": switches, "worst": 1000.0, "proved": True, **more})


def test_the_answer_says_what_to_buy_and_then_why() -> None:
    assert describe_answer(make_advice(make_flat(8.0), make_one())) == [
        "Buy 6 switches of 8 x 1 Gb/s and 16 cables: 128 EUR in all.",
        "The network is a flat neighborhood network with 3 NICs of 1 Gb/s in each of 16 nodes. Each node has 1 Gb/s of"
        " effective bandwidth, for 8 EUR per Gb/s; the slowest flow gets 1 Gb/s.",
        "The cheapest other network per Gb/s is one switch of 24 ports, 1 NIC of 1 Gb/s in each of 16 nodes,"
        " for 10 EUR per Gb/s.",
    ]


def test_another_network_is_recommended_with_its_price_beside_that_of_the_fnn() -> None:
    buy, _, refuse = describe_answer(make_advice(make_flat(), make_one(lost={"switch": 21})))
    assert buy == "Buy 1 switch of 24 x 1 Gb/s and 16 cables: 160 EUR in all."
    assert refuse == (
        f"{REFUSAL} one switch of 24 ports costs less (160 instead of 320 EUR), also per Gb/s (10 instead of 20 EUR)."
        " The flat neighborhood network loses fewer pairs to a dead switch (20 instead of 21)."
    )


def test_a_dearer_network_may_cost_less_per_bandwidth() -> None:
    rails = make_network("rails", 10.0, price=640.0, effective=4000.0, worst=4000.0, proved=True, nics=3)
    sentences = describe_answer(make_advice(make_flat(), rails))
    assert sentences[2:] == [
        f"{REFUSAL} rails cost more (640 instead of 320 EUR), but less per Gb/s (10 instead of 20 EUR).",
        "The lowest total has a flat neighborhood network with 3 NICs of 1 Gb/s in each of 16 nodes: 320 EUR.",
    ]


def test_all_merits_of_the_fnn_are_named() -> None:
    flat = make_flat(effective=1400.0, worst=1200.0, lost={"switch": 15, "nic": 0, "cable": 0})
    refuse = describe_answer(make_advice(flat, make_one(lost={"switch": 120, "nic": 15, "cable": 15})))[2]
    assert refuse.endswith(
        "The flat neighborhood network has more bandwidth (1.4 Gb/s per node instead of 1 Gb/s), has a better worst"
        " case (1.2 Gb/s instead of 1 Gb/s) and loses fewer pairs to a dead switch (15 instead of 120)."
    )


def test_without_an_fnn_the_reason_is_given() -> None:
    none = make_flat(None, reason="one switch holds all nodes", effective=None)
    assert describe_answer(make_advice(none, make_one()))[2] == f"{REFUSAL} one switch holds all nodes."


def test_without_any_price_nothing_is_recommended() -> None:
    none = make_flat(None, reason="it needs two NICs or more per node")
    (sentence,) = describe_answer(make_advice(none, make_network("star", None)))
    reason = "it needs two NICs or more per node"
    assert sentence == f"No network can be built for a known price. {REFUSAL} {reason}."


def test_networks_that_unmanaged_switches_cannot_build_are_not_the_answer() -> None:
    clos = make_network("clos", 5.0, forwarding=MULTIPATH, routing="d-mod-k", worst=1000.0, proved=True)
    advice = make_advice(make_flat(), clos, make_network("ring", 6.0, forwarding=NODES), make_one(30.0))
    sentences = describe_answer(advice)
    assert sentences[0] == "Buy 6 switches of 8 x 1 Gb/s and 16 cables: 320 EUR in all."
    assert sentences[-1] == (
        "A Clos network with d-mod-k routing costs less per Gb/s (5 EUR), but its switches must use several paths,"
        " which unmanaged switches cannot."
    )
    alone = describe_answer(make_advice(clos))
    assert alone[0] == "Buy 2 switches of 8 x 1 Gb/s and 16 cables: 80 EUR in all."
    assert (
        alone[-1]
        == "In a Clos network with d-mod-k routing, switches must use several paths, which unmanaged switches cannot."
    )


def test_networks_slower_than_a_link_are_not_the_answer() -> None:
    ring, tree = make_network("ring", 6.0, forwarding=NODES), make_network("tree", 5.0)
    assert describe_answer(make_advice(make_flat(), ring))[-1] == (
        "A ring costs less per Gb/s (6 EUR), but its nodes forward traffic of others, which takes their processor time,"
        " and the slowest flow gets at most 500 Mb/s."
    )
    assert describe_answer(make_advice(make_flat(), tree))[-1] == (
        "A tree costs less per Gb/s (5 EUR), but the slowest flow gets at most 500 Mb/s."
    )
    alone = describe_answer(make_advice(ring))
    assert alone[-1] == "In a ring, nodes forward traffic of others, which takes their processor time."


def test_nodes_that_forward_nothing_are_an_answer() -> None:
    mesh = make_network("mesh", 6.0, forwarding=NODES, worst=1000.0, proved=True, switches=())
    assert describe_answer(make_advice(make_flat(), mesh))[0] == "Buy 16 cables: 96 EUR in all."


def test_estimates_are_named_with_their_date_and_the_remedy() -> None:
    source = {"source": "estimate, rounded"}
    prices = {**PRICES, **{part: [{**each, **source} for each in PRICES[part]] for part in ("switches", "nics")}}
    assert describe_answer(make_advice(make_one(), prices=prices))[-1] == (
        "All prices are rounded estimates of 2026-11: for those of your shop, write a list (docs/reference/prices.md)"
        " and add --prices FILE."
    )


def test_the_best_network_with_all_ports_is_named() -> None:
    mixed = make_flat(groups="1 x 1 Gb/s + 2 x 2.5 Gb/s", effective=4000.0)
    advice = make_advice(make_one(), mixed)
    assert (
        "All ports are used by a flat neighborhood network of 6 switches of 8 x 1 Gb/s and 16 cables: 4 Gb/s per node,"
        " for 320 EUR, 20 EUR per Gb/s."
    ) in describe_answer(advice)
    assert format_title(advice["networks"][1], advice) == "FNN, all ports"


def test_nodes_with_unequal_numbers_of_nics_are_not_said_to_be_equal() -> None:
    advice = make_advice(make_flat(pieces={"nics": 40, "cables": 40, "switches": 6}))
    (entry,) = advice["networks"]
    assert name_parts(entry, advice) == "6 switches of 8 ports and 40 NICs of 1 Gb/s in 16 nodes, at most 3 in each"
    assert format_title(entry, advice) == "FNN, up to 3 NICs"


def test_speeds_are_named_where_they_differ() -> None:
    network = make_network("fat-tree", 5.0, forwarding=MULTIPATH, routing="random", mbps=10000)
    one, two = make_advice(network, speeds=(10000,)), make_advice(network, speeds=(1000, 10000))
    assert [format_title(each["networks"][0], each) for each in (one, two)] == [
        "fat tree (random) *",
        "fat tree (random), 10 Gb/s *",
    ]
    network = make_one(mbps=10000, media="sfp+", purchases=(make_item("module", "10 Gb/s RJ45", 16, 45.0),))
    advice = make_advice(network)
    assert format_title(advice["networks"][0], advice) == "one switch, 10 Gb/s SFP+, modules"


def test_words_are_joined_as_in_a_sentence() -> None:
    assert [join_words(each) for each in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_the_short_form_has_the_networks_of_the_answer_and_what_to_buy() -> None:
    rings = [make_network("ring", 1.0 + each, forwarding=NODES, mbps=1000 + each) for each in range(9)]
    ones = [make_one(20.0 + each) for each in range(7)]
    lines = format_short(
        make_advice(*rings, *ones, make_flat(99.0), make_flat(100.0, nics=2), make_network("star", None))
    )
    assert len(lines) <= 30
    ranks = [line.split()[0] for line in lines[:-4] if line.lstrip()[:1].isdigit() and "1 Gb/s  " in line]
    assert ranks == ["1", "10", "11", "12", "13", "14", "15", "17"]
    assert lines[-4:] == [
        "    to buy               each  in all",
        " 1  switch, 24 x 1 Gb/s   110     110",
        f"16  cable, 1 Gb/s           {DASH}       {DASH}",
        "                                  320",
    ]


def test_ports_of_several_kinds_come_with_what_was_not_searched() -> None:
    groups = (Group(1, 1000), Group(2, 2500))
    advice = make_document(make_request(groups=groups), Gathered([make_flat(), make_one()], [], (6, 21)))
    lines = format_long(advice)
    assert lines[0] == "16 nodes with 1 x 1 Gb/s + 2 x 2.5 Gb/s already, advanced routing"
    assert (
        "All ports: only flat neighborhood networks and rails use ports of several kinds at once. A row with a speed"
        " uses the ports that are at least as fast, at that speed. Combinations have one model of switches for each"
        " kind of ports, and a port for every NIC: 6 of 21 were tried, the cheapest first. Two models for one kind, and"
        " other numbers of switches, were not tried."
    ) in " ".join(lines)


def test_a_row_has_all_that_the_ranking_is_about() -> None:
    lines = format_short(make_advice(make_flat(8.0), make_one(unpriced=("cables",), lost={"switch": None})))
    head, flat, one = (next(each for each in lines if words in each) for words in ("per Gb/s  ", "1  FNN", "2  one"))
    assert head.split() == ["network", "switches", "price", "per", "Gb/s", "per", "node", "worst", "case", "lost"]
    assert flat.split() == ["1", "FNN,", "3", "NICs", "6", "x", "8", "128", "8", "1", "Gb/s", "1", "Gb/s", "20"]
    assert one.split() == ["2", "one", "switch", "1", "x", "24", "160", "10", "1", "Gb/s", "1", "Gb/s", DASH]
    assert "The list has no price of cables; they count 0." in " ".join(lines)


def test_the_long_form_has_every_network_with_reason_or_break_even_price() -> None:
    star = make_network("star", None, forwarding=NODES, pieces={"nics": 30, "cables": 15, "switches": 0})
    mesh = make_network("mesh", None, reason="too few ports", effective=None, pieces=None)
    lines = format_long(make_advice(make_flat(), make_one(), star, mesh))
    assert lines[:2] == [
        "16 nodes with 3 ports of 1 Gb/s each, advanced routing",
        "prices: shop, 2026-11, in EUR",
    ]
    assert "  FNN, 3 NICs: 160 EUR, 60 EUR per switch" in lines
    head = "Without a price or not available; would be first at a total below:"
    assert lines[lines.index(head) + 1] == "  star +: 160 EUR"
    assert lines[lines.index("Not available:") + 1] == "  mesh: too few ports"


def test_the_picture_has_a_bar_for_each_ranked_network() -> None:
    advice = make_advice(make_flat(), make_one(), make_network("mesh", None))
    picture = draw_ranking(advice)
    assert all(words in picture for words in ("FNN, 3 NICs", "one switch", "EUR per Gb/s of effective bandwidth"))
    assert "mesh" not in picture
    assert draw_ranking(advice) == picture
    assert draw_ranking(make_advice(make_network("mesh", None))) == ""
