# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_design.py, with the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.documents import dumps, read_json

Design = Callable[..., dict[str, Any]]


@pytest.fixture
def design(run_module: Any, designer: Path, tmp_path: Path) -> Design:
    """Runs the module on spec.json and design.json in the temporary directory."""

    def run(**options: Any) -> dict[str, Any]:
        paths = {"spec": tmp_path / "spec.json", "design": tmp_path / "design.json", "designer": designer}
        answer: dict[str, Any] = run_module("fnn_design", **{**paths, "time_limit": 2, "threads": 1, **options})
        return answer

    return run


def write_spec(directory: Path, ports: int = 4, nics: int = 2) -> None:
    nodes = [{"name": f"k0{index}", "nics": nics} for index in range(6)]
    switches = [{"name": name, "ports": ports} for name in ("red", "blue", "green")]
    spec = {"format": "fnn-spec", "version": 1, "cluster": "six", "topology": "fnn"}
    (directory / "spec.json").write_text(dumps({**spec, "nodes": nodes, "switches": switches}))


def test_a_design_is_made_once(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    first = design()
    assert (first["changed"], first["verdict"], first["quality"]["uncovered"]) == (True, "found", 0)
    before = (tmp_path / "design.json").read_bytes()
    again = design()
    assert (again["changed"], again["verdict"], again["seconds"], again["changes"]) == (False, "found", 0, [])
    assert (tmp_path / "design.json").read_bytes() == before


def test_check_mode_shows_the_design_and_writes_none(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    answer = design(check=True, diff=True)
    assert answer["changed"]
    assert '"verdict": "found"' in answer["diff"]["after"]
    assert [path.name for path in tmp_path.iterdir()] == ["spec.json"]


def test_a_changed_spec_stops_with_what_changed(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    before = (tmp_path / "design.json").read_bytes()
    write_spec(tmp_path, ports=5)
    answer = design()
    assert answer["failed"]
    assert answer["msg"].splitlines() == [
        "design.json: made for another spec than spec.json is now:",
        "  switch red: 4 ports became 5",
        "  switch blue: 4 ports became 5",
        "  switch green: 4 ports became 5",
        "set fnn_redesign=true to redesign; the new design stays close to the old one",
    ]
    assert (tmp_path / "design.json").read_bytes() == before


def test_a_redesign_stays_close_and_is_not_repeated(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design(seed=3)
    old = read_json(tmp_path / "design.json")
    write_spec(tmp_path, ports=5)
    answer = design(redesign=True)
    assert (answer["changed"], answer["changes"][0]) == (True, "switch red: 4 ports became 5")
    assert read_json(tmp_path / "design.json")["nodes"] == old["nodes"]  # every cable could stay
    assert not design(redesign=True)["changed"]


def test_an_infeasible_spec_leaves_the_old_design(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    before = (tmp_path / "design.json").read_bytes()
    write_spec(tmp_path, ports=3)
    answer = design(redesign=True)
    assert (answer["failed"], answer["verdict"]) == (True, "infeasible")
    assert answer["msg"].startswith(
        "spec.json: no design can exist (degree bound): k00 with 2 NICs can meet at most 4 "
    )
    assert (tmp_path / "design.json").read_bytes() == before


def test_a_design_edited_by_hand_is_refused(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    document = read_json(tmp_path / "design.json")
    document["nodes"][0]["links"].pop()
    (tmp_path / "design.json").write_text(dumps(document))
    answer = design()
    assert answer["failed"]
    assert "design.json#/switches" in answer["msg"]


def test_a_design_whose_spec_was_edited_is_refused(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    design()
    document = read_json(tmp_path / "design.json")
    document["spec"]["mtu"] = 9000
    (tmp_path / "design.json").write_text(dumps(document))
    assert design()["msg"].startswith("design.json#/spec_digest: sha256:")


def test_a_design_that_was_not_found_is_put_aside(design: Design, tmp_path: Path) -> None:
    # Only an affine plane of order 6 would do: 36 points, 42 lines of 6, each point on 7 of them (7 * 5 = 35 others).
    # It meets every bound, but there is none (Tarry, 1901).
    nodes = [{"name": f"k{index:02d}", "nics": 7} for index in range(36)]
    switches = [{"name": f"s{index:02d}", "ports": 6} for index in range(42)]
    spec = {"format": "fnn-spec", "version": 1, "cluster": "hard", "topology": "fnn"}
    (tmp_path / "spec.json").write_text(dumps({**spec, "nodes": nodes, "switches": switches}))
    answer = design(steps=1)
    assert (answer["failed"], answer["verdict"]) == (True, "not-found")
    assert not (tmp_path / "design.json").exists()
    rejected = read_json(Path(answer["rejected"]))
    assert rejected["verdict"] == "not-found"
    assert f"{len(rejected['uncovered'])} pair" in answer["msg"]


def test_an_engine_that_is_not_there_is_named(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path)
    answer = design(designer=tmp_path / "nowhere")
    assert answer["msg"] == f"{tmp_path}/nowhere: not there; make bin/fnn-designer builds it"


def test_pairs_from_a_file_beside_the_spec_are_covered(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=2, nics=1)
    (tmp_path / "traffic.csv").write_text("k00,k05,9\nk01,k04\nk02,k03\n")
    spec = read_json(tmp_path / "spec.json")
    spec |= {"coverage": "patterns", "patterns": [{"kind": "pairs", "file": "traffic.csv"}]}
    (tmp_path / "spec.json").write_text(dumps(spec))
    answer = design(log=tmp_path / "run.log")
    assert (answer["verdict"], answer["quality"]["wanted"], answer["quality"]["shared"]) == ("found", 3, {"1": 3})
    assert answer["report"]["verdict"] == "found"
    assert (tmp_path / "run.log").exists()
    assert not design()["changed"]


def test_new_nodes_grow_into_the_headroom_left_for_them(design: Design, tmp_path: Path) -> None:
    write_spec(tmp_path, ports=6)
    design(headroom=2)
    old = read_json(tmp_path / "design.json")
    spec = read_json(tmp_path / "spec.json")
    spec["nodes"] += [{"name": "k06", "nics": 2}, {"name": "k07", "nics": 2}]
    (tmp_path / "spec.json").write_text(dumps(spec))
    answer = design(redesign=True, grow=True)
    assert (answer["verdict"], answer["changes"]) == ("found", ["node k06 added", "node k07 added"])
    assert read_json(tmp_path / "design.json")["nodes"][:6] == old["nodes"]
