# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.beacon import verified
from ansible.module_utils.fnn.node.beacon.verified import count_links, find_verified, record_verified
from ansible.module_utils.fnn.shared import nic_facts

LINKS = {"nic0": ["02:f0:00:00:00:00", "1", "3"], "nic1": ["02:f0:00:00:00:01", None, None]}


def test_links_as_recorded_have_the_findings_of_the_record(tmp_path: Path) -> None:
    record_verified(tmp_path, "sha256:1", LINKS)
    assert find_verified(tmp_path, dict(LINKS)) == "sha256:1"


@pytest.mark.parametrize(
    "links",
    [
        {**LINKS, "nic0": ["02:f0:00:00:00:00", "1", "5"]},
        {**LINKS, "nic0": ["02:f0:00:00:00:00", "0", "3"]},
        {**LINKS, "nic0": ["02:f0:00:00:00:09", "1", "3"]},
        {**LINKS, "nic2": ["02:f0:00:00:00:02", "1", "1"]},
        {"nic0": LINKS["nic0"]},
        {},
    ],
    ids=["interrupted", "without carrier", "another card", "a new NIC", "a missing NIC", "no NIC"],
)
def test_other_links_have_no_findings(tmp_path: Path, links: dict[str, list[Any]]) -> None:
    record_verified(tmp_path, "sha256:1", LINKS)
    assert not find_verified(tmp_path, links)


@pytest.mark.parametrize("text", ["", "[]", "{", "{}"])
def test_an_unreadable_record_has_no_findings(tmp_path: Path, text: str) -> None:
    (tmp_path / "verified.json").write_text(text)
    assert not find_verified(tmp_path, LINKS)


def test_without_a_record_there_are_no_findings(tmp_path: Path) -> None:
    assert not find_verified(tmp_path / "none", LINKS)
    record_verified(tmp_path / "none", "sha256:1", {})
    assert not find_verified(tmp_path / "none", {})


def test_links_are_counted_by_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A NIC that is down has no readable carrier."""
    nics = {"nic0": "02:f0:00:00:00:00", "nic1": "02:f0:00:00:00:01"}

    def read_links(match: list[str], _macs: Any) -> list[dict[str, str]]:
        return [{"device": device, "mac": nics[device]} for device in match]

    monkeypatch.setattr(nic_facts, "SYSFS", tmp_path)
    monkeypatch.setattr(verified, "read_links", read_links)
    (tmp_path / "nic0").mkdir()
    (tmp_path / "nic0/carrier").write_text("1\n")
    (tmp_path / "nic0/carrier_changes").write_text("3\n")
    fabric = read_links(["nic0"], [])
    assert count_links(fabric, ["nic1"]) == LINKS
    assert list(count_links(fabric, [])) == ["nic0"]
    assert json.loads(json.dumps(LINKS)) == LINKS  # as the record has them
