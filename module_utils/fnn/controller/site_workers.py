# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends the workers of a controller that was killed.

Ansible runs each task in a forked worker, in a session of its own. A worker whose controller is killed ends its task,
and then writes the result into a pipe of which it holds both ends. A result longer than the pipe blocks the worker for
ever, and the worker keeps the lock of the site, which it has inherited.

Therefore the kernel signals a worker when its parent ends (PR_SET_PDEATHSIG, prctl(2)). The worker then waits for what
does the work of its task, its own children or a module in its own process (action_plugins/run_on_controller.py), and
ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

#: Seconds without work before a worker ends: it may be between two children.
GRACE = 10.0

_PR_SET_PDEATHSIG = 1
_SIGNAL = signal.SIGRTMIN + 5  # Ansible uses no real-time signal
_INTERVAL = 0.5
_working = threading.Event()


def end_orphans() -> None:
    """Processes that this one forks from now on end after it, as soon as they have had no work for GRACE seconds.

    Programs that they execute are not affected. Linux only.
    """
    prctl = ctypes.CDLL(None).prctl
    parent = [os.getpid()]

    def remember() -> None:
        parent[0] = os.getpid()

    def follow() -> None:
        signal.signal(_SIGNAL, _wait_in_background)
        prctl(_PR_SET_PDEATHSIG, int(_SIGNAL), 0, 0, 0)
        if os.getppid() != parent[0]:  # the parent has ended meanwhile
            os.kill(os.getpid(), _SIGNAL)

    os.register_at_fork(before=remember, after_in_child=follow)


@contextlib.contextmanager
def mark_as_working() -> Iterator[None]:
    """While this lasts, the process counts as working without a child."""
    _working.set()
    try:
        yield
    finally:
        _working.clear()


def _wait_in_background(number: int, frame: FrameType | None) -> None:
    threading.Thread(target=_end_without_work, daemon=True).start()


def _end_without_work() -> None:
    idle = 0.0
    while idle < GRACE:
        time.sleep(_INTERVAL)
        idle = 0.0 if _working.is_set() or _has_child() else idle + _INTERVAL
    os._exit(1)


def _has_child() -> bool:
    """Whether a child is alive. One that has ended and that the main thread has not waited for does not count."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has just ended
            state, parent = place.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                return True
    return False
