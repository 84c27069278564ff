# SPDX-License-Identifier: GPL-3.0-or-later
"""Launches a program over nodes with an MPI, and ends it completely (runs on a node).

The hostfile of the launch has each node once, whatever its number of slots: the network is measured, not the memory of
a node. All other settings of an MPI are those of the node's own files, as for any user of the cluster.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...shared.errors import cut_output
from ..reach.mpi import LAUNCHERS, kill_session
from .watch import Watch

#: Lines of a hostfile, and options of the launcher besides. Open MPI would bind the only rank of each node to its first
#: core, and so the ranks of nodes that share a machine, as in a lab, all to the same.
_HOSTS = {"Open MPI": "{} slots=1", "MPICH": "{}:1"}
_OPTIONS = {"Open MPI": ["--bind-to", "none"], "MPICH": []}
_POLL = 0.5  # seconds
_GRACE = 5.0  # seconds in which a launcher ends its ranks after SIGTERM


@dataclass(frozen=True)
class Launch:
    """flavor: of the MPI. seconds: the limit for a launch."""

    flavor: str
    seconds: int
    watch: Watch


@dataclass(frozen=True)
class Outcome:
    """error: None after success; else the status of the launcher and its first and last lines."""

    output: str
    error: str | None


def launch(how: Launch, nodes: Sequence[str], program: Sequence[str], text: str = "", directory: str = "/") -> Outcome:
    """Runs a program with one rank on each node; Open MPI numbers them in an order of its own.

    text: the input of rank 0. directory: in which it runs.
    Raises Interrupted, after the end of all ranks.
    """
    with tempfile.TemporaryDirectory(prefix="fnn-bench-") as name:
        work = Path(name)
        (work / "hosts").write_text("".join(f"{_HOSTS[how.flavor].format(node)}\n" for node in nodes), encoding="utf-8")
        (work / "input").write_text(text, encoding="utf-8")
        launcher, option, _ = LAUNCHERS[how.flavor]
        command = [launcher, option, str(work / "hosts"), *_OPTIONS[how.flavor], "-n", str(len(nodes)), *program]
        status = _run(command, how, work, directory)
        output, errors = ((work / each).read_text(encoding="utf-8", errors="replace") for each in ("output", "errors"))
    if status == 0:
        return Outcome(output, None)
    ended = f"ended with status {status}" if status is not None else f"did not end within {how.seconds} s"
    return Outcome(output, ": ".join(filter(None, [f"{launcher} {ended}", cut_output(errors)])))


def _run(command: Sequence[str], how: Launch, work: Path, directory: str) -> int | None:
    """The exit status, 127 of a launcher that is not installed; None of one that did not end in time."""
    end = time.monotonic() + how.seconds
    with (work / "input").open() as text, (work / "output").open("w") as output, (work / "errors").open("w") as errors:
        try:
            process = subprocess.Popen(
                command, stdin=text, stdout=output, stderr=errors, start_new_session=True, cwd=directory
            )
        except OSError as error:
            errors.write(str(error))
            return 127
        try:
            while time.monotonic() < end:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.wait(_POLL)
                how.watch.check()
            return None
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a launcher that still runs, and its ranks: those on other nodes by the launcher itself if it still can."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    end = time.monotonic() + _GRACE
    # WNOWAIT leaves a zombie, so that the process id still identifies the session.
    while time.monotonic() < end and not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
        time.sleep(0.05)
    kill_session(process.pid)
    process.wait()
