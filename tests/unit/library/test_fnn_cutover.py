# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_cutover.py"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.plan.generation import FIRST, make_document

NODES = ["k00", "k01", "k02"]


def answer(*nodes: str, under_way: Collection[str] = ()) -> dict[str, Any]:
    """What fnn_apply answered in the pass `prepare`. under_way: the nodes with a former plan."""
    return {"under_way": {node: node in under_way for node in nodes}}


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "cluster.json").write_text(dumps({"mpi": {"hosts": [{"name": name} for name in NODES]}}))
    (tmp_path / "generation.json").write_text(dumps(make_document("six", FIRST, [])))
    return tmp_path


def test_a_node_that_missed_prepare_is_held(run_module: Any, build: Path) -> None:
    result = run_module("fnn_cutover", build=build, prepared=answer("k02", "k00"))
    assert (result["changed"], result["held"]) == (True, ["k01"])
    assert read_json(build / "generation.json")["prepared"] == ["k00", "k02"]


def test_a_node_that_was_prepared_stays_prepared(run_module: Any, build: Path) -> None:
    run_module("fnn_cutover", build=build, prepared=answer("k00", "k02"))
    result = run_module("fnn_cutover", build=build, prepared=answer("k01"))
    assert (result["changed"], result["held"]) == (True, [])
    assert run_module("fnn_cutover", build=build, prepared=answer("k01"))["changed"] is False


def test_hosts_that_are_no_nodes_of_the_plan_do_not_count(run_module: Any, build: Path) -> None:
    assert run_module("fnn_cutover", build=build, prepared=answer("router"))["held"] == NODES


def test_a_satellite_that_starts_no_mpi_processes_is_held_like_others(run_module: Any, build: Path) -> None:
    for name in ("head", "k00"):
        (build / "nodes" / name).mkdir(parents=True)
        (build / "nodes" / name / "manifest.json").write_text("{}")
    assert run_module("fnn_cutover", build=build, prepared=answer("k00", "k02"))["held"] == ["k01", "head"]


def test_check_mode_notes_nothing(run_module: Any, build: Path) -> None:
    assert run_module("fnn_cutover", check=True, build=build, prepared=answer(*NODES))["changed"] is True
    assert read_json(build / "generation.json")["prepared"] == []


def test_a_missing_plan_is_reported(run_module: Any, tmp_path: Path) -> None:
    result = run_module("fnn_cutover", build=tmp_path, prepared=answer(*NODES))
    assert result["failed"] is True
    assert "generation.json" in result["msg"]


@pytest.mark.parametrize("under_way", [[], ["k01"]], ids=["first plan", "former plan on one node"])
def test_later_passes_follow_only_if_a_node_needs_them(run_module: Any, build: Path, under_way: list[str]) -> None:
    result = run_module("fnn_cutover", build=build, prepared=answer(*NODES, under_way=under_way))
    assert result["under_way"] is bool(under_way)
