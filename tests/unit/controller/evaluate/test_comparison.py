# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/evaluate: comparison.py, worth.py and comparison_table.py, several networks in plain sentences."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.evaluate.comparison import (
    OURS,
    format_name,
    list_networks,
    list_results,
)
from ansible.module_utils.fnn.controller.evaluate.comparison_table import format_comparison
from ansible.module_utils.fnn.controller.evaluate.worth import describe_losses, describe_worth
from ansible.module_utils.fnn.controller.numbers import DASH

Row = dict[str, Any]


def make_row(name: str, effective: float, price: float | None, **more: Any) -> Row:
    """A network that gives each flow of random pairs `effective` links, and twice as many with advanced routing."""
    per_gbps = {
        f"effective_{kind}": price and price / effective / times for kind, times in (("basic", 1), ("advanced", 2))
    }
    ebb = {kind: {"sym": {"mean": effective * times}} for kind, times in (("basic", 1), ("advanced", 2))}
    return {
        "alternative": name, "routing": None, "possible": True, "reason": None, "ebb": ebb, "even_at": None,
        "switches_traversed": {"mean": {"value": 1.5}}, "pairwise": {"mean": {"value": 1.0}},
        "aapc": {"basic": {"time": 8.0}, "advanced": {"time": 4.0}}, "nodes_between": None,
        "exposure": {"switch": {"max": 3}, "cable": {"max": 1}},
        "parts": {"switches": [{"count": 1, "ports": 64, "price": None}]},
        "fabric_cost": {"price": price and {"total": price}, "per_gbps": price and per_gbps, "unpriced": []},
        **more,
    }  # fmt: skip


def make_even(theirs: float | None, **design: float | None) -> dict[str, Any]:
    even = {
        "alternative": {"total": theirs, "switch": theirs and theirs / 2},
        "design": {"total": None, "switch": None, "nic": None, **design},
    }
    return {"basic": even, "advanced": even}


def make_measure(name: str, ours: float, best: tuple[str, float], loses_to: list[str], wins_over: list[str]) -> Row:
    return {
        "measure": name, "better": "less" if "price" in name else "more", "design": ours, "even_with": [],
        "best": {"alternative": best[0], "value": best[1]}, "loses_to": loses_to, "wins_over": wins_over,
    }  # fmt: skip


@pytest.fixture
def evaluation() -> dict[str, Any]:
    """The tree is cheaper, the planes are better and cost more, one switch and the mesh are impossible."""
    return {
        "link_mbps": 1000,
        "currency": "EUR",
        "prices": {"name": "mine", "date": "2026-11", "currency": "EUR"},
        "alternatives": [
            make_row("design", 1.0, 1000.0),
            make_row("tree", 0.4, 300.0, even_at=make_even(250.0, total=1200.0)),
            make_row("planes", 2.0, 3000.0, routing="min-hop", even_at=make_even(2000.0)),
            make_row("planes", 2.5, 3000.0, routing="d-mod-k", even_at=make_even(2500.0)),
            make_row("one-switch", 1.0, None, possible=False, reason="no such switch", even_at=make_even(900.0)),
            make_row("mesh", 1.0, None, possible=False, reason="too many NICs", ebb=None),
        ],
        "comparison": [
            make_measure("effective-basic", 1.0, ("planes/d-mod-k", 2.5), ["planes/d-mod-k"], ["tree"]),
            make_measure("effective-advanced", 2.0, ("planes/d-mod-k", 5.0), ["planes/d-mod-k"], ["tree"]),
            make_measure("ring-basic", 0.5, ("design", 0.5), [], ["tree", "planes/min-hop"]),
            make_measure("fabric-price", 1000.0, ("tree", 300.0), ["tree"], ["planes/min-hop", "planes/d-mod-k"]),
            make_measure("fabric-price-per-effective-basic", 1000.0, ("tree", 750.0), ["tree"], ["planes/min-hop"]),
            make_measure(
                "fabric-price-per-effective-advanced", 500.0, ("design", 500.0), [], ["tree", "planes/d-mod-k"]
            ),
        ],
    }  # fmt: skip


def test_a_network_is_listed_once_with_its_best_routing(evaluation: dict[str, Any]) -> None:
    networks = list_networks(evaluation, "basic")
    assert [(each.name, each.routing, each.effective) for each in networks[:3]] == [
        (OURS, "", 1.0), ("tree", "", 0.4), ("planes", "d-mod-k", 2.5),
    ]  # fmt: skip
    assert [(each.name, each.reason) for each in networks[3:]] == [
        ("one switch", "no such switch"),
        ("mesh", "too many NICs"),
    ]


def test_missing_measurements_are_none(evaluation: dict[str, Any]) -> None:
    evaluation["alternatives"][1] |= {
        "aapc": None,
        "exposure": {"switch": None, "cable": None},
        "switches_traversed": {"mean": None},
    }
    tree = list_networks(evaluation, "basic")[1]
    assert (tree.time, tree.lost, tree.switches, tree.effective) == (None, None, None, 0.4)


def test_only_measures_of_the_routing_in_use_count(evaluation: dict[str, Any]) -> None:
    assert [each.words for each in list_results(evaluation, "advanced")] == [
        *(
            "effective bisection bandwidth",
            "price of the fabric",
            "price of the fabric per Gb/s of effective bisection",
        ),
    ]
    assert "throughput of each pair of ring" in [each.words for each in list_results(evaluation, "basic")]


def test_every_loss_is_described_with_numbers_and_the_price_of_the_winner(evaluation: dict[str, Any]) -> None:
    assert describe_losses(evaluation, "basic") == [
        "It loses in effective bisection bandwidth to planes (d-mod-k) (for 3,000 EUR), 1 Gb/s against 2.5 Gb/s.",
        "It loses in price of the fabric to tree, 1,000 against 300 EUR.",
        "It loses in price of the fabric per Gb/s of effective bisection to tree (for 300 EUR), 1,000 against 750 EUR.",
    ]


def test_for_a_loss_the_break_even_price_is_given(evaluation: dict[str, Any]) -> None:
    evaluation["alternatives"][1]["even_at"] = make_even(400.0, total=750.0, switch=50.0, nic=2.5)
    sentences = describe_worth(evaluation, "basic")
    assert (
        sentences[0]
        == "With basic routing this network is the best, or one of the best, in 1 of 4 measures and loses in 3."
    )
    assert sentences[1] == (
        "At the price of its fabric, 1,000 EUR, or less, no network is better in: effective bisection bandwidth; "
        "throughput of each pair of ring."
    )
    assert sentences[2] == (
        "Against one switch, which has no price here, this network wins while a switch of 64 ports costs more than 450"
        " EUR."
    )
    assert sentences[3] == (
        "A Gb/s of effective bisection bandwidth costs less with tree: 750 EUR. This network would win if its fabric"
        " cost less than 750 EUR (with switches under 50 EUR each or with NICs under 2.5 EUR each), or if tree cost"
        " more than 400 EUR."
    )


def test_a_loss_that_no_price_can_change_is_described(evaluation: dict[str, Any]) -> None:
    evaluation["alternatives"][1]["even_at"] = make_even(None)
    assert describe_worth(evaluation, "basic")[-1].endswith("No price of this network would change that.")


def test_where_it_is_the_cheapest_the_nearest_rival_is_named(evaluation: dict[str, Any]) -> None:
    # With advanced routing, one Gb/s costs 300 / 0.8 = 375 on the tree and 3000 / 5 = 600 on planes.
    assert describe_worth(evaluation, "advanced")[-1] == (
        "Its fabric is the cheapest per Gb/s of effective bisection bandwidth; "
        "tree would cost as much at a total of 250 EUR instead of 300 EUR."
    )


def test_without_switch_prices_cost_is_not_compared(evaluation: dict[str, Any]) -> None:
    evaluation["alternatives"][0]["fabric_cost"]["unpriced"] = ["switches"]
    sentences = describe_worth(evaluation, "basic")
    assert (
        sentences[-1] == "Its value for money is unknown: switches have no price. Set fnn_prices, or use a price list."
    )
    assert not any("price" in each or "3,000" in each for each in describe_losses(evaluation, "basic"))


def test_without_other_networks_nothing_is_compared(evaluation: dict[str, Any]) -> None:
    alone = {**evaluation, "alternatives": evaluation["alternatives"][:1]}
    alone["comparison"] = [{**each, "loses_to": [], "wins_over": []} for each in evaluation["comparison"]]
    assert describe_worth(alone, "basic") == ["There is no other network to compare with."]


def test_the_table_for_a_terminal_has_straight_columns(evaluation: dict[str, Any]) -> None:
    lines = format_comparison(evaluation, "basic")
    table = lines[: lines.index("")]
    assert [line.split("  ")[0] for line in table] == ["network", OURS, "tree", "planes (d-mod-k)"]
    assert len({len(line) for line in table}) == 1
    assert "Prices in EUR, from mine, 2026-11: of the fabric, without uplink switch and spares;" in lines
    assert "mesh is not available: too many NICs." in lines


def test_a_network_without_switches_shows_the_nodes_that_forward(evaluation: dict[str, Any]) -> None:
    ring = {"switches_traversed": None, "nodes_between": {"mean": {"value": 0.33}}}
    lost = {"exposure": {"switch": None, "cable": {"max": 2}}}
    evaluation["alternatives"][0] |= ring | lost
    networks = list_networks(evaluation, "advanced")
    assert (networks[0].between, networks[0].switches, networks[0].lost) == (0.33, None, 2.0)
    lines = format_comparison(evaluation, "advanced")
    assert lines[0].split()[:4] == ["network", "nodes", "switches", "pairwise"]
    assert [line.split()[:4] for line in lines[1:3]] == [["this", "network", "0.33", DASH], ["tree", "0", "1.5", "1"]]
    assert "Nodes and switches: means of those between two nodes." in lines


def test_a_flat_neighborhood_network_is_called_by_its_full_name() -> None:
    assert format_name("fnn") == "flat neighborhood network"


def test_a_part_for_nothing_is_no_way_to_win(evaluation: dict[str, Any]) -> None:
    evaluation["alternatives"][1]["even_at"] = make_even(400.0, total=750.0, nic=0.0)
    assert describe_worth(evaluation, "basic")[3].endswith(
        "This network would win if its fabric cost less than 750 EUR, or if tree cost more than 400 EUR."
    )


def test_a_switch_that_would_have_to_be_free_loses_at_any_price(evaluation: dict[str, Any]) -> None:
    for row in evaluation["alternatives"]:
        if row["alternative"] == "one-switch":
            row["even_at"] = make_even(0.0)
    assert "this network wins at any price of a switch of 64 ports." in " ".join(describe_worth(evaluation, "basic"))


def test_a_network_without_switches_is_not_said_to_lack_their_price(evaluation: dict[str, Any]) -> None:
    evaluation["topology"] = "ring"
    evaluation["alternatives"][0]["fabric_cost"] |= {"switches": 0, "unpriced": ["nics", "cables"], "price": None}
    first, second = describe_worth(evaluation, "basic")
    assert first.startswith("This network is the best, or one of the best, in ")
    assert second == (
        "Its value for money is unknown: NICs and cables have no price. Set fnn_prices, or use a price list."
    )
