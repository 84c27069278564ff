# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_bench_node.py prepares a node and removes everything again; scripts replace the launchers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench.prepare import Request, collect, prepare

DIRECTORY = "/usr/local/libexec/fnn/bench"
SOURCE = "int main(void) { return 7; }\n"
MPIS = [("Open MPI", "gcc"), ("MPICH", "c99")]


@pytest.fixture
def request_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    """For a node with Open MPI alone."""
    launcher = tmp_path / "bin/mpirun.openmpi"
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\necho 'mpirun (Open MPI) 4.1.4'\n")
    launcher.chmod(0o755)
    monkeypatch.setenv("PATH", f"{launcher.parent}:/usr/bin:/bin")
    (tmp_path / "root/usr/local").mkdir(parents=True)
    return Request(tmp_path / "root", DIRECTORY, SOURCE, MPIS, ["fnn-no-such-package"])


def test_the_program_is_compiled_for_each_mpi_that_is_there(request_: Request) -> None:
    answer = prepare(request_)
    assert answer["versions"] == {"Open MPI": "4.1.4", "MPICH": None}
    assert answer["programs"]["MPICH"] is None
    program = request_.root / answer["programs"]["Open MPI"][1:]
    assert subprocess.run([program], check=False).returncode == 7
    assert answer["missing"] == ["fnn-no-such-package"]


def test_nothing_of_it_is_left_after_collect(request_: Request) -> None:
    prepare(request_)
    (request_.root / DIRECTORY[1:] / "left-by-an-interrupted-run").touch()
    answer = collect(request_)
    assert answer["changed"]
    assert f"{DIRECTORY}/left-by-an-interrupted-run" in answer["files"]
    assert not (request_.root / DIRECTORY[1:]).exists()
    assert collect(request_) == {"changed": False, "files": []}


def test_check_mode_reports_and_leaves_all_files(request_: Request) -> None:
    checking = Request(request_.root, DIRECTORY, SOURCE, MPIS, check=True)
    assert prepare(checking)["changed"]
    assert not (request_.root / DIRECTORY[1:]).exists()
    prepare(request_)
    before = sorted(request_.root.rglob("*"))
    assert collect(checking)["changed"]
    assert sorted(request_.root.rglob("*")) == before
