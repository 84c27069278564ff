# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the progress of a run on standard error: a line for each stage, and on a terminal its present task."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from ..places import show_path
from .events import Event, Progress


class Display:
    """is_verbose: show the output of Ansible instead of stages. is_silent: show nothing but the present task."""

    def __init__(self, is_verbose: bool = False, is_silent: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._is_verbose, self._is_silent = is_verbose, is_silent
        self._status: Status | None = None
        self._stage, self._began, self._tasks, self._shown = "", time.monotonic(), 0, 0

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Shows the last stage at the end, and leaves the terminal as it was."""
        try:
            yield
            self._end_stage(is_last=True)
        finally:
            if self._status:
                self._status.stop()

    def show(self, event: Event, progress: Progress) -> None:
        """Takes an event that progress contains already."""
        if event["event"] == "play":
            self._end_stage()
            self._stage, self._began, self._tasks = progress.play, time.monotonic(), 0
        elif event["event"] == "task":
            self._tasks += 1
        elif event["event"] == "failure":
            self._stage = self._stage.removesuffix(" (failed)") + " (failed)"

    def refresh(self, progress: Progress) -> None:
        """Shows the present task on a terminal. The first call comes after Ansible has asked for passwords."""
        if self._is_verbose or not self._console.is_terminal or not progress.play:
            return
        task = f": {progress.task}" if progress.task and progress.task != progress.play else ""
        text = f"{self._measure():>3} s  {escape(progress.play + task)}"
        if self._status:
            self._status.update(text)
        else:
            self._status = self._console.status(text)
            self._status.start()

    def show_output(self, output: IO[bytes]) -> None:
        """Copies what the log gained to standard output, if asked to."""
        if self._is_verbose and (gained := output.read()):
            sys.stdout.write(gained.decode(errors="replace"))
            sys.stdout.flush()

    def show_interrupt(self, progress: Progress, log: Path) -> None:
        """Says where the run ended."""
        where = f" in the stage {progress.play!r}" if progress.play else ""
        print(f"fnn: interrupted{where}; log: {show_path(log)}", file=sys.stderr)

    def _end_stage(self, is_last: bool = False) -> None:
        """A line for a stage of some length; none for a command of a single stage, whose result follows."""
        is_trivial = not self._tasks or (self._tasks == 1 and self._measure() == 0)
        if self._is_verbose or self._is_silent or is_trivial or (is_last and not self._shown):
            return
        self._shown += 1
        self._console.print(f"  {escape(self._stage)}  [dim]{self._measure()} s[/dim]")

    def _measure(self) -> int:
        return round(time.monotonic() - self._began)
