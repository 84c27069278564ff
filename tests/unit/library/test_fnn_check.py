# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_check.py"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from offered import OFFERED
from plan_settings import BASE

#: The answer of a node without the program ip.
WITHOUT_IP: dict[str, Any] = {
    **{key: OFFERED[key] for key in ("packages", "storage", "clock_ahead", "cluster", "generation")},
    "system": {**OFFERED["system"], "iproute2": ""},
}
SILENT = {"unreachable": True, "msg": "ssh: connect to host k01 port 22: No route to host"}


@pytest.fixture
def check(run_module: Any, root: Path, tmp_path: Path) -> Any:
    """Runs the module with these answers, in a cluster of six nodes with two NICs."""

    def run(**offered: Any) -> dict[str, Any]:
        spec = json.loads((root / "inventory/lab/spec.json").read_text())
        places = {"site": tmp_path, "check_": tmp_path / "check.json"}
        answer: dict[str, Any] = run_module(
            "fnn_check", spec=spec, variables=BASE, offered=offered, proceed=True, **places
        )
        return answer

    return run


@pytest.mark.parametrize(
    ("other", "complete"), [(OFFERED, True), (WITHOUT_IP, False), (SILENT, False)], ids=["ready", "no ip", "silent"]
)
def test_the_facts_are_complete_if_every_node_has_returned_its_nics(
    check: Any, other: dict[str, Any], complete: bool
) -> None:
    """Only then discovery need not read them again; with fnn_proceed, a run goes on without some."""
    answer = check(k00=OFFERED, k01=other)
    assert answer.get("complete") is complete, answer
    assert answer["report"][-1] == ("2 nodes ready" if complete else "1 of 2 nodes refused: k01")


HAS_MPI = {**OFFERED, "mpi": {"differs": False}}


@pytest.mark.parametrize(
    ("other", "known"),
    [
        (HAS_MPI, True),
        ({**OFFERED, "mpi": {"differs": True}}, False),
        ({**OFFERED, "mpi": None}, False),
        (OFFERED, False),
        (SILENT, False),
    ],
    ids=["ready", "differs", "not readable", "not asked", "silent"],
)
def test_mpi_needs_no_task_if_it_would_change_no_node(check: Any, other: dict[str, Any], known: bool) -> None:
    assert check(k00=HAS_MPI, k01=other)["mpi"] is known
