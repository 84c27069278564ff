# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends live work on a signal."""

from __future__ import annotations

import signal
from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)


def stop_as_by_ctrl_c() -> None:
    """From now on the first SIGTERM or SIGHUP raises KeyboardInterrupt; later ones are dropped.

    The handlers raise by themselves and replace any disposition that was inherited: a shell starts background commands
    with SIGINT ignored, nohup starts them with SIGHUP ignored, and neither may keep live work from its cleanup.
    A closing terminal sends SIGHUP more than once; the second one must not interrupt the cleanup that the first began.
    """
    pending = True

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal pending
        if pending:
            pending = False
            raise KeyboardInterrupt

    for number in _ENDING:
        signal.signal(number, stop)
