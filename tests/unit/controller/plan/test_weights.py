# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/weights.py and its effect on the plan.

The six PCs: k00, k01 on red and blue, k02, k03 on red and green, k04, k05 on blue and green.
"""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.plan.render import format_route
from ansible.module_utils.fnn.controller.plan.weights import Weights, choose_weights, select_weights, show_weights
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]

TABLE = [{"code": "0", "weights": [1, 3]}, {"code": "1", "weights": [2, 1]}]
ROWS = {"k00": ".0====", "k01": "0.====", "k04": "=====1", "k05": "====1."}
WEIGHTS = {"weights": TABLE, "rows": ROWS}


def read_routes(plan: Any, name: str) -> dict[str, str]:
    """Peer -> the line of its route, for routes with weights."""
    lines = {route["node"]: format_route(route) for route in plan.views[name]["routes"]}
    return {peer: line for peer, line in lines.items() if "*" in line}


def test_weights_are_those_of_shared_switches_in_the_order_of_the_spec(design: Document) -> None:
    weights = Weights(WEIGHTS, design)
    assert weights.find("k00") == {"k01": {"red": 1, "blue": 3}}
    assert weights.find("k05") == {"k04": {"blue": 2, "green": 1}}
    assert weights.find("k02") == {}, "a node without a row"
    assert weights.find("spare") == {}, "a satellite"


def test_weights_of_another_number_of_switches_are_refused(design: Document) -> None:
    table = [{"code": "0", "weights": [1, 3, 1]}, {"code": "1", "weights": [2, 1]}]
    with pytest.raises(FnnError) as found:
        Weights({"weights": table, "rows": {"k00": ".01==="}}, design).find("k00")
    assert str(found.value).splitlines() == [
        "routes.json#/weights: code 0 has 3 weights, but k00 and k01 share 2 switches",
        "routes.json#/weights: code 1 has 2 weights, but k00 and k02 share 1 switch",
    ]


def test_codes_of_two_digits_are_read(design: Document) -> None:
    table = [{"code": "0z", "weights": [1, 3]}]
    assert Weights({"weights": table, "rows": {"k00": "..0z========"}}, design).find("k00")["k01"] == {
        "red": 1,
        "blue": 3,
    }


@pytest.mark.parametrize(
    ("over", "found"),
    [
        (("red", "blue", "green"), (1, 2, 3)),
        (("green", "blue"), (3, 2)),
        (("red",), ()),
        (("red", "white"), ()),
        ((), ()),
    ],
)
def test_switches_in_use_keep_their_proportion(over: tuple[str, ...], found: tuple[int, ...]) -> None:
    assert choose_weights({"red": 2, "blue": 4, "green": 6}, over) == found


def test_equal_weights_are_left_out() -> None:
    assert choose_weights({"red": 3, "blue": 3, "green": 1}, ("red", "blue")) == ()


def test_both_ends_of_a_pair_have_the_weights(design: Document, macs: Document) -> None:
    plan = plan_with(design, macs, inputs={"weights": WEIGHTS})
    assert read_routes(plan, "k00") == {"k01": "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2*3"}
    assert read_routes(plan, "k01") == {"k00": "10.78.0.1 k00 red=10.77.0.1 blue=10.77.1.1*3"}
    assert read_routes(plan, "k04") == {"k05": "10.78.0.6 k05 blue=10.77.1.6*2 green=10.77.2.6"}
    assert read_routes(plan, "k02") == {}


def test_the_rest_of_the_plan_is_that_without_weights(design: Document, macs: Document) -> None:
    plain, weighted = plan_with(design, macs), plan_with(design, macs, inputs={"weights": WEIGHTS})
    for name, view in weighted.views.items():
        routes = [
            {**route, "via": [{key: hop[key] for key in ("switch", "address")} for hop in route["via"]]}
            for route in view["routes"]
        ]
        assert {**view, "routes": routes} == plain.views[name]


@pytest.mark.parametrize("off", [{"fnn_weights": False}, {"fnn_routing": "basic"}])
def test_the_variables_turn_weights_off(design: Document, macs: Document, off: Document) -> None:
    routes = {
        "switches": [{"switch": each, "code": str(code)} for code, each in enumerate(("red", "blue", "green"))],
        "nodes": [{"row": row} for row in (".00011", "0.0011", "00.222", "002.22", "1122.1", "11221.")],
    }
    plan = plan_with(design, macs, inputs={"weights": WEIGHTS, "routes": routes}, **off)
    assert [read_routes(plan, name) for name in plan.views] == [{}] * 6


def test_unnumbered_nics_have_weights(design: Document, macs: Document) -> None:
    plan = plan_with(design, macs, inputs={"weights": WEIGHTS}, fnn_addressing="unnumbered")
    (line,) = read_routes(plan, "k00").values()
    assert line.split()[1:] == ["k01", "red", "blue*3"]


def test_a_resting_nic_leaves_one_switch_without_weight(design: Document, macs: Document) -> None:
    nic = next(link["nic"] for link in design["nodes"][0]["links"] if link["switch"] == "blue")
    plan = plan_with(design, macs, inputs={"weights": WEIGHTS, "resting": [{"node": "k00", "nic": nic}]})
    assert read_routes(plan, "k00") == read_routes(plan, "k01") == {}


def test_routes_to_other_nics_have_the_weights_of_their_node(design: Document, macs: Document) -> None:
    # k01 gets a third NIC, on green, which k00 has no cable to.
    design["nodes"][1]["links"].append({"nic": 2, "switch": "green"})
    next(each for each in design["switches"] if each["name"] == "green")["nodes"].insert(0, "k01")
    macs["nodes"][1]["nics"].append({**macs["nodes"][1]["nics"][0], "nic": 2, "mac": "02:f0:00:00:01:02"})
    plan = plan_with(design, macs, inputs={"weights": WEIGHTS}, fnn_mpi_rails=True)
    lines = [format_route(route) for route in plan.views["k00"]["routes"] if route["node"] == "k01"]
    assert lines == [
        "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2*3",
        "10.77.2.2 k01 red=10.77.0.2 blue=10.77.1.2*3",
    ]


def test_the_plan_takes_rows_and_codes() -> None:
    nodes = [{"name": name, "weight_row": row} for name, row in ROWS.items()]
    assert select_weights({"weights": TABLE, "nodes": nodes}) == WEIGHTS
    assert select_weights({"weights": [], "nodes": [{"name": "k00"}]}) is None


def test_the_page_shows_codes_and_rows() -> None:
    nodes = [{"name": name, "weight_row": row} for name, row in ROWS.items()]
    lines = show_weights({"weights": TABLE, "nodes": [*nodes, {"name": "k02"}]}).splitlines()
    assert "0 1:3  1 2:1" in lines
    assert "= equal parts" in lines
    assert lines[-4:] == [f"{name}  {row}" for name, row in ROWS.items()]
    assert show_weights({"weights": [], "nodes": [{"name": "k00"}]}) == ""
