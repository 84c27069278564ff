# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/repeat-tests.py, which runs `make test` several times and counts what failed."""

from __future__ import annotations

import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

GOOD = "==> lint: 1 passed, 0 failed in 3 s\n\n8 passed, 0 failed, 1 skipped\n"
BAD = """
FAILED: tests.kernel.test_a: test_b[k00: red]: assert 3 < 3.0
FAILED: lint: ruff: exit status 1
7 passed, 2 failed
"""


@pytest.fixture
def script(root: Path) -> dict[str, Any]:
    return runpy.run_path(str(root / "scripts/repeat-tests.py"))


def report(script: dict[str, Any], *outputs: str) -> list[str]:
    return list(script["format_failures"](script["count_failures"](dict(enumerate(outputs, 1))), len(outputs)))


def test_runs_without_a_failure_are_one_line(script: dict[str, Any]) -> None:
    assert report(script, GOOD, GOOD) == ["2 runs, 0 failed"]


def test_each_failure_is_counted_with_its_reasons_and_the_most_frequent_comes_first(script: dict[str, Any]) -> None:
    late = "FAILED: lint: ruff: exit status 1\nFAILED: Mpi: KillsIt: Expected: equality\n6 passed, 2 failed"
    other = "FAILED: lint: ruff: exit status 2\n6 passed, 1 failed"
    assert report(script, BAD, GOOD, late, other) == [
        "lint: ruff: failed in 3 of 4 runs",
        "  run 1, 3: exit status 1",
        "  run 4: exit status 2",
        "Mpi: KillsIt: failed in 1 of 4 runs",
        "  run 3: Expected: equality",
        "tests.kernel.test_a: test_b[k00: red]: failed in 1 of 4 runs",
        "  run 1: assert 3 < 3.0",
    ]


def test_a_run_without_a_result_is_a_failure_with_its_last_line(script: dict[str, Any]) -> None:
    assert report(script, GOOD, "compiling\nmake: *** [Makefile:55: test] Error 2\n") == [
        "the run itself: failed in 1 of 2 runs",
        "  run 2: make: *** [Makefile:55: test] Error 2",
    ]


#: A project whose tests fail in every second run; with ONLY=slow they do not end.
MAKEFILE = """
test:
\t@touch started; [ "$(ONLY)" != slow ] || sleep 600
\t@echo run >> runs
\t@[ $$(($$(wc -l < runs) % 2)) = 0 ] || { echo "FAILED: Mpi: A: late"; echo 1 passed, 1 failed; exit 1; }
\t@echo 2 passed, 0 failed
"""


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(root / "scripts/repeat-tests.py", tmp_path / "scripts")
    (tmp_path / "Makefile").write_text(MAKEFILE)
    return tmp_path


def test_the_output_of_each_run_is_kept_and_a_failure_is_the_exit_status(project: Path) -> None:
    command = [sys.executable, project / "scripts/repeat-tests.py", "--runs", "4", "--busy", "2", "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "run 1: 1 passed, 1 failed; build/repeated/1.log",
        "run 2: 2 passed, 0 failed; build/repeated/2.log",
        "run 3 beside 1 busy processes: 1 passed, 1 failed; build/repeated/3.log",
        "run 4 beside 1 busy processes: 2 passed, 0 failed; build/repeated/4.log",
        "",
        "Mpi: A: failed in 2 of 4 runs",
        "  run 1, 3: late",
    ]
    assert done.returncode == 1
    assert (project / "build/repeated/2.log").read_text() == "2 passed, 0 failed\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_tests_and_the_busy_processes(project: Path, number: signal.Signals) -> None:
    command = [sys.executable, project / "scripts/repeat-tests.py", "--runs", "1", "--busy", "1", "slow"]
    with subprocess.Popen(command) as running:
        wait_until((project / "started").exists, 20)
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.send_signal(number)
        assert running.wait(60) == 128 + number
    assert len(children) == 3, "two busy processes and make"
    assert not any((Path("/proc") / each).exists() for each in children)
