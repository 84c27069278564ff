# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/test.py, which runs the suites of `make test`."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

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
    assert 'units: no suite has this in its name; expected part of: "lint: ruff"' in done.stderr
