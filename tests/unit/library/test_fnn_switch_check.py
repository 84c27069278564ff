# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_switch_check.py and fnn_verify_method.py"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from switch_results import PLAIN, passed

STARTED = {"device": "eth1", "driver": "igc", "speed_mbps": 1000}


@pytest.fixture
def check(run_module: Any, root: Path, tmp_path: Path) -> Any:
    """Runs the module for the six, of which three are plugged into red and answer."""
    golden = root / "tests/golden/six"

    def run(state: str, **options: Any) -> dict[str, Any]:
        places = {"design": golden / "design.json", "macs": golden / "macs.json"}
        given = {"switch": "red", "nodes": ["k00", "k01", "k02"], "passport": tmp_path / "switch-passport.json"}
        answer: dict[str, Any] = run_module("fnn_switch_check", state=state, **places, **{**given, **options})
        return answer

    return run


def receive(stations: dict[str, str]) -> dict[str, Any]:
    return {
        node: {
            "received": {"peers": {other: {"experimental": 2, "ip": 2} for other in stations.values() if other != mac}}
        }
        for node, mac in stations.items()
    }


def test_the_passport_is_written_from_what_the_nodes_measured(check: Any, tmp_path: Path) -> None:
    stations = check("stations")["stations"]
    assert list(stations) == ["k00", "k01", "k02"]
    received = receive(stations)
    participants = check("participants", received=received)
    assert (participants["coordinator"], participants["macs"], participants["layer"]) == (
        "k00",
        list(stations.values()),
        "experimental",
    )
    steps = [{"step": step, "result": result, "took": 2.5} for step, result in PLAIN.items()]
    measured = {"received": received, "started": dict.fromkeys(stations, STARTED), "steps": steps}
    answer = check("written", model="GS108", date="2026-11-27", **measured)
    assert answer["changed"] is True
    assert answer["report"][0] == "red (GS108): 3 nodes, 28 s, 2026-11-27"
    document = json.loads((tmp_path / "switch-passport.json").read_text())
    assert document["switches"][0]["traits"]["learns_addresses"]["value"] is True
    assert check("written", model="GS108", date="2026-11-27", **measured)["changed"] is False


def test_check_mode_writes_no_passport(check: Any, tmp_path: Path) -> None:
    received = receive(check("stations")["stations"])
    started = dict.fromkeys(received, STARTED)
    answer = check("written", received=received, started=started, date="2026-11-27", check=True)
    assert "not measured" in " ".join(answer["report"])
    assert not (tmp_path / "switch-passport.json").exists()


def test_a_switch_that_is_not_in_the_design_is_refused(check: Any) -> None:
    answer = check("stations", switch="pink")
    assert answer["failed"]
    assert answer["msg"].startswith("fnn_switch_check_switch: no switch is called pink, there are: red")


def test_the_method_of_verify_fails_with_the_switch_that_drops_its_frames(
    run_module: Any, root: Path, tmp_path: Path
) -> None:
    options = {
        "design": root / "tests/golden/six/design.json",
        "passport": tmp_path / "p.json",
        "seconds": 2,
        "blocked": 35,
    }
    answer = run_module("fnn_verify_method", **options)
    assert (answer["evidence"], answer["interval"], answer["blocked"], answer["notes"]) == ("beacons", 0.0, 35.0, [])
    deaf = {
        **PLAIN,
        "forwarding": {**PLAIN["forwarding"], "experimental": {"broadcast": passed(0), "unicast": passed(0)}},
    }
    traits = {name: trait.describe(name) for name, trait in judge(deaf).items()}
    entry = {
        "switch": "red", "model": "", "date": "2026-11-27", "seconds": 90, "layer": "ip", "nodes": 3, "absent": [],
        "isolated": [], "nics": [], "traits": traits, "measured": deaf,
    }  # fmt: skip
    document = {"format": "fnn-switch-passport", "version": 1, "switches": [entry]}
    (tmp_path / "p.json").write_text(json.dumps(document))
    answer = run_module("fnn_verify_method", **options)
    assert answer["failed"]
    assert answer["msg"].startswith("red: the switch does not forward broadcasts of EtherType 0x88B5")
    (tmp_path / "p.json").write_text(json.dumps({**document, "switches": [{**entry, "nodes": 1}]}))
    assert run_module("fnn_verify_method", **options)["msg"].startswith("p.json#/switches/0/nodes: 1 ")
