# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of cables between nodes: one cable with a NIC at both ends, and no sheet for switches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.labels.cabling import SERIALS, make_cabling
from ansible.module_utils.fnn.controller.labels.make import make_files


@pytest.mark.parametrize(("site", "cables"), [("mesh", 3), ("ring", 4), ("star", 3)])
def test_each_cable_has_one_identifier_at_two_nics(root: Path, site: str, cables: int) -> None:
    design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
    for identify in ("ports", SERIALS):
        cabling = make_cabling(design, identify=identify)
        assert len({each.identifier for each in cabling.cables}) == cables
        ends = [cable for node in cabling.nodes for _, cable in node.nics if cable]
        assert len(ends) == 2 * cables
        assert all(
            f"{one.near}" == f"{other.far}"
            for one in ends
            for other in ends
            if one.identifier == other.identifier and one != other
        )
        assert {str(each.near) for each in ends} == {str(each.far) for each in ends}


def test_files_name_both_ends_and_leave_out_switches(root: Path) -> None:
    design = Documents(root / "schemas").read(root / "inventory/ring/design.json", "fnn-design")
    files = make_files(design, {"stock": None, "identify": "ports", "papers": ["a4"]})
    assert sorted(files) == [
        "a4/bill.pdf", "a4/flags.pdf", "a4/node-labels.pdf", "a4/nodes.pdf",
        "bill.csv", "cables.csv", "flags.csv", "index.json",
    ]  # fmt: skip
    assert "k0:1/k1:0,A,k0,1,k1,0," in files["cables.csv"].decode("utf-8-sig")
    assert json.loads(files["index.json"])["cables"] == 4
