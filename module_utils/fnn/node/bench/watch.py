# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends a benchmark that is no longer wanted (runs on a node).

Ansible leaves a module running when it is interrupted or killed itself, or loses its connection. A benchmark would then
load the network for minutes. So its processes look whether

- the reader of standard output is still there: sshd closes it when the connection ends;
- the directory of the programs is still there: `fnn_bench_node` removes it at the end.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import select
from dataclasses import dataclass
from pathlib import Path


class Interrupted(Exception):
    """The benchmark has to end, with the reason."""


@dataclass(frozen=True)
class Watch:
    """directory: of the programs. output: the file descriptor that Ansible reads."""

    directory: Path
    output: int = 1

    def check(self) -> None:
        """Raises Interrupted."""
        if not self.directory.is_dir():
            raise Interrupted(f"interrupted: {self.directory} was removed")
        poll = select.poll()
        poll.register(self.output, 0)
        if any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0)):
            raise Interrupted("interrupted: the controller has closed the connection")
