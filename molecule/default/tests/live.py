# SPDX-License-Identifier: GPL-3.0-or-later
"""A running ./fnn; the test plays the person at the rack."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from .conftest import PROJECT

Wanted = TypeVar("Wanted")
TIMEOUT = 300  # seconds, which only end a hang; starting takes two runs of a playbook


class LiveCommand:
    """A command that runs until it ends by itself or is stopped. lines: its output so far."""

    def __init__(self, inventory: Path, *words: str) -> None:
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "fnn", "--inventory", str(inventory), *words],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # so that Ctrl-C reaches all its processes, as at a terminal
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout
        self.lines += (line.rstrip("\n") for line in self._process.stdout)

    def __enter__(self) -> LiveCommand:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Interrupts a running command, which then restores its changes."""
        if self._process.poll() is None:
            self.interrupt()

    def wait_for(self, look: Callable[[list[str]], Wanted | None]) -> Wanted:
        """The result of `look`, once it finds something in the lines."""
        end = time.monotonic() + TIMEOUT
        while (found := look(list(self.lines))) is None:
            assert time.monotonic() < end and self._process.poll() is None, "\n".join(self.lines)
            time.sleep(0.05)
        return found

    def interrupt(self) -> int:
        """Sends Ctrl-C; returns the exit status."""
        os.killpg(self._process.pid, signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Waits until the command ends by itself; returns the exit status."""
        status = self._process.wait(2 * TIMEOUT)
        self._reader.join()
        return status
