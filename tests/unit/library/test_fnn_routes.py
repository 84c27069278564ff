# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_routes.py, with the real engine"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps, read_json

Choose = Callable[..., dict[str, Any]]


@pytest.fixture
def choose(run_module: Any, root: Path, tmp_path: Path) -> Choose:
    """Runs the module on the lab's design, into the temporary directory."""
    (tmp_path / "design.json").write_bytes((root / "inventory/lab/design.json").read_bytes())

    def run(check: bool = False, diff: bool = False) -> dict[str, Any]:
        places = {"design": tmp_path / "design.json", "build": tmp_path / "build"}
        answer: dict[str, Any] = run_module("fnn_routes", check=check, diff=diff, **places)
        return answer

    return run


def test_routes_are_chosen_once(choose: Choose, tmp_path: Path, documents: Documents) -> None:
    first = choose()
    # Five peers over two NICs.
    assert {key: first[key] for key in ("changed", "most_peers_per_gbps", "bound_peers_per_gbps")} == {
        "changed": True,
        "most_peers_per_gbps": 3,
        "bound_peers_per_gbps": 3,
    }
    routes = documents.read(tmp_path / "build/routes.json", "fnn-routes")
    rows = [f"{node['name']}  {node['row']}" for node in routes["nodes"]]
    assert (tmp_path / "build/routes.txt").read_text().splitlines()[3:] == rows
    assert choose()["changed"] is False


def test_the_page_has_the_weights_of_a_design_that_needs_some(run_module: Any, root: Path, tmp_path: Path) -> None:
    run_module("fnn_routes", design=root / "inventory/sixteen/design.json", build=tmp_path)
    routes = read_json(tmp_path / "routes.json")
    lines = (tmp_path / "routes.txt").read_text().splitlines()
    rows = [f"{node['name']}  {node['weight_row']}" for node in routes["nodes"] if "weight_row" in node]
    assert rows
    assert lines[-len(rows) :] == rows
    assert f"{routes['weights'][0]['code']} {':'.join(map(str, routes['weights'][0]['weights']))}" in "\n".join(lines)


def test_check_mode_shows_the_table_and_writes_nothing(choose: Choose, tmp_path: Path) -> None:
    answer = choose(check=True, diff=True)
    assert answer["changed"] is True
    assert [each["before"] for each in answer["diff"]] == [""]
    assert "k00  .0" in answer["diff"][0]["after"] or "k00  .1" in answer["diff"][0]["after"]
    assert not (tmp_path / "build").exists()


def test_a_design_with_wrong_cables_is_refused_with_the_place(choose: Choose, tmp_path: Path) -> None:
    design = read_json(tmp_path / "design.json")
    design["nodes"][0]["links"][1]["switch"] = design["nodes"][0]["links"][0]["switch"]
    (tmp_path / "design.json").write_text(dumps(design))
    answer = choose()
    assert answer["failed"] is True
    assert "design.json#/nodes/0/links/1" in answer["msg"]
    assert not (tmp_path / "build").exists()
