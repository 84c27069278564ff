# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts ansible-playbook with its output in a log and its events on a pipe, and follows it to its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..places import ROOT, expand_path
from .display import Display
from .events import Outcome, Progress, read_events
from .log import list_errors, move_log

_INTERVAL_S = 0.05
#: How long Ansible gets to end after Ctrl-C, and after SIGTERM.
_GRACE_S = 10.0


def execute(command: Sequence[str], log: Path, display: Display) -> Outcome:
    """Runs the command from the repository's root. If this process has to end, it ends Ansible first."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    environment = {**os.environ, "FNN_EVENTS": str(writing), "ANSIBLE_NOCOLOR": "1"}
    environment.pop("ANSIBLE_FORCE_COLOR", None)
    progress = Progress()
    with log.open("ab") as output, display.opened():
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, pass_fds=[writing], stdout=output, stderr=subprocess.STDOUT
        )
        os.close(writing)
        try:
            log = _follow(process, reading, log, display, progress)
        except BaseException as error:
            _stop(process)
            if isinstance(error, KeyboardInterrupt):
                display.show_interrupt(progress, log)
            raise
        finally:
            os.close(reading)
    status = process.returncode
    errors = list_errors(log.read_text(encoding="utf-8", errors="replace")) if status else ()
    return Outcome(status, progress, log, errors)


def _follow(process: subprocess.Popen[bytes], pipe: int, log: Path, display: Display, progress: Progress) -> Path:
    """Shows events and output until the process has ended. Returns the path of the log, which moves once."""
    is_moved, rest = False, b""
    with log.open("rb") as output:
        while True:
            has_ended = process.poll() is not None
            *lines, rest = (rest + b"".join(_read(pipe))).split(b"\n")
            for event in read_events(lines):
                progress.add(event)
                display.show(event, progress)
            if not is_moved and (build := progress.places.get("fnn_build_dir")):
                log, is_moved = move_log(log, expand_path(build)), True
            display.show_output(output)
            if has_ended:
                return log
            display.refresh(progress)
            time.sleep(_INTERVAL_S)


def _read(pipe: int) -> Iterator[bytes]:
    with contextlib.suppress(BlockingIOError):
        while chunk := os.read(pipe, 1 << 16):
            yield chunk


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends Ansible. On a terminal, Ctrl-C reaches it as well; a signal to this process alone does not."""
    for number in (None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1.0 if number is None else _GRACE_S)
            return
