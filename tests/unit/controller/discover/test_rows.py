# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading MACs from a CSV file and writing them; every wrong line is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.rows import read_rows, write_rows
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError

Document = dict[str, Any]


@pytest.fixture
def design(root: Path) -> Document:
    document: Document = json.loads((root / "inventory/lab/design.json").read_text())
    return document


@pytest.fixture
def macs(root: Path) -> Document:
    """macs.json without what the module keeps beside the nodes."""
    document: Document = json.loads((root / "inventory/lab/macs.json").read_text())
    del document["host_names"]
    return document


def problems(text: str, design: Document, old: Document | None = None) -> list[str]:
    with pytest.raises(FnnError) as error:
        read_rows(text, "macs.csv", design, old)
    return str(error.value).splitlines()


def test_exported_rows_can_be_imported(design: Document, macs: Document) -> None:
    text = write_rows(macs)
    assert text.splitlines()[:2] == ["node,nic,mac", "k00,0,02:f0:00:00:00:00"]
    assert read_rows(text, "macs.csv", design, macs) == macs
    fresh = read_rows(text, "macs.csv", design, None)
    assert write_rows(fresh) == text


def test_macs_are_read_as_scanners_write_them(design: Document, documents: Documents) -> None:
    text = "\ufeffNode, NIC, MAC\r\n\r\nk00, 0, 54-E1-AD-5F-24-B4\r\nk00,1,54e1.ad5f.24b5\r\n"
    macs = read_rows(text, "macs.csv", design, None)
    assert [nic["mac"] for nic in macs["nodes"][0]["nics"]] == ["54:e1:ad:5f:24:b4", "54:e1:ad:5f:24:b5"]
    documents.check(macs, "fnn-macs")


def test_rows_without_heading_and_nics_by_name(design: Document, macs: Document) -> None:
    after = read_rows("k03,nic1,54:e1:ad:5f:24:b4\n", "macs.csv", design, macs)
    assert after["nodes"][3]["nics"][1] == {"mac": "54:e1:ad:5f:24:b4", "name": "nic1", "nic": 1, "permanent": True}
    after["nodes"][3]["nics"][1] = macs["nodes"][3]["nics"][1]
    assert after == macs, "nothing else changes"


def test_every_wrong_line_is_named_at_once(design: Document) -> None:
    text = """node,nic,mac
k00,0,02:00:00:00:00:01
k00,1
k99,0,02:00:00:00:00:02
k01,2,02:00:00:00:00:03
k01,eth7,02:00:00:00:00:04
k01,0,02:00:00:00:00:zz
k01,1,01:00:5e:00:00:01
k02,0,02:00:00:00:00:01
k02,0,02:00:00:00:00:05
"""
    assert problems(text, design) == [
        "macs.csv line 3: 2 cells, expected three: node,nic,mac",
        "macs.csv line 4: k99 is no node of the design",
        "macs.csv line 5: k01 has no NIC 2, only 0 to 1",
        "macs.csv line 6: k01 has no NIC eth7, only 0 to 1",
        'macs.csv line 7: "02:00:00:00:00:zz" is not the MAC of a NIC',
        'macs.csv line 8: "01:00:5e:00:00:01" is not the MAC of a NIC',
        "macs.csv line 10: NIC 0 of k02 is already in line 9",
        "macs.csv line 2: k00 has no MAC yet for its NIC 1",
        "macs.csv line 10: k02 has no MAC yet for its NIC 1",
    ]


def test_a_mac_of_two_nics_is_refused_also_when_one_was_known_before(design: Document, macs: Document) -> None:
    assert problems("k00,0,02:f0:00:00:05:01\n", design, macs) == [
        "macs.csv line 1: 02:f0:00:00:05:01 would be the MAC of NIC 0 of k00 and of NIC 1 of k05"
    ]
