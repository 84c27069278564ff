# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/spec/spec.py; bad specs are in tests/errors/spec."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.spec.pins import count_ports
from ansible.module_utils.fnn.controller.spec.spec import build_spec, describe_nodes, load_spec, name_sources, normalise
from ansible.module_utils.fnn.shared.errors import FnnError

NODES = [{"name": "k00", "nics": 2}, {"name": "k01", "nics": 2}]
VARIABLES = {"cluster": "two", "switches": [{"name": "red", "ports": 5}], "uplink": None}


def variables(**changes: Any) -> dict[str, Any]:
    return {**VARIABLES, **changes}


def test_nodes_come_from_their_hosts_in_the_given_order() -> None:
    hostvars = {"k01": {"fnn_nics": 3, "other": 1}, "k00": {"fnn_nics": 2, "fnn_rack": "left", "fnn_spare": True}}
    assert describe_nodes(["k00", "k01"], hostvars) == [
        {"name": "k00", "nics": 2, "rack": "left", "spare": True},
        {"name": "k01", "nics": 3},
    ]


def test_a_variable_that_is_not_given_is_not_in_the_spec() -> None:
    assert build_spec(VARIABLES, NODES) == {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "two",
        "topology": "fnn",
        "nodes": NODES,
        "switches": [{"name": "red", "ports": 5}],
    }


def test_the_normal_form_writes_every_default_out() -> None:
    spec = normalise(build_spec(VARIABLES, NODES))
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


def test_an_uplink_reserves_a_port_of_each_switch_unless_set_otherwise() -> None:
    switches = [{"name": "red", "ports": 5}, {"name": "blue", "ports": 5, "reserved": 0}]
    spec = normalise(build_spec(variables(switches=switches, uplink={"name": "up", "ports": 4}), NODES))
    assert [switch["reserved"] for switch in spec["switches"]] == [1, 0]
    assert spec["uplink"] == {"name": "up", "ports": 4, "spares": [], "hosts": []}


def test_every_port_may_be_reserved(documents: Documents) -> None:
    switches = [{"name": "red", "ports": 5}, {"name": "blue", "ports": 5, "reserved": 5}]
    assert load_spec(build_spec(variables(switches=switches), NODES), documents)["switches"][1]["reserved"] == 5


def test_whole_numbers_become_integers_however_they_were_written() -> None:
    switches = [{"name": "red", "ports": 5.0, "price": 60.0, "internal_gbps": 0.5}]
    switch = normalise(build_spec(variables(switches=switches), NODES))["switches"][0]
    assert dumps(switch).count(".") == 1  # only that of 0.5
    assert count_ports(switch) == 5


def test_the_normal_form_is_its_own_normal_form(root: Path, documents: Documents) -> None:
    spec = json.loads((root / "inventory/example/spec.json").read_text())
    assert load_spec(spec, documents) == spec


@pytest.mark.parametrize(
    ("nodes", "changes", "lines"),
    [
        ([{"name": "k00", "nics": 0}, NODES[1]], {}, ["/nodes/0/nics: 0 is not a positive integer (fnn_nics of k00)"]),
        (NODES[:1], {}, ["/nodes: expected at least 2 items, not 1 (the hosts of group fnn_nodes)"]),
        ([NODES[0], NODES[0]], {}, ['/nodes/1/name: "k00" is already the name of /nodes/0 (host k00)']),
        ([{"name": "k00"}, NODES[1]], {}, ["/nodes/0/nics: missing (fnn_nics of k00)"]),
        (NODES, {"switches": []}, ["/switches: expected at least 1 item, not 0 (fnn_switches)"]),
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
    documents: Documents, nodes: list[dict[str, Any]], changes: dict[str, Any], lines: list[str]
) -> None:
    raw = build_spec(variables(**changes), nodes)
    with pytest.raises(FnnError) as caught:
        load_spec(raw, documents)
    assert str(name_sources(caught.value, raw)).splitlines() == lines


SPECS = {
    "plain": build_spec(VARIABLES, NODES),
    "uplink": build_spec(variables(uplink={"name": "up", "ports": 4, "spares": ["s0"], "hosts": ["h0"]}), NODES),
    "everything": {
        **build_spec(VARIABLES, NODES),
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
            {"kind": "shift", "offset": 1.0, "weight": 1e16},
            {"kind": "torus", "dims": [2.0, 1]},
            {"kind": "pairs", "pairs": [["k01", "k00", 0.1], ["k00", "k01", 0.2], ["k00", "k01"]]},
            {"kind": "pairs", "file": "traffic.csv", "weight": 0.5},
        ],
        "goals": {"balance": 0.1, "price": 0.0, "exposure": 1e-22, "evaluation": {"file": "traffic.csv"}},
        "racks": [{"name": "ä/~", "x_m": -1.0, "y_m": 2.5}],
        "pinned": [{"node": "k00", "nic": 0.0, "switch": "red"}],
        "mtu": 9000.0,
        "prices": {"port": 12.30, "nic": 1e15},
    },
}


@pytest.mark.parametrize("name", SPECS)
def test_the_designer_gives_the_same_normal_form_byte_by_byte(
    name: str, documents: Documents, designer: Path, tmp_path: Path
) -> None:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(SPECS[name]))
    (tmp_path / "traffic.csv").write_text("9,1e-3\n1e+20,9\n")
    done = subprocess.run([designer, "spec", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == dumps(load_spec(SPECS[name], documents, tmp_path))
