# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/task.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.task import Task
from ansible.module_utils.fnn.shared.errors import FnnError

KEYS = {"format": "fnn-stand-ins", "version": 1, "cluster": "six", "stand_ins": []}


def make_task(root: Path, check: bool = False, diff: bool = False, **options: Any) -> Task:
    return Task({"root": str(root), **options}, check, diff, lambda _: (0, "", ""), lambda _: None)


def test_a_document_has_the_format_of_its_option(root: Path) -> None:
    design = str(root / "inventory/lab/design.json")
    assert make_task(root, design=design).read("design")["format"] == "fnn-design"
    assert make_task(root, to=design).read("to", "fnn-design")["format"] == "fnn-design"


def test_a_document_of_another_format_is_refused(root: Path) -> None:
    task = make_task(root, macs=str(root / "inventory/lab/design.json"))
    with pytest.raises(FnnError, match="fnn-macs"):
        task.read("macs")


@pytest.mark.parametrize("path", [None, "/nowhere/macs.json"])
def test_an_optional_document_may_be_missing(root: Path, path: str | None) -> None:
    assert make_task(root, macs=path).read_existing("macs") is None


def test_a_required_document_may_not_be_missing(root: Path) -> None:
    with pytest.raises(FnnError, match=r"/nowhere/macs\.json: cannot be read"):
        make_task(root, macs="/nowhere/macs.json").read("macs")


def test_documents_and_text_are_written(root: Path, tmp_path: Path) -> None:
    task = make_task(root)
    task.write(tmp_path / "stand-ins.json", KEYS)
    task.write(tmp_path / "summary.txt", "six\n")
    assert (tmp_path / "stand-ins.json").read_text() == dumps(KEYS)
    assert (tmp_path / "summary.txt").read_text() == "six\n"


def test_a_document_against_its_schema_is_not_written(root: Path, tmp_path: Path) -> None:
    with pytest.raises(FnnError, match=r"stand-ins\.json"):
        make_task(root).write(tmp_path / "stand-ins.json", {**KEYS, "stand_ins": 1})
    assert not list(tmp_path.iterdir())


def test_check_mode_writes_nothing(root: Path, tmp_path: Path) -> None:
    task = make_task(root, check=True)
    task.write(tmp_path / "stand-ins.json", KEYS)
    task.write(tmp_path / "summary.txt", "six\n")
    assert not list(tmp_path.iterdir())


def test_a_change_is_described_with_a_diff_only_in_diff_mode(root: Path) -> None:
    path = Path("keys.json")
    assert make_task(root).describe_change(path, None, KEYS) == {"changed": True}
    assert make_task(root, diff=True).describe_change(path, None, KEYS) == {
        "changed": True,
        "diff": {"before_header": "keys.json", "before": "", "after_header": "keys.json", "after": dumps(KEYS)},
    }


def test_equal_documents_are_no_change(root: Path) -> None:
    assert make_task(root, diff=True).describe_change(Path("keys.json"), KEYS, dict(KEYS))["changed"] is False


def test_an_engine_that_is_not_built_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FnnError, match="bin/fnn-designer: missing"):
        make_task(tmp_path).open_designer()


@pytest.mark.parametrize("build", [True, False])
def test_a_named_engine_is_not_built(tmp_path: Path, build: bool) -> None:
    with pytest.raises(FnnError, match=r"^/x/gone: missing; build it with make bin/fnn-designer$"):
        make_task(tmp_path, designer="/x/gone", build=build).provide_designer()
