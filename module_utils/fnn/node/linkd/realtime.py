# SPDX-License-Identifier: GPL-3.0-or-later
"""Real-time scheduling (round robin) of fnn-linkd, so that a busy node neither falls silent nor suspects its peers.

At a load of 20 on two cores an ordinary process, whatever its weight, waits for hundreds of milliseconds now and then,
which is as long as a frame may be late. fnn-linkd needs about one percent of a core, and the kernel leaves 5 % to
ordinary processes in any case (sched_rt_runtime_us). Programs that it starts to change routes inherit the priority;
`fnn-net apply`, which takes longer, does not.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import os

PRIORITY = 10  # of 1 to 99: below threads of the kernel that serve interrupts, which have 50


def request() -> bool:
    """False if that is not permitted, as in most containers; then only the CPU weight of the unit helps."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
    except (AttributeError, OSError):
        return False
    return True


def give_up() -> None:
    """Returns to ordinary scheduling, for a child that is not urgent."""
    try:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except (AttributeError, OSError):
        return
