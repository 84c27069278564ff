# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shell scripts replace the launcher; the tests check how their output and exit status are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.reach import mpi
from waiting import read_clock, wait_until


@pytest.fixture
def launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "mpirun"
    monkeypatch.setitem(mpi.LAUNCHERS, "Open MPI", [str(script)])
    return script


def write(script: Path, body: str) -> None:
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


def test_the_answer_is_found_between_other_lines(launcher: Path) -> None:
    write(
        launcher, """echo 'mpirun (Open MPI) 4.1.4'; echo '{"ranks": 2, "pairs": 2, "hosts": ["a", "b"]}'; echo bye"""
    )
    outcome = mpi.run_program("Open MPI", "program", 10)
    assert (outcome["version"], outcome["ranks"], outcome["pairs"]) == ("4.1.4", 2, 2)
    assert (outcome["hosts"], outcome["error"]) == (["a", "b"], None)
    assert outcome["command"] == f"{launcher} program 7"


def test_a_failing_launcher_is_quoted(launcher: Path) -> None:
    write(launcher, "echo 'no path to k03' >&2; exit 7")
    outcome = mpi.run_program("Open MPI", "program", 10)
    assert outcome["error"] == f"{launcher} ended with status 7: no path to k03"
    assert (outcome["ranks"], outcome["hosts"]) == (0, [])


def test_the_first_line_of_a_failing_launcher_survives_what_follows(launcher: Path) -> None:
    write(launcher, "echo 'no path to k03' >&2; seq 9 >&2; exit 7")
    error = mpi.run_program("Open MPI", "program", 10)["error"]
    assert error == f"{launcher} ended with status 7: no path to k03; 1; and 7 more lines; 9"


def test_an_answer_does_not_excuse_a_launcher_that_never_ends(launcher: Path) -> None:
    write(launcher, """[ "$1" = --version ] || { echo '{"ranks": 2, "pairs": 2, "hosts": ["a", "b"]}'; sleep 60; }""")
    outcome = mpi.run_program("Open MPI", "program", 1)
    assert outcome["pairs"] == 2
    assert "did not answer within 1 s" in outcome["error"]


def test_a_launcher_that_hangs_is_killed(launcher: Path) -> None:
    write(launcher, '[ "$1" = --version ] || sleep 60')
    assert "did not answer within 1 s" in mpi.run_program("Open MPI", "program", 1)["error"]


WAITS = [
    {"waits": "k00", "rank": 0, "step": 2, "to": -1, "from": 1},
    {"waits": "k01", "rank": 1, "step": 2, "to": 0, "from": 2},
    {"waits": "k02", "rank": 2, "step": 1, "to": -1, "from": 0},
]


def test_messages_that_were_sent_and_have_not_arrived_are_named_after_a_timeout(launcher: Path) -> None:
    lines = "".join(f"echo '{json.dumps(each)}' >&2; " for each in WAITS)
    write(launcher, f'[ "$1" = --version ] || {{ {lines} echo oops >&2; sleep 60; }}')
    outcome = mpi.run_program("Open MPI", "program", 1)
    assert outcome["error"] == f"{launcher} did not answer within 1 s: oops"
    assert outcome["lost"] == [["k00", "k02"], ["k01", "k00"]]


def test_ranks_that_have_not_started_are_named_with_their_hosts(launcher: Path) -> None:
    wait = json.dumps({"waits": "k02", "rank": -1, "step": 0, "to": -1, "from": -1})
    write(launcher, f"""[ "$1" = --version ] || {{ echo '{wait}' >&2; sleep 60; }}""")
    outcome = mpi.run_program("Open MPI", "program", 1)
    assert outcome["error"] == f"{launcher} did not answer within 1 s, in MPI_Init on k02"
    assert outcome["lost"] == []


def test_ranks_without_a_report_are_named(launcher: Path) -> None:
    wait = json.dumps({"waits": "k01", "rank": 1, "step": 1, "to": -1, "from": 0})
    write(launcher, f"""[ "$1" = --version ] || {{ echo '{wait}' >&2; sleep 60; }}""")
    outcome = mpi.run_program("Open MPI", "program", 1)
    assert outcome["error"] == f"{launcher} did not answer within 1 s, no report from rank 0"


def test_a_rank_that_waits_for_a_late_one_names_no_message() -> None:
    assert mpi.find_lost(WAITS[1:]) == [], "k00 did not report, and k02 is a step behind k01"
    assert mpi.find_lost([{"waits": "k00", "rank": -1, "step": 0, "to": -1, "from": -1}]) == []


def test_a_rank_that_reports_nothing_is_named_and_no_message_of_others() -> None:
    """Six ranks, rank 0 is frozen: ranks 1 and 5 wait for it, and rank 3 for rank 5, which is a step behind."""
    waits = [
        {"waits": "k01", "rank": 1, "step": 1, "to": -1, "from": 0},
        {"waits": "k05", "rank": 5, "step": 1, "to": 0, "from": -1},
        {"waits": "k03", "rank": 3, "step": 2, "to": 5, "from": 1},
    ]
    assert mpi.find_lost(waits) == []


def test_messages_that_their_senders_still_hold_are_named_where_no_other_is_lost() -> None:
    waits = [
        {"waits": "k00", "rank": 0, "step": 1, "to": 1, "from": -1},
        {"waits": "k01", "rank": 1, "step": 1, "to": -1, "from": -1},
    ]
    assert mpi.find_lost(waits) == [["k00", "k01"]]


def test_a_missing_launcher_is_reported(launcher: Path) -> None:
    assert "did not start" in mpi.run_program("Open MPI", "program", 1)["error"]


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("mpirun.openmpi (Open MPI) 5.0.7\n\nReport bugs to", "5.0.7"),
        ("HYDRA build details:\n    Version:           4.0.2\n", "4.0.2"),
        ("unknown", None),
    ],
)
def test_the_version_is_found_in_the_output_of_each_launcher(launcher: Path, printed: str, version: str | None) -> None:
    write(launcher, f"cat << 'EOF'\n{printed}\nEOF")
    assert mpi.read_version(str(launcher)) == version


def test_a_child_in_a_process_group_of_its_own_is_ended_too(launcher: Path, tmp_path: Path) -> None:
    """As an ssh process of Open MPI, which keeps the launcher's output open."""
    file = tmp_path / "child"
    child = f"import os, time; os.setpgid(0, 0); open('{file}', 'w').write(str(os.getpid())); time.sleep(600)"
    write(launcher, f"""[ "$1" = --version ] || {{ python3 -IS -c "{child}" & sleep 600; }}""")
    began = read_clock()
    assert "did not answer within 4 s" in mpi.run_program("Open MPI", "program", 4)["error"]
    assert read_clock() - began < 20
    process = int(file.read_text())
    wait_until(lambda: not is_running(process), 10)


def is_running(process: int) -> bool:
    """A zombie does not run."""
    stat = Path(f"/proc/{process}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
