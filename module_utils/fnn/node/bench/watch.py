# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends a benchmark whose controller has ended (runs on a node).

Ansible leaves a module running when it is interrupted or killed itself, or loses its connection. A benchmark would then
load the network for minutes. So it looks whether

- the reader of standard output is still there. The ssh client of a killed Ansible ends only when it gets output, so
  there is an empty line every second, which Ansible skips before the result of a module;
- the directory of the programs is still there: `fnn_bench_node` removes it at the end.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

_BEAT = 1.0  # seconds


class Interrupted(Exception):
    """The benchmark has to end, with the reason."""


class Watch:
    """directory: of the programs. output: the file descriptor that Ansible reads."""

    def __init__(self, directory: Path, output: int = 1) -> None:
        self.directory = directory
        self._output = output
        self._last = 0.0

    def check(self) -> None:
        """Raises Interrupted."""
        if not self.directory.is_dir():
            raise Interrupted(f"interrupted: {self.directory} was removed")
        if time.monotonic() - self._last < _BEAT:
            return
        self._last = time.monotonic()
        try:
            os.write(self._output, b"\n")
        except OSError:
            raise Interrupted("interrupted: the controller has closed the connection") from None
