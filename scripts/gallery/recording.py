# SPDX-License-Identifier: GPL-3.0-or-later
"""Records commands: runs them in a copy of the checkout, and shows their output in an even pace."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .terminal import Recording, draw_terminal

#: The commands of the recording, which need no node.
COMMANDS = (
    "./fnn advise --nodes 16 --nics 3x2.5",
    "./fnn init mine --nodes 16 --nics 3 --switches 6 --ports 8 --speed 2500",
    "./fnn -i mine labels",
    "./fnn -i mine report",
)
COLUMNS, ROWS = 104, 26
PROMPT = "\x1b[32m$\x1b[0m "
#: Seconds: before the output of a command, for a line of it, to read it, and at the end.
TYPED, LINE, READ, END = 0.6, 0.08, 3.0, 8.0


def run(command: str, checkout: Path) -> str:
    """Output of a command of a person, without colors. Raises CalledProcessError."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=checkout, env=make_environment(os.environ), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def make_environment(present: Mapping[str, str]) -> dict[str, str]:
    """Settings of the user and of another checkout must not show in the pictures."""
    kept = {name: value for name, value in present.items() if not name.startswith(("FNN_", "ANSIBLE_"))}
    return kept | {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def draw_recording(outputs: Sequence[tuple[str, str]]) -> str:
    """The recording of commands with their outputs."""
    lines, times, now = [], [], 0.0
    for command, output in outputs:
        lines.append(f"{PROMPT}\x1b[1m{command}\x1b[0m")
        times.append(now)
        now += TYPED
        for line in [*output.rstrip("\n").splitlines(), ""]:
            lines.append(line)
            times.append(now)
            now += LINE
        now += READ
    title = "recorded: from the shopping list to labels and report"
    return draw_terminal(lines, title, COLUMNS, ROWS, Recording(times, now - READ + END))
