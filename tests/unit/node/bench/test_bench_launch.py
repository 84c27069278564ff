# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts replace the launchers of both MPIs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench.launch import Launch, launch
from ansible.module_utils.fnn.node.bench.watch import Interrupted, Watch
from waiting import read_clock, wait_until

NODES = ["k01", "k00"]
#: Prints its words, its hostfile and its input.
PRINT = 'echo "$@" | sed "s,/[^ ]*/hosts,HOSTS,"; cat "$2"; cat'
WriteProgram = Callable[[str, str], Path]
Write = Callable[[str], Path]


@pytest.fixture
def write(write_program: WriteProgram) -> Write:
    """write(body): replaces the launcher of Open MPI."""
    return lambda body: write_program("mpirun.openmpi", body)


def test_each_node_gets_one_rank_and_the_first_the_input(write: Write, watch: Watch) -> None:
    write(PRINT)
    outcome = launch(Launch("Open MPI", 300, watch), NODES, ["program", "word"], "the input\n")
    assert outcome.error is None
    assert outcome.output.splitlines() == [
        "-hostfile HOSTS --bind-to none -n 2 program word", "k01 slots=1", "k00 slots=1", "the input",
    ]  # fmt: skip


def test_the_hostfile_of_mpich_has_its_own_syntax(write_program: WriteProgram, watch: Watch) -> None:
    write_program("mpiexec.mpich", PRINT)
    output = launch(Launch("MPICH", 300, watch), NODES, ["program"]).output
    assert output.splitlines() == ["-f HOSTS -n 2 program", "k01:1", "k00:1"]


def test_a_failure_has_the_first_lines_of_the_launcher_and_the_last(write: Write, watch: Watch) -> None:
    write("for line in a b c d e; do echo $line >&2; done; echo output; exit 7")
    outcome = launch(Launch("Open MPI", 300, watch), NODES, ["program"])
    assert outcome.output == "output\n"
    assert outcome.error == "mpirun.openmpi ended with status 7: a; b; and 2 more lines; e"


def list_sleepers(marker: str) -> list[str]:
    """Processes with this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(path.read_bytes().decode(errors="replace"))
    return [line for line in found if marker in line]


@pytest.mark.parametrize("deaf", [False, True], ids=["ends at once", "ignores SIGTERM"])
def test_a_launcher_that_hangs_is_ended_with_its_children(deaf: bool, write: Write, watch: Watch) -> None:
    write(f"{'trap true TERM; ' if deaf else ''}sleep 61.25 & echo started; while true; do sleep 0.1; done")
    began = read_clock()
    outcome = launch(Launch("Open MPI", 3, watch), NODES, ["program"])
    assert outcome.output == "started\n"
    # A shell may print that its child was killed.
    assert str(outcome.error).startswith("mpirun.openmpi did not end within 3 s")
    assert read_clock() - began < 20
    wait_until(lambda: not list_sleepers("61.25"), 10)


def test_a_benchmark_without_its_directory_ends_the_launcher(write: Write, watch: Watch) -> None:
    write(f"rmdir {watch.directory}; exec sleep 61.5")
    with pytest.raises(Interrupted):
        launch(Launch("Open MPI", 500, watch), NODES, ["program"])
    assert not list_sleepers("61.5")
