# SPDX-License-Identifier: GPL-3.0-or-later
"""After how many seconds the switch forgets an address that sends nothing (IEEE 802.1Q, 8.8.3: 300 by default).

A frame for an address may count as use of it in some switches, so each address is asked for once: the switch learns an
address for each moment, all at the same time, and the first that is flooded bounds the time from above. A second round
divides the interval that is left. Nothing is waited for longer than the limit; then the time is "longer than".

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ..coordinator import Coordinator
from .roles import Roles, choose_roles, is_flooded

#: Seconds at which addresses are asked for; close to each other around the default of the standard.
MARKS = (0.4, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 90.0, 120.0, 180.0, 240.0, 270.0, 295.0, 305.0, 330.0, 450.0)
_PARTS = 6  # of the interval in the second round
_PRECISE = 0.1  # of the time: such an interval is not divided
_PRECISE_SECONDS = 1.0
_LOST = 3  # marks without an answer in a row, after which it gives up


def measure_ageing(coordinator: Coordinator, options: dict[str, Any]) -> dict[str, Any]:
    """known: seconds for which the switch kept an address. forgotten: after which it had forgotten one, or None."""
    roles, limit = choose_roles(coordinator), float(options["ageing"])
    marks = [mark for mark in MARKS if mark < limit] + [limit]
    known, forgotten = find_interval(coordinator, roles, marks)
    if forgotten is not None and may_divide(known, forgotten) and coordinator.left > forgotten + 10:
        step = (forgotten - known) / _PARTS
        again, until = find_interval(coordinator, roles, [known + step * number for number in range(1, _PARTS + 1)])
        known, forgotten = max(known, again), forgotten if until is None else min(forgotten, until)
    return {"known": round(known, 2), "forgotten": None if forgotten is None else round(forgotten, 2)}


def may_divide(known: float, forgotten: float) -> bool:
    return forgotten - known > max(_PRECISE_SECONDS, _PRECISE * forgotten)


def find_interval(coordinator: Coordinator, roles: Roles, marks: Sequence[float]) -> tuple[float, float | None]:
    """Seconds for which the switch kept an address at least, and after which it had forgotten one; None: none.

    The first counts from the end of learning, the other from its beginning to the end of asking.
    """
    base, known, lost, began = coordinator.make_base(), 0.0, 0, time.monotonic()
    coordinator.teach(roles.teacher, base, len(marks), roles.listener)
    learned = time.monotonic()
    for index, mark in enumerate(marks):
        left = learned + mark - time.monotonic()
        if left > coordinator.left - 3:
            break
        coordinator.wait(max(0.0, left))
        flooded = is_flooded(coordinator, roles, base, index)
        if flooded:
            return known, time.monotonic() - began
        if flooded is None:
            lost += 1
            if lost >= _LOST:
                break
        else:
            known, lost = mark, 0
    return known, None
