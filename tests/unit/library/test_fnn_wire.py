# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_wire.py: the document by which ./fnn reaches nodes and head."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents

GIVEN: dict[str, Any] = {"site": "/site", "build": "/build", "cluster": "six", "nodes": {"k00": {"host": "192.0.2.1"}}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "wire.json"


def test_the_document_is_written_once(run_module: Any, file: Path, documents: Documents) -> None:
    assert run_module("fnn_wire", file=file, **GIVEN)["changed"]
    assert documents.read(file, "fnn-wire") == {"format": "fnn-wire", "version": 1, **GIVEN}
    assert not run_module("fnn_wire", file=file, **GIVEN)["changed"]


def test_check_mode_reports_a_change_and_writes_nothing(run_module: Any, file: Path) -> None:
    assert run_module("fnn_wire", check=True, file=file, **GIVEN)["changed"]
    assert not file.exists()
    run_module("fnn_wire", file=file, **GIVEN)
    before = file.read_bytes()
    assert not run_module("fnn_wire", check=True, file=file, **GIVEN)["changed"]
    assert run_module("fnn_wire", check=True, file=file, **{**GIVEN, "nodes": {}})["changed"]
    assert file.read_bytes() == before


@pytest.mark.parametrize("check", [False, True])
def test_a_setting_that_is_unknown_is_refused_and_nothing_is_written(run_module: Any, file: Path, check: bool) -> None:
    answer = run_module("fnn_wire", check=check, file=file, **{**GIVEN, "nodes": {"k00": {"port": "22"}}})
    assert answer["msg"] == "/nodes/k00/host: missing"
    assert not file.exists()
