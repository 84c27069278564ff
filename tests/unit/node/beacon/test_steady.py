# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.beacon.steady import is_steady, record_steady
from ansible.module_utils.fnn.shared import nic_facts


@pytest.fixture
def sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(nic_facts, "SYSFS", tmp_path / "sys")
    set_link(tmp_path / "sys", "nic0", "1", "1")
    set_link(tmp_path / "sys", "nic1", "1", "3")
    return tmp_path / "sys"


def set_link(sysfs: Path, device: str, carrier: str, changes: str) -> None:
    (sysfs / device).mkdir(parents=True, exist_ok=True)
    (sysfs / device / "carrier").write_text(f"{carrier}\n")
    (sysfs / device / "carrier_changes").write_text(f"{changes}\n")


def test_links_without_interruption_since_the_record_are_steady(sysfs: Path, tmp_path: Path) -> None:
    record_steady(tmp_path, ["nic0", "nic1"])
    assert is_steady(tmp_path, ["nic0", "nic1"])


@pytest.mark.parametrize(("carrier", "changes"), [("0", "4"), ("1", "5"), ("0", "3")])
def test_an_interrupted_link_is_not_steady(sysfs: Path, tmp_path: Path, carrier: str, changes: str) -> None:
    record_steady(tmp_path, ["nic0", "nic1"])
    set_link(sysfs, "nic1", carrier, changes)
    assert not is_steady(tmp_path, ["nic0", "nic1"])


def test_a_nic_that_has_heard_no_other_is_not_steady(sysfs: Path, tmp_path: Path) -> None:
    record_steady(tmp_path, ["nic0"])
    assert not is_steady(tmp_path, ["nic0", "nic1"])


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_an_unreadable_record_has_no_links(sysfs: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "steady.json").write_text(text)
    assert not is_steady(tmp_path, ["nic0"])


def test_without_a_record_no_link_is_steady(sysfs: Path, tmp_path: Path) -> None:
    assert not is_steady(tmp_path / "none", ["nic0"])


def test_a_record_that_cannot_be_written_is_left_out(sysfs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    record_steady(tmp_path / "file", ["nic0"])
    assert not is_steady(tmp_path / "file", ["nic0"])
