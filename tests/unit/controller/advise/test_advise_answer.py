# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/advise/answer.py, names.py, table.py and chart.py: the answer in sentences, tables and a picture."""

from __future__ import annotations

from typing import Any

from advices import make_advice, make_network
from ansible.module_utils.fnn.controller.advise.answer import describe_answer
from ansible.module_utils.fnn.controller.advise.chart import draw_ranking
from ansible.module_utils.fnn.controller.advise.names import format_title, join_words, name_parts
from ansible.module_utils.fnn.controller.advise.networks import MULTIPATH, NODES, Network
from ansible.module_utils.fnn.controller.advise.table import format_long, format_short
from ansible.module_utils.fnn.controller.numbers import DASH

REFUSAL = "A flat neighborhood network is not the answer here:"


def make_flat(per_gbps: float | None = 20.0, **more: Any) -> Network:
    given = {"nics": 3, "switches": ({"count": 6, "ports": 8, "price": 20.0},), "worst": 1000.0, "proved": True}
    return make_network("fnn", per_gbps, **{**given, **more})


def make_one(per_gbps: float = 10.0, **more: Any) -> Network:
    return make_network("one-switch", per_gbps, **{"switches": ({"count": 1, "ports": 24, "price": 110.0},), **more})


def test_the_recommendation_names_parts_price_and_the_next_network() -> None:
    assert describe_answer(make_advice(make_flat(8.0), make_one())) == [
        "Build a flat neighborhood network: 6 switches of 8 ports and 3 NICs of 1 Gb/s in each of 16 nodes;"
        " 128 EUR in all, 8 EUR per Gb/s of effective bandwidth.",
        "The cheapest other network is one switch of 24 ports, 1 NIC of 1 Gb/s in each of 16 nodes,"
        " at 10 EUR per Gb/s of effective bandwidth.",
    ]


def test_another_network_is_recommended_with_its_price_beside_that_of_the_fnn() -> None:
    build, refuse = describe_answer(make_advice(make_flat(), make_one()))
    assert build.startswith("Build one switch of 24 ports: 1 NIC of 1 Gb/s in each of 16 nodes; 160 EUR in all, ")
    assert refuse == (
        f"{REFUSAL} one switch of 24 ports costs less (160 instead of 320 EUR), also per Gb/s (10 instead of 20 EUR)."
        " The flat neighborhood network has a better worst case (1 Gb/s instead of at most 500 Mb/s)."
    )


def test_a_dearer_network_may_cost_less_per_bandwidth() -> None:
    rails = make_network("rails", 10.0, price=640.0, effective=4000.0, worst=4000.0, proved=True, nics=3)
    _, refuse = describe_answer(make_advice(make_flat(), rails))
    assert refuse == f"{REFUSAL} rails cost more (640 instead of 320 EUR), but less per Gb/s (10 instead of 20 EUR)."


def test_all_merits_of_the_fnn_are_named() -> None:
    flat = make_flat(effective=1400.0, lost={"switch": 15, "nic": 0, "cable": 0})
    _, refuse = describe_answer(make_advice(flat, make_one(lost={"switch": 120, "nic": 15, "cable": 15})))
    assert refuse.endswith(
        "The flat neighborhood network has more bandwidth (1.4 Gb/s per node instead of 1 Gb/s), has a better worst"
        " case (1 Gb/s instead of at most 500 Mb/s) and loses fewer pairs to a dead switch (15 instead of 120)."
    )


def test_without_an_fnn_the_reason_is_given() -> None:
    none = make_flat(None, reason="one switch holds all nodes", effective=None)
    assert describe_answer(make_advice(none, make_one()))[1] == f"{REFUSAL} one switch holds all nodes."


def test_without_any_price_nothing_is_recommended() -> None:
    none = make_flat(None, reason="it needs two NICs or more per node")
    (sentence,) = describe_answer(make_advice(none, make_network("star", None)))
    reason = "it needs two NICs or more per node"
    assert sentence == f"No network can be built for a known price. {REFUSAL} {reason}."


def test_a_network_for_other_switches_comes_with_the_best_of_plain_switches() -> None:
    clos = make_network("clos", 5.0, forwarding=MULTIPATH, routing="d-mod-k")
    ring = make_network("ring", 6.0, forwarding=NODES)
    *_, last = describe_answer(make_advice(make_flat(), clos, ring, make_one(30.0)))
    assert last == (
        "The switches of a Clos network with d-mod-k routing must use several paths, which unmanaged switches cannot."
        " Of plain switches, build a flat neighborhood network: 6 switches of 8 ports and 3 NICs of 1 Gb/s in each of"
        " 16 nodes; 320 EUR, 20 EUR per Gb/s."
    )


def test_nodes_that_forward_are_named_as_a_requirement() -> None:
    *_, last = describe_answer(make_advice(make_flat(), make_network("ring", 6.0, forwarding=NODES)))
    assert last == "In this network the nodes forward traffic of others, which takes their processor time."


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


def test_words_are_joined_as_in_a_sentence() -> None:
    assert [join_words(each) for each in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_the_short_form_has_the_first_networks_and_the_best_fnn() -> None:
    trees = [make_network("tree", 10.0 + each, mbps=1000 + each) for each in range(9)]
    lines = format_short(make_advice(*trees, make_flat(99.0), make_flat(100.0, nics=2), make_network("star", None)))
    assert len(lines) <= 20
    ranks = [line.split()[0] for line in lines if line.lstrip()[:1].isdigit()]
    assert ranks == ["1", "2", "3", "4", "5", "6", "10"]
    assert any(line.split()[:4] == ["10", "FNN,", "3", "NICs"] for line in lines)


def test_a_row_has_all_that_the_ranking_is_about() -> None:
    lines = format_short(make_advice(make_flat(8.0), make_one(unpriced=("cables",), lost={"switch": None})))
    head, flat, one = (next(each for each in lines if words in each) for words in ("per Gb/s  ", "1  FNN", "2  one"))
    assert head.split() == ["network", "switches", "price", "per", "Gb/s", "per", "node", "worst", "case", "lost"]
    assert flat.split() == ["1", "FNN,", "3", "NICs", "6", "x", "8", "128", "8", "1", "Gb/s", "1", "Gb/s", "20"]
    assert one.split() == ["2", "one", "switch", "1", "x", "24", "160", "10", "1", "Gb/s", "<=", "500", "Mb/s", DASH]
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
