# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/spec/spec.py; bad specs are in tests/errors/spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.spec.ports import count_ports
from ansible.module_utils.fnn.controller.spec.spec import build_spec, name_sources, normalize
from ansible.module_utils.fnn.shared.errors import FnnError

NODES = [{"name": "k00", "nics": 2}, {"name": "k01", "nics": 2}]
VARIABLES = {"fnn_cluster": "two", "fnn_switches": [{"name": "red", "ports": 5}], "fnn_uplink": None}


def variables(**changes: Any) -> dict[str, Any]:
    return {**VARIABLES, **{f"fnn_{key}": value for key, value in changes.items()}}


def make_spec(variables: dict[str, Any], nodes: list[dict[str, Any]]) -> dict[str, Any]:
    return {**build_spec([], variables, {}), "nodes": nodes}


def test_nodes_have_their_variables_in_the_given_order() -> None:
    of_nodes = {"fnn_nics": {"k01": 3, "k00": 2, "hot1": 1}, "fnn_rack": {"k00": "left"}, "fnn_spare": {"k00": True}}
    assert build_spec(["k00", "k01"], {}, of_nodes)["nodes"] == [
        {"name": "k00", "nics": 2, "rack": "left", "spare": True},
        {"name": "k01", "nics": 3},
    ]


def test_a_variable_that_is_not_given_is_not_in_the_spec() -> None:
    assert make_spec(VARIABLES, NODES) == {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "two",
        "topology": "fnn",
        "nodes": NODES,
        "switches": [{"name": "red", "ports": 5}],
    }


@pytest.fixture
def normal(engine: Designer, documents: Documents, tmp_path: Path) -> Any:
    """The normal form of a spec."""
    return lambda spec: normalize(spec, tmp_path, engine, documents)


def test_the_normal_form_writes_every_default_out(normal: Any) -> None:
    spec = normal(make_spec(VARIABLES, NODES))
    nic = {"name": None, "speed_mbps": 1000, "media": "rj45"}
    assert spec["nodes"][1] == {"name": "k01", "nics": [nic, nic], "rack": None, "spare": False}
    assert spec["switches"][0] == {
        "name": "red",
        "color": "red",
        "ports": [{"count": 5, "speed_mbps": 1000, "media": "rj45"}],
        "reserved": 0,
        "price": None,
        "rack": None,
        "internal_gbps": None,
    }
    parts = ("uplink", "coverage", "redundancy", "patterns", "goals", "mtu", "prices")
    assert [spec[part] for part in parts] == [None, "all", 1, [], {}, None, {}]


def test_an_uplink_reserves_a_port_of_each_switch_unless_set_otherwise(normal: Any) -> None:
    switches = [{"name": "red", "ports": 5}, {"name": "blue", "ports": 5, "reserved": 0}]
    spec = normal(make_spec(variables(switches=switches, uplink={"name": "up", "ports": 4}), NODES))
    assert [switch["reserved"] for switch in spec["switches"]] == [1, 0]
    assert spec["uplink"] == {"name": "up", "ports": 4, "spares": [], "hosts": []}


def test_every_port_may_be_reserved(normal: Any) -> None:
    switches = [{"name": "red", "ports": 5}, {"name": "blue", "ports": 5, "reserved": 5}]
    assert normal(make_spec(variables(switches=switches), NODES))["switches"][1]["reserved"] == 5


def test_named_nics_and_port_groups_have_the_defaults_of_plain_numbers(normal: Any) -> None:
    named = [{"name": "k00", "nics": ["enp2s0", "enp3s0"]}, {"name": "k01", "nics": [{"name": "eth1"}, {}]}]
    switches = [{"name": "red", "ports": [{"count": 5}]}]
    spec, plain = normal(make_spec(variables(switches=switches), named)), normal(make_spec(VARIABLES, NODES))
    names = [[nic["name"] for nic in node["nics"]] for node in spec["nodes"]]
    assert names == [["enp2s0", "enp3s0"], ["eth1", None]]
    for node in spec["nodes"]:
        assert [{**nic, "name": None} for nic in node["nics"]] == plain["nodes"][0]["nics"]
    assert spec["switches"] == plain["switches"]


def test_whole_numbers_become_integers_however_they_were_written(normal: Any) -> None:
    switches = [{"name": "red", "ports": 5.0, "price": 60.0, "internal_gbps": 0.5}]
    switch = normal(make_spec(variables(switches=switches), NODES))["switches"][0]
    assert dumps(switch).count(".") == 1  # only that of 0.5
    assert count_ports(switch) == 5


def test_the_normal_form_is_its_own_normal_form(normal: Any, root: Path) -> None:
    spec = read_json(root / "inventory/example/spec.json")
    assert normal(spec) == spec


@pytest.mark.parametrize(
    ("nodes", "changes", "lines"),
    [
        ([{"name": "k00", "nics": 0}, NODES[1]], {}, ["/nodes/0/nics: 0 is not a positive integer (fnn_nics of k00)"]),
        (NODES[:1], {}, ["/nodes: expected at least 2 items, not 1 (the hosts of group fnn_nodes)"]),
        ([NODES[0], NODES[0]], {}, ['/nodes/1/name: "k00" is already the name of /nodes/0 (host k00)']),
        ([{"name": "k00"}, NODES[1]], {}, ["/nodes/0/nics: missing (fnn_nics of k00)"]),
        (
            [*NODES, {"name": "k02", "nics": 2}],
            {"switches": [], "topology": "star", "mode": "stp"},
            ['/mode: "stp", but a star has the modes routed, bridged (fnn_mode)'],
        ),
        (NODES, {"switches": []}, ["/switches: expected at least 1 item, not 0 (fnn_switches)"]),
        (
            NODES,
            {"mtu": float("nan"), "prices": {"nic": float("inf")}},
            [
                "/mtu: has a number that is not finite, or half of a character (fnn_mtu)",
                "/prices: has a number that is not finite, or half of a character (fnn_prices)",
            ],
        ),
        (NODES, {"mtu": "9000"}, ["/mtu: expected an integer from 576 to 9216 or null, not a string (fnn_mtu)"]),
        (
            NODES,
            {"uplink": {"name": "red", "ports": 0}},
            ["/uplink/ports: 0 is not a positive integer (fnn_uplink)"],
        ),
        (
            NODES,
            {"uplink": {"name": "red", "ports": 1}},
            ['/uplink/name: "red" is already the name of /switches/0 (fnn_uplink)'],
        ),
    ],
)
def test_a_problem_names_the_variable_to_correct(
    normal: Any, nodes: list[dict[str, Any]], changes: dict[str, Any], lines: list[str]
) -> None:
    raw = make_spec(variables(**changes), nodes)
    with pytest.raises(FnnError) as caught:
        normal(raw)
    assert str(name_sources(caught.value, raw)).splitlines() == lines


EVERYTHING = {
    **make_spec(VARIABLES, NODES),
    "nodes": [
        {"name": "k00", "nics": [{"speed_mbps": 2500, "media": "rj45", "name": "enp1s0"}], "rack": "ä/~"},
        {"name": "k01", "nics": 3.0, "spare": True},
    ],
    "switches": [
        {
            "name": "red",
            "color": "pink",
            "ports": [
                {"count": 8, "speed_mbps": 2500, "media": "rj45"},
                {"count": 2, "speed_mbps": 1e4, "media": "sfp"},
            ],
            "reserved": 2,
            "price": 59.9,
            "rack": None,
            "internal_gbps": 1e-7,
        }
    ],
    "coverage": "patterns",
    "redundancy": 2,
    "patterns": [
        {"kind": "ring", "weight": 1.0},
        {"kind": "shift", "offset": 1.0, "weight": 1e-5},
        {"kind": "torus", "dims": [2.0, 1]},
        {"kind": "pairs", "pairs": [["k01", "k00", 0.1], ["k00", "k01", 0.2], ["k00", "k01"]]},
        {"kind": "pairs", "file": "traffic.csv", "weight": 0.5},
    ],
    "goals": {"balance": 0.1, "price": 0.0, "exposure": 1e-22, "evaluation": {"file": "traffic.csv"}},
    "racks": [{"name": "ä/~", "x_m": -1.0, "y_m": 2.5}],
    "pinned": [{"node": "k00", "nic": 0.0, "switch": "red"}],
    "mtu": 9000.0,
    "prices": {"port": 12.30, "nic": 1e12},
}


def test_a_spec_with_every_key_has_this_normal_form(normal: Any, tmp_path: Path) -> None:
    (tmp_path / "traffic.csv").write_text("9,1e-3\n1e+15,9\n")
    assert dumps(normal(EVERYTHING)) == (Path(__file__).parent / "everything.json").read_text()


def test_an_engine_that_lacks_a_key_of_the_schema_is_called_old(documents: Documents, tmp_path: Path) -> None:
    answer = '{"problems": [{"at": "/mtu", "message": "unknown key, expected one of nodes"}]}'
    old = Designer(tmp_path, lambda _: (2, answer, ""))
    with pytest.raises(FnnError) as caught:
        normalize(make_spec(variables(mtu=1500), NODES), tmp_path, old, documents)
    assert str(caught.value).splitlines() == [
        "fnn-designer is older than schemas/; build it with make bin/fnn-designer",
        "/mtu: unknown key, expected one of nodes",
    ]
