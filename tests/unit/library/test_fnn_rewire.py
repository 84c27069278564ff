# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_rewire.py on the golden six-PC cluster, and the use of its document by fnn_render."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from plan_settings import BASE

Step = Callable[..., dict[str, Any]]
#: Four nodes exchange their places, which takes three cable moves.
PLAYS = {"k01": "k03", "k03": "k01", "k02": "k05", "k05": "k02"}

pytestmark = pytest.mark.usefixtures("designer")


def list_cables(path: Path) -> set[tuple[str, int, str]]:
    return {(node["name"], link["nic"], link["switch"]) for node in read_json(path)["nodes"] for link in node["links"]}


@pytest.fixture
def site(root: Path, tmp_path: Path) -> Path:
    """A site with design.json, and the new design in new.json."""
    design = read_json(root / "tests/golden/six/design.json")
    (tmp_path / "design.json").write_bytes((root / "tests/golden/six/design.json").read_bytes())
    (tmp_path / "spec.json").write_text(json.dumps(design["spec"]))
    rows = [
        f"{PLAYS.get(node, node)},{nic},{switch}\n"
        for node, nic, switch in sorted(list_cables(tmp_path / "design.json"))
    ]
    (tmp_path / "new.csv").write_text("".join(rows))
    import_cables(root, tmp_path, "new.json")
    return tmp_path


def import_cables(root: Path, site: Path, name: str) -> None:
    """Makes a design from spec.json and new.csv."""
    words = ["import", "--format", "cables", "--spec", "spec.json", "new.csv", "-o", name]
    subprocess.run([root / "bin" / "fnn-designer", *words], cwd=site, check=True, capture_output=True)


@pytest.fixture
def step(run_module: Any, site: Path) -> Step:
    def take(state: str, check: bool = False, **options: Any) -> dict[str, Any]:
        paths = {"design": site / "design.json", "job": site / "rewire.json", "directory": site / "sheets"}
        answer: dict[str, Any] = run_module("fnn_rewire", check=check, **paths, state=state, **options)
        return answer

    return take


def plan(step: Step, site: Path, **options: Any) -> dict[str, Any]:
    return step("planned", to=site / "new.json", **options)


def test_a_plan_touches_no_design_and_leaves_sheets_to_tick_off(step: Step, site: Path) -> None:
    before = (site / "design.json").read_bytes()
    answer = plan(step, site)
    assert (answer["changed"], answer["moves"], answer["batches"], answer["done"]) == (True, 3, 1, 0)
    assert (site / "design.json").read_bytes() == before
    assert sorted(path.name for path in (site / "sheets").iterdir()) == [
        "rewire-a4.pdf",
        "rewire-letter.pdf",
        "rewire.txt",
    ]
    assert plan(step, site)["changed"] is False, "the same plan again"


def test_check_mode_reports_the_plan_and_writes_nothing(step: Step, site: Path) -> None:
    answer = plan(step, site, check=True)
    assert answer["changed"] and any("cables of 12 to move" in line for line in answer["report"])
    assert not any((site / name).exists() for name in ("rewire.json", "sheets"))


def test_a_batch_rests_arrives_and_is_finished(step: Step, site: Path) -> None:
    start = list_cables(site / "design.json")
    plan(step, site)
    assert len(step("resting")["resting"]) == 3
    assert step("resting")["changed"] is False, "a batch begins once"
    assert list_cables(site / "design.json") == start
    assert step("arrived")["changed"]
    assert len(list_cables(site / "design.json") - start) == 3
    assert len(step("arrived")["resting"]) == 3, "its cables are not used before they are verified"
    answer = step("finished")
    assert (answer["done"], answer["resting"]) == (1, [])
    assert read_json(site / "design.json")["verdict"] == "found"


def test_a_batch_with_cables_of_a_node_that_did_not_answer_is_not_done(step: Step, site: Path) -> None:
    plan(step, site)
    step("resting")
    step("arrived")
    moved = {move["node"] for move in read_json(site / "rewire.json")["batches"][0]["moves"]}
    away = min(moved)
    message = step("finished", unreachable=[away, "k99"])["msg"]
    assert message.startswith(
        f"rewire.json#/batches/0: {away} did not answer, so cables of this batch are not verified"
    )
    others = sorted({f"k0{rank}" for rank in range(6)} - moved)
    assert step("finished", unreachable=others)["done"] == 1


def test_going_back_leads_to_the_start_of_the_rewiring(step: Step, site: Path) -> None:
    start = list_cables(site / "design.json")
    plan(step, site)
    for state in ("resting", "arrived", "finished", "back", "resting", "arrived", "finished"):
        assert "failed" not in step(state), state
    assert list_cables(site / "design.json") == start


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (["resting"], "rewire.json: missing; ./fnn rewire --to DESIGN plans a rewiring"),
        (["planned", "arrived"], "rewire.json#/resting: no batch has begun; begin one before its cables are moved"),
        (["planned", "finished"], "rewire.json#/resting: no batch has begun"),
        (["planned", "resting", "planned"], "rewire.json#/resting: a batch of the earlier plan is not finished"),
        (
            ["planned", "resting", "finished"],
            "rewire.json#/done: the design does not contain the moves of this batch yet",
        ),
        (["planned", "resting", "arrived", "finished", "resting"], "rewire.json#/done: nothing is left to do"),
    ],
)
def test_steps_out_of_order_are_refused(step: Step, site: Path, states: list[str], message: str) -> None:
    for state in states[:-1]:
        assert "failed" not in step(state, to=site / "new.json"), state
    before = {path: path.read_bytes() for path in site.glob("*.json")}
    assert message in step(states[-1], to=site / "new.json")["msg"]
    assert {path: path.read_bytes() for path in site.glob("*.json")} == before


def test_a_design_that_changed_meanwhile_is_noticed(step: Step, site: Path) -> None:
    plan(step, site)
    (site / "design.json").write_bytes((site / "new.json").read_bytes())
    assert "/done: the design has changed since this rewiring was planned" in step("resting")["msg"]


def test_an_invalid_record_is_reported_with_file_and_place(step: Step, site: Path) -> None:
    plan(step, site)
    job = read_json(site / "rewire.json")
    job["done"], job["batches"][0]["moves"][0]["to"] = -1, "Red!"
    (site / "rewire.json").write_text(json.dumps(job))
    before = (site / "rewire.json").read_bytes()
    lines = step("resting")["msg"].splitlines()
    assert [line.split(": ")[0] for line in lines] == ["rewire.json#/batches/0/moves/0/to", "rewire.json#/done"]
    assert (site / "rewire.json").read_bytes() == before


@pytest.fixture
def list_unreached(run_module: Any, site: Path, root: Path) -> Callable[[], dict[str, list[str]]]:
    """Renders every node's files; returns node -> unreached peers."""

    def render() -> dict[str, list[str]]:
        paths = {"design": site / "design.json", "macs": root / "tests/golden/six/macs.json", "build": site / "build"}
        answer: dict[str, Any] = run_module("fnn_render", **paths, rewiring=site / "rewire.json", variables=BASE)
        unreached: dict[str, list[str]] = answer["unreached"]
        return unreached

    return render


def test_resting_cables_are_in_no_nodes_files_and_the_uplink_serves_meanwhile(
    list_unreached: Callable[[], dict[str, list[str]]], step: Step, site: Path, root: Path
) -> None:
    plan(step, site)
    assert list_unreached() == {}
    rests = step("resting")["resting"]
    assert list_unreached() == {}, "who shares no switch now is reached over the uplink"
    macs = {node["name"]: {nic["nic"]: nic["mac"] for nic in node["nics"]} for node in read_json(
        root / "tests/golden/six/macs.json")["nodes"]}  # fmt: skip
    resting = [macs[each["node"]][each["nic"]] for each in rests]
    files = "".join(path.read_text() for path in (site / "build" / "nodes").rglob("etc/fnn/*"))
    assert not [mac for mac in resting if mac in files]


def test_the_uplink_carries_pairs_between_batches_in_both_directions(
    list_unreached: Callable[[], dict[str, list[str]]], step: Step, site: Path
) -> None:
    """A rewiring back, planned halfway, begins with pairs that share no switch."""
    plan(step, site)
    design = read_json(site / "design.json")
    switch = design["nodes"][0]["links"].pop(0)["switch"]
    next(each for each in design["switches"] if each["name"] == switch)["nodes"].remove("k00")
    design["uncovered"] = [["k00", "k02"], ["k00", "k03"]]
    (site / "design.json").write_text(json.dumps(design))
    assert list_unreached() == {}
    (site / "rewire.json").unlink()
    assert set(list_unreached()) == {"k00", "k02", "k03"}


def test_nics_that_the_new_design_has_not_stay_until_their_cables_are_out(step: Step, site: Path, root: Path) -> None:
    """Each node now has a third NIC, on the switch that it lacks; the new design does not use these NICs."""
    spec = read_json(site / "spec.json")
    for switch in spec["switches"]:
        switch["ports"][0]["count"] = 7
    (site / "spec.json").write_text(json.dumps(spec))
    import_cables(root, site, "new.json")
    for node in spec["nodes"]:
        node["nics"].append(node["nics"][0])
    (site / "spec.json").write_text(json.dumps(spec))
    plugged = list_cables(site / "design.json")
    on = {(node, switch) for node, _, switch in plugged}
    lacking = {(node["name"], 2, each["name"]) for node in spec["nodes"] for each in spec["switches"]}
    third = {cable for cable in lacking if (cable[0], cable[2]) not in on}
    (site / "new.csv").write_text("".join(f"{node},{nic},{switch}\n" for node, nic, switch in sorted(plugged | third)))
    import_cables(root, site, "design.json")
    answer = plan(step, site, size=2)
    assert answer["batches"] > 1
    for _ in range(answer["batches"]):
        for state in ("resting", "arrived", "finished"):
            assert "failed" not in step(state), state
    assert {(node, switch) for node, _, switch in list_cables(site / "design.json")} == {
        (node, switch) for node, _, switch in list_cables(site / "new.json")
    }
