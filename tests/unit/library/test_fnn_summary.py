# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_summary.py on the golden six-PC cluster; its text is in tests/unit/controller/report/test_summary.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import digest, dumps, read_json

PROOF = {
    "format": "fnn-proof", "version": 1, "cluster": "six", "verdict": "proved", "nodes": ["k00"], "missing": [],
    "pairs": {"expected": 30, "reached": 30, "one_switch": 30, "captured": None}, "arp": {"nodes": 0, "ports": None},
    "mpi": [], "causes": [], "problems": [],
}  # fmt: skip


@pytest.mark.parametrize("whose", ["this design", "another design", "a former version"])
def test_only_a_proof_of_this_design_is_summed_up(run_module: Any, root: Path, tmp_path: Path, whose: str) -> None:
    design = root / "tests/golden/six/design.json"
    changes = {
        "this design": {"design_digest": digest(read_json(design))},
        "another design": {"design_digest": "sha256:" + "0" * 64},
        "a former version": {},
    }
    (tmp_path / "proof.json").write_text(dumps({**PROOF, **changes[whose]}))
    answer = run_module("fnn_summary", design=design, build=tmp_path)
    assert not answer.get("failed"), answer
    text = json.loads((tmp_path / "summary.json").read_text())["lines"]
    assert any("30 of 30 ordered pairs" in line for line in text) == (whose == "this design")


@pytest.mark.parametrize("case", ["six", "star"])
def test_the_page_of_each_topology_is_named_and_foreign_routes_are_not(
    run_module: Any, root: Path, tmp_path: Path, case: str
) -> None:
    for name in ("report.html", "routes.txt"):
        (tmp_path / name).write_text("")
    answer = run_module("fnn_summary", design=root / f"tests/golden/{case}/design.json", build=tmp_path)
    text = "\n".join(answer["summary"]["lines"])
    assert str(tmp_path / "report.html") in text
    assert (str(tmp_path / "routes.txt") in text) == (case == "six")
