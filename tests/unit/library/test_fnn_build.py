# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_build.py: a program of the toolkit, compiled on a node."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from module_runner import RunModule

DIRECTORY = "/usr/local/libexec/fnn"
SOURCE = "int main(void) { return 7; }\n"


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    """Options of the module, with the root of a node in which the directory is missing."""
    (tmp_path / "usr/local").mkdir(parents=True)
    return {"root": tmp_path, "directory": DIRECTORY, "program": "seven", "source": SOURCE, "compilers": ["gcc", "c99"]}


def list_files(root: Path) -> list[str]:
    return sorted(each.name for each in (root / DIRECTORY[1:]).iterdir())


def test_each_compiler_makes_a_program_that_runs(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    answer = run_module("fnn_build", **options)
    assert answer["files"][:2] == ["/usr/local/libexec", DIRECTORY]
    assert "diff" not in answer
    for path in answer["programs"].values():
        assert subprocess.run([tmp_path / path[1:]], check=False).returncode == 7
    again = run_module("fnn_build", **options)
    assert (again["changed"], again["files"], again["programs"]) == (False, [], answer["programs"])


def test_programs_of_a_former_source_are_removed(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    run_module("fnn_build", **options)
    former = list_files(tmp_path)
    (tmp_path / DIRECTORY[1:] / "theirs").touch()
    run_module("fnn_build", **options | {"source": SOURCE.replace("7", "8")})
    assert len(list_files(tmp_path)) == len(former) + 1
    assert not set(former) & set(list_files(tmp_path))


def test_programs_of_compilers_that_are_not_named_stay(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    run_module("fnn_build", **options)
    before = list_files(tmp_path)
    assert run_module("fnn_build", **options | {"compilers": []})["changed"] is False
    assert list_files(tmp_path) == before


def test_check_mode_shows_the_source_and_writes_nothing(
    run_module: RunModule, options: dict[str, Any], tmp_path: Path
) -> None:
    answer = run_module("fnn_build", check=True, diff=True, **options)
    assert answer["changed"] is True
    assert [each["after"] for each in answer["diff"]] == [f"mode 0644\n{SOURCE}"]
    assert sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")) == ["usr", "usr/local"]


def test_a_missing_compiler_is_named(run_module: RunModule, options: dict[str, Any]) -> None:
    answer = run_module("fnn_build", **options | {"compilers": ["fnn-no-compiler"]})
    assert answer["msg"] == "fnn-no-compiler: No such file or directory"
