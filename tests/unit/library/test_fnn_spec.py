# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_spec.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import digest, read_json

OPTIONS: dict[str, Any] = {
    "nodes": [f"k0{rank}" for rank in range(6)],
    "node_variables": {"fnn_nics": {f"k0{rank}": 2 for rank in range(6)}},
    "variables": {
        "fnn_cluster": "six",
        "fnn_switches": [{"name": name, "ports": 5} for name in ("red", "blue", "green")],
        "fnn_uplink": None,
    },
}


def test_the_spec_is_written_once(run_module: Any, tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    first = run_module("fnn_spec", path=path, **OPTIONS)
    assert first["changed"]
    assert read_json(path) == first["spec"]
    assert first["digest"] == digest(first["spec"])
    assert not run_module("fnn_spec", path=path, **OPTIONS)["changed"]


def test_check_mode_shows_the_difference_and_writes_nothing(run_module: Any, tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    answer = run_module("fnn_spec", check=True, diff=True, path=path, **OPTIONS)
    assert answer["changed"]
    assert answer["diff"]["before"] == ""
    assert '"cluster": "six"' in answer["diff"]["after"]
    assert not path.exists()


def test_all_problems_are_reported_and_the_old_spec_stays(run_module: Any, tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    run_module("fnn_spec", path=path, **OPTIONS)
    before = path.read_bytes()
    variables = {"fnn_cluster": "SIX", "fnn_switches": [{"name": "red"}]}
    answer = run_module("fnn_spec", path=path, **{**OPTIONS, "variables": variables})
    assert answer["failed"]
    assert answer["msg"].splitlines() == [
        '/cluster: "SIX" is not a name: lower case letters, digits and hyphens, first a letter, at most 32 characters, '
        "such as rack-1 (fnn_cluster)",
        "/switches/0/ports: missing (fnn_switches)",
    ]
    assert path.read_bytes() == before


def test_a_missing_engine_is_named_and_nothing_is_written(run_module: Any, tmp_path: Path) -> None:
    answer = run_module("fnn_spec", path=tmp_path / "spec.json", designer=tmp_path / "gone", **OPTIONS)
    assert answer["msg"] == f"{tmp_path}/gone: missing; build it with make bin/fnn-designer"
    assert [*tmp_path.iterdir()] == []
