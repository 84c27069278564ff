# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_check.py"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from plan_settings import BASE

FREE = {"free_mb": 9000, "free_inodes": 90000, "read_only": False, "noexec": False}
#: The answer of a node without the program ip, and what the others return too.
WITHOUT_IP: dict[str, Any] = {
    "packages": {"missing": [], "unknown": []},
    "storage": dict.fromkeys(("/etc", "/usr/local", "/var/lib", "/usr"), FREE),
    "system": {"name": "Debian 12", "kernel": "6.1.0", "python": "3.11.2", "systemd": True, "iproute2": ""},
    "clock_ahead": 0.3,
    "cluster": "",
    "generation": "",
}
LINKS = [{"device": f"eth{n}", "mac": f"02:f0:00:00:00:0{n}", "permanent": True, "speed_mbps": 1000} for n in (1, 2)]
OFFERED: dict[str, Any] = {
    **WITHOUT_IP,
    "links": LINKS,
    "without_carrier": [],
    "arrived_on": None,
    "networks": [],
    "routes": [],
    "conflicts": {},
    "filters": [],
    "lacking": [],
    "system": {**WITHOUT_IP["system"], "iproute2": "6.1.0"},
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
