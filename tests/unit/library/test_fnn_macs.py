# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn_macs as a module: what it writes, what it only tells, what it refuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def site(root: Path, tmp_path: Path) -> dict[str, Path]:
    """A copy of the lab's documents, as options of the module."""
    files = {name: tmp_path / f"{name}.json" for name in ("design", "macs")}
    for name, path in files.items():
        shutil.copy(root / f"inventory/lab/{name}.json", path)
    return files


def seen(macs: list[str]) -> dict[str, Any]:
    links = [{"device": f"nic{number}", "mac": mac, "permanent": True} for number, mac in enumerate(macs)]
    return {"links": links, "arrived_on": None}


def test_a_vanished_nic_and_the_new_one_are_told(run_module: Any, site: dict[str, Path]) -> None:
    observations = {"k00": seen(["02:f0:00:00:00:00", "54:e1:ad:5f:24:b4"])}
    answer = run_module("fnn_macs", **site, observations=observations)
    assert answer["changed"] is True
    assert [change["text"] for change in answer["changes"]] == [
        "k00: NIC 1 (nic1, 02:f0:00:00:00:01) is gone",
        "k00: NIC 1 (nic1, 54:e1:ad:5f:24:b4) is new",
    ]
    assert run_module("fnn_macs", **site, observations=observations)["changes"] == []


def test_replacing_in_check_mode_tells_and_writes_nothing(run_module: Any, site: dict[str, Path]) -> None:
    before = site["macs"].read_text()
    options = {
        **site,
        "state": "replaced",
        "node": "k00",
        "nic": "1",
        "observations": {"k00": seen(["02:f0:00:00:00:00", "54:e1:ad:5f:24:b4"])},
    }
    answer = run_module("fnn_macs", check=True, diff=True, **options)
    assert answer["changed"] is True and "54:e1:ad:5f:24:b4" in answer["diff"]["after"]
    assert site["macs"].read_text() == before
    assert run_module("fnn_macs", **options)["changed"] is True
    changed = [
        line for line in site["macs"].read_text().splitlines() if line not in before.splitlines()
    ]  # fmt: skip
    assert changed == ['          "mac": "54:e1:ad:5f:24:b4",', '          "permanent": true']


def test_a_node_that_does_not_answer_cannot_have_a_nic_replaced(run_module: Any, site: dict[str, Path]) -> None:
    answer = run_module("fnn_macs", **site, state="replaced", node="k00", nic="1", observations={})
    assert (answer["failed"], answer["msg"]) == (True, "k00: did not tell its NICs")


def test_rows_go_out_and_come_in_again(run_module: Any, site: dict[str, Path], tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    assert run_module("fnn_macs", **site, state="exported", csv=rows)["changed"] is True
    assert run_module("fnn_macs", **site, state="exported", csv=rows)["changed"] is False
    assert run_module("fnn_macs", **site, state="imported", csv=rows)["changed"] is False
    rows.write_text(rows.read_text().replace("k05,1,02:f0:00:00:05:01", "k05,1,54:e1:ad:5f:24:b4"))
    assert run_module("fnn_macs", **site, state="imported", csv=rows)["changed"] is True
    assert json.loads(site["macs"].read_text())["nodes"][5]["nics"][1]["mac"] == "54:e1:ad:5f:24:b4"
    rows.write_bytes(b"\xff\xff")
    assert run_module("fnn_macs", **site, state="imported", csv=rows)["msg"] == "rows.csv: not UTF-8 text"
