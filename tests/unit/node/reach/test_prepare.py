# SPDX-License-Identifier: GPL-3.0-or-later
"""What the preparation of the proof records; the kernel and fnn-linkd are replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.reach import prepare as preparation
from ansible.module_utils.fnn.node.reach.prepare import Request, prepare


@pytest.mark.parametrize(
    ("running", "avoided", "recorded"),
    [(True, [], [["nic0"]]), (True, [("k01", "red")], []), (False, [], [])],
    ids=["all used", "one avoided", "no fnn-linkd"],
)
def test_links_are_recorded_as_steady_only_if_fnn_linkd_uses_all_nics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, running: bool, avoided: list[Any], recorded: list[Any]
) -> None:
    records: list[Any] = []
    monkeypatch.setattr(preparation, "read_peer_addresses", list)
    monkeypatch.setattr(preparation, "read_fabric_devices", lambda: ["nic0"])
    monkeypatch.setattr(preparation, "send_to_peers", lambda *_: None)
    monkeypatch.setattr(preparation, "is_linkd_running", lambda _: running)
    monkeypatch.setattr(preparation, "read_avoided", lambda _: avoided)
    monkeypatch.setattr(preparation, "record_steady", lambda _, devices: records.append(devices))
    prepare(Request(tmp_path, "/programs", "int main;", [], settle=0, tries=1, reach=False, check=False), dict)
    assert records == recorded


@pytest.mark.parametrize(
    ("findings", "check", "recorded"),
    [("sha256:1", False, [("sha256:1", {"nic0": []})]), ("", False, []), ("sha256:1", True, [])],
    ids=["verified", "not verified in this run", "check mode"],
)
def test_links_are_recorded_with_the_findings_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, findings: str, check: bool, recorded: list[Any]
) -> None:
    records: list[Any] = []
    monkeypatch.setattr(preparation, "read_peer_addresses", list)
    monkeypatch.setattr(preparation, "read_fabric_devices", list)
    monkeypatch.setattr(preparation, "send_to_peers", lambda *_: None)
    monkeypatch.setattr(preparation, "is_linkd_running", lambda _: False)
    monkeypatch.setattr(preparation, "record_verified", lambda _, *record: records.append(record))
    request = Request(tmp_path, "/programs", "int main;", [], settle=0, tries=1, reach=False, check=check)
    prepare(replace(request, findings=findings), lambda: {"nic0": []})
    assert records == recorded
