# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/routing.py and its effect on the plan.

The six PCs: k00, k01 on red and blue, k02, k03 on red and green, k04, k05 on blue and green.
"""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.plan.routing import Routing, show_table
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]

ROWS = [".10011", "1.0011", "00.222", "002.22", "1122.2", "11222."]


def make_routes(rows: list[str], digits: int = 1) -> Document:
    switches = [{"switch": name, "code": f"{code:0{digits}}"} for code, name in enumerate(["red", "blue", "green"])]
    return {
        "cluster": "six",
        "switches": switches,
        "nodes": [{"name": f"k{i:02}", "row": row} for i, row in enumerate(rows)],
    }


def test_the_switch_of_the_table_is_used() -> None:
    routing = Routing(make_routes(ROWS))
    assert routing.choose(0, 1, ["red", "blue"]) == "blue"
    assert routing.choose(2, 3, ["red", "green"]) == "green"


def test_satellites_have_ranks_behind_the_table() -> None:
    routing = Routing(make_routes(ROWS))
    assert routing.find(6, 7) is routing.find(0, 6) is None
    assert routing.choose(6, 7, ["uplink"]) == "uplink"


def test_codes_of_two_digits_are_read_too() -> None:
    routing = Routing(make_routes(["..01", "01.."], digits=2))
    assert routing.choose(0, 1, ["red", "blue"]) == "blue"


def test_both_ends_choose_the_same_substitute_switch() -> None:
    routing = Routing(make_routes(ROWS))
    assert routing.choose(4, 5, ["blue"]) == "blue"
    assert routing.choose(4, 5, ["blue", "red"]) == routing.choose(5, 4, ["blue", "red"])


def test_the_page_has_a_legend_and_a_row_per_node() -> None:
    lines = show_table(make_routes(ROWS)).splitlines()
    assert lines[1].startswith("0 red  1 blue  2 green")
    assert lines[3:] == [f"k{rank:02}  {row}" for rank, row in enumerate(ROWS)]


def test_basic_routing_has_one_path_per_peer_and_keeps_all_neighbors(design: Document, macs: Document) -> None:
    plain = plan_with(design, macs).views
    basic = plan_with(design, macs, inputs={"routes": make_routes(ROWS)}, fnn_routing="basic").views
    codes = ["red", "blue", "green"]
    for rank, (name, view) in enumerate(basic.items()):
        chosen = {route["node"]: [via["switch"] for via in route["via"]] for route in view["routes"]}
        assert chosen == {f"k{peer:02}": [codes[int(code)]] for peer, code in enumerate(ROWS[rank]) if code != "."}
        assert view["neighbors"] == plain[name]["neighbors"]


def test_a_resting_nic_takes_its_pairs_to_the_other_switch(design: Document, macs: Document) -> None:
    nic = next(link["nic"] for link in design["nodes"][0]["links"] if link["switch"] == "blue")
    inputs = {"routes": make_routes(ROWS), "resting": [{"node": "k00", "nic": nic}]}
    views = plan_with(design, macs, inputs=inputs, fnn_routing="basic").views
    for one, other in (("k00", "k01"), ("k01", "k00")):
        route = next(route for route in views[one]["routes"] if route["node"] == other)
        assert [via["switch"] for via in route["via"]] == ["red"]


@pytest.mark.parametrize("without", [{"fnn_addressing": "unnumbered"}, {"fnn_routing": "basic"}])
@pytest.mark.parametrize("variable", ["fnn_mptcp", "fnn_mpi_rails"])
def test_mptcp_and_rails_need_addresses_and_all_shared_switches(
    design: Document, macs: Document, without: Document, variable: str
) -> None:
    plan_with(design, macs, **{variable: True})
    with pytest.raises(FnnError, match=f"{variable}: needs fnn_addressing subnets and fnn_routing advanced"):
        plan_with(design, macs, **{variable: True}, **without)


def test_basic_routing_needs_the_document_of_the_routes(design: Document, macs: Document) -> None:
    with pytest.raises(FnnError, match=r"^fnn_routing: basic needs routes\.json"):
        plan_with(design, macs, fnn_routing="basic")


def test_mptcp_is_in_the_view(design: Document, macs: Document) -> None:
    assert plan_with(design, macs, fnn_mptcp=True).views["k00"]["mptcp"] is True
