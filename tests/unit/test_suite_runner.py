# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/test.py, which runs the suites of `make test`."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

RUN = """
import runpy, subprocess, sys
runner = runpy.run_path(sys.argv[1])
runner["receive_interrupts"]()
subprocess.run([sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGINT))"], check=True)
"""


def ignore_interrupts() -> None:
    """As a shell does for commands in the background (POSIX, 2.11 Signals and Error Handling)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_programs_of_a_suite_receive_interrupts_that_a_shell_ignores(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, root / "scripts/test.py"],
        preexec_fn=ignore_interrupts,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "default_int_handler" in done.stdout


def test_a_suite_that_does_not_exist_is_named(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, root / "scripts/test.py", "lint", "units"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'units: no suite has this in its name; expected part of: "lab", "lint: ruff"' in done.stderr


def long_suites(root: Path) -> Any:
    return runpy.run_path(str(root / "scripts/test.py"))["LONGER"]


def test_the_documentation_lists_each_long_suite(root: Path) -> None:
    rows = (root / "docs/contributor/tests.md").read_text().splitlines()
    listed = [name for row in rows if row.startswith("| full: ") for name in row.split("|")[1].strip().split(", ")]
    assert sorted(listed) == sorted(suite.name for suite in long_suites(root))


def test_a_suite_runs_each_long_test(root: Path) -> None:
    commands = " ".join(suite.command for suite in long_suites(root))
    assert [file.name for file in (root / "tests/full").glob("test_*.py") if file.name not in commands] == []


SIDE_BY_SIDE = """
import json, runpy, sys
from pathlib import Path
runner = runpy.run_path(sys.argv[1])
suites = [runner["Suite"](**each) for each in json.loads(sys.argv[3])]
function = runner["run_two_at_a_time"]
function.__globals__["RESULTS"] = Path(sys.argv[2])
runner["receive_interrupts"]()
try:
    print("total:", function(suites))
except KeyboardInterrupt:
    runner["end_leftovers"]()
    sys.exit(130)
"""


#: Starts a command at the usual priority, as the suite of this test may have the lowest.
USUAL_PRIORITY = ("sh", "-c", 'renice -n 0 $$ > /dev/null; exec "$@"', "sh")


def run_suites(
    root: Path, results: Path, *suites: dict[str, object], start: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    command = [*start, sys.executable, "-c", SIDE_BY_SIDE, root / "scripts/test.py", results, json.dumps(suites)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


def test_a_suite_that_measures_no_times_runs_beside_the_others_at_the_lowest_priority_unless_it_waits(
    root: Path, tmp_path: Path
) -> None:
    own = str(os.nice(0))
    done = run_suites(
        root,
        tmp_path,
        {"name": "one", "command": f"until test -e {tmp_path}/there; do sleep 0.1; done; nice", "timed": True},
        {"name": "other", "command": f"nice; touch {tmp_path}/there; false"},
        {"name": "last", "command": "nice", "waits": True},
    )
    lines = [line.partition(" in ")[0] for line in done.stdout.splitlines() if line]
    assert lines[:3] == ["==> one", own, "==> one: 1 passed, 0 failed"]
    assert [line for line in lines[3:] if line.startswith(("==> other", "==> last", "19", own, "total"))] == [
        "==> other",
        "19",
        "==> other: 0 passed, 1 failed",
        "==> last",
        own,
        "==> last: 1 passed, 0 failed",
        "total: 2 passed, 1 failed",
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may raise a priority")
def test_suites_in_the_background_have_the_priority_of_others_when_they_are_the_last(
    root: Path, tmp_path: Path
) -> None:
    """A busy machine hardly runs processes of the lowest priority."""
    own = "0"
    noted = f"until test $(cat {tmp_path}/nices | wc -l) = 2; do sleep 0.1; done"
    shown = f"(nice; cat /proc/self/autogroup || echo none) >> {tmp_path}/nices"
    done = run_suites(
        root,
        tmp_path,
        {"name": "one", "command": noted, "timed": True},
        {"name": "other", "command": f"{shown}; until test $(nice) = {own}; do sleep 0.1; done; {shown}"},
        {"name": "last", "command": "nice"},
        start=USUAL_PRIORITY,
    )
    assert done.returncode == 0, done.stderr
    first, group, then, raised = (tmp_path / "nices").read_text().splitlines()
    assert (first, then) == ("19", own)
    assert (group.split()[-1], raised.split()[-1]) in [("19", "0"), ("none", "none")]
    assert f"==> last\n{own}\n" in done.stdout


OF_CTEST = """<testsuite><testcase name="KillsIt" classname="Mpi"><failure message=""/>
<system-out>[ RUN      ] Mpi.KillsIt
mpi_test.cc:3: Failure
Expected equality of these values:
</system-out></testcase></testsuite>"""


def test_a_failed_test_of_ctest_has_the_first_line_of_its_output_as_reason(root: Path, tmp_path: Path) -> None:
    read = runpy.run_path(str(root / "scripts/test.py"))["_read_junit"]
    (tmp_path / "junit.xml").write_text(OF_CTEST)
    assert read(tmp_path / "junit.xml").failed == ["Mpi: KillsIt: Expected equality of these values:"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all_suites_with_all_their_processes(root: Path, tmp_path: Path, number: signal.Signals) -> None:
    """One suite has a process that has left its session, and another suite leaves a file."""
    note = f"echo $$ >> {tmp_path}/pids"
    until = f"until test $(cat {tmp_path}/pids | wc -l) = 2; do sleep 0.1; done"
    done = run_suites(
        root,
        tmp_path,
        {
            "name": "one",
            "command": f"{until}; {note}; touch {tmp_path}/left; kill -{int(number)} $PPID; sleep 600",
            "timed": True,
            "cleanup": f"rm {tmp_path}/left",
        },
        {"name": "other", "command": f"setsid sh -c '{note}; exec sleep 600' & {note}; sleep 600"},
    )
    assert done.returncode == 130, done.stderr
    assert not (tmp_path / "left").exists()
    processes = [Path("/proc") / each for each in (tmp_path / "pids").read_text().split()]
    assert len(processes) == 3
    # A process that has ended is in /proc until init has waited for it.
    wait_until(lambda: not any(each.exists() for each in processes), 5)
