# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program of the system for the setup of MPI.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import os
import subprocess

#: Login shells of other users than root leave these directories out.
_SYSTEM = "/usr/local/sbin:/usr/sbin:/sbin"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """The ended process with its output in English. Raises OSError if the program is missing."""
    environment = {**os.environ, "LC_ALL": "C", "PATH": f"{os.environ.get('PATH', os.defpath)}:{_SYSTEM}"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL
    )


def describe_end(done: subprocess.CompletedProcess[str]) -> str:
    """Exit status and the last line of the errors of a program that failed."""
    lines = done.stderr.strip().splitlines() or ["no message"]
    return f"ended with {done.returncode}: {lines[-1].strip()}"
