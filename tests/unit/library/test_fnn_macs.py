# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn_macs as a module: what it writes, what it only reports, and what it refuses."""

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
    return {**files, "discovery": tmp_path / "build/discovery.json"}


def seen(macs: list[str]) -> dict[str, Any]:
    links = [{"device": f"nic{number}", "mac": mac, "permanent": True} for number, mac in enumerate(macs)]
    return {"links": links, "arrived_on": None}


def test_a_vanished_nic_and_the_new_one_are_warned_of_and_written_down(run_module: Any, site: dict[str, Path]) -> None:
    observations = {"k00": seen(["02:f0:00:00:00:00", "54:e1:ad:5f:24:b4"])}
    answer = run_module("fnn_macs", **site, observations=observations)
    assert (answer["changed"], answer.get("failed")) == (True, None)
    assert [each["kind"] for each in answer["findings"]] == ["vanished-mac", "new-mac"]
    assert [each["action"] for each in answer["findings"]] == [each["event"]["msg"] for each in answer["warnings"]]
    assert json.loads(site["discovery"].read_text())["findings"] == answer["findings"]
    again = run_module("fnn_macs", **site, observations=observations)
    assert (again["changed"], again["findings"]) == (False, [])
    assert json.loads(site["discovery"].read_text())["findings"] == []


TWINS = {"k00": seen(["02:f0:00:00:00:00", "02:f0:00:00:00:01"]), "k03": seen(["02:f0:00:00:03:00"] * 2)}


def test_duplicates_fail_after_everything_else_was_bound_and_written(run_module: Any, site: dict[str, Path]) -> None:
    site["macs"].unlink()
    answer = run_module("fnn_macs", **site, observations=TWINS)
    assert (answer["failed"], answer["changed"]) == (True, True)
    assert answer["msg"].splitlines() == [
        "duplicate-mac: k03 nic0 and k03 nic1 have the same MAC 02:f0:00:00:03:00: give k03 nic1 one of its own "
        "(replace the NIC, or set another address), then run discover and verify again",
        "    links: 02:f0:00:00:03:00 is the address of k03 nic0 and k03 nic1",
        "macs.json: has the MACs of 2 of 12 NICs",
    ]  # fmt: skip
    assert [node["name"] for node in json.loads(site["macs"].read_text())["nodes"]] == ["k00"]
    (finding,) = json.loads(site["discovery"].read_text())["findings"]
    assert (finding["kind"], finding["node"], finding["nic"]) == ("duplicate-mac", "k03", 0)
    whole = {node: seen([f"02:f0:00:00:{node[1:]}:{nic:02d}" for nic in (0, 1)]) for node in ("k00", "k03")}
    answer = run_module("fnn_macs", **site, observations=whole)
    assert (answer["bound"], answer["missing"]) == (["k00", "k03"], ["k01", "k02", "k04", "k05"])
    assert answer["report"] == ["macs.json: has the MACs of 4 of 12 NICs"]


def test_duplicates_in_check_mode_fail_and_write_nothing(run_module: Any, site: dict[str, Path]) -> None:
    before = site["macs"].read_text()
    answer = run_module("fnn_macs", check=True, diff=True, **site, observations=TWINS)
    assert answer["failed"] and answer["msg"].startswith("duplicate-mac: ")
    assert (site["macs"].read_text(), site["discovery"].exists()) == (before, False)


def test_a_refusal_writes_neither_document(run_module: Any, site: dict[str, Path]) -> None:
    site["macs"].unlink()
    answer = run_module("fnn_macs", **site, observations={**TWINS, "k01": seen(["02:f0:00:00:01:00"])})
    assert answer["msg"].splitlines()[0].startswith("/nodes/1/nics: 2 NICs planned, but k01 has 1")
    assert answer["msg"].splitlines()[1].startswith("duplicate-mac: k03 nic0 and k03 nic1")
    assert not site["macs"].exists() and not site["discovery"].exists()


def test_replacing_in_check_mode_reports_and_writes_nothing(run_module: Any, site: dict[str, Path]) -> None:
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
    assert (answer["failed"], answer["msg"]) == (True, "k00: did not report its NICs")


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
