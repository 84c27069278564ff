# SPDX-License-Identifier: GPL-3.0-or-later
"""How many addresses the switch holds at once (RFC 2889, 5.7: address caching capacity).

The switch learns more and more invented addresses, four times as many each round. Then a frame is sent for each, or for
an even sample of them: those of addresses that did not fit are flooded. A table with hash buckets loses some addresses
before it is full, so the answer has two bounds.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import math
from typing import Any

from ....shared.frames.switch_check import OVERFLOW
from ..coordinator import Coordinator, count_different
from .roles import Roles, choose_roles

_FIRST, _FACTOR = 64, 4
_SAMPLE = 512  # addresses of a round that are asked for
_LEARNING_RATE, _ASKING_RATE = 4000.0, 1000.0
_OVERHEAD = 1.5  # seconds of a round besides teaching and asking
_SAFE = 0.7  # of the ageing time, within which a round must end


def measure_table(coordinator: Coordinator, options: dict[str, Any]) -> dict[str, Any]:
    """rounds: as of measure_round, in order. others: addresses that the table may hold besides.

    stopped: why there is no larger round; empty if the table overflowed or the limit was reached.
    """
    roles, base, most = choose_roles(coordinator), coordinator.make_base(), int(options["addresses"])
    others = coordinator.station.taught + len(coordinator.macs)
    rounds: list[dict[str, Any]] = []
    size, stopped = min(_FIRST, most), ""
    while not stopped:
        rounds.append(measure_round(coordinator, roles, base, size))
        if rounds[-1]["flooded"] > OVERFLOW * rounds[-1]["asked"] or not rounds[-1]["complete"] or size >= most:
            break
        size = min(size * _FACTOR, most)
        needed = size / _LEARNING_RATE + min(size, _SAMPLE) / _ASKING_RATE + _OVERHEAD
        if needed > _SAFE * coordinator.station.ageing:
            stopped = "the switch forgets addresses before more can be taught"
        elif coordinator.left < 10 + 2 * needed:
            stopped = "the time was over"
    return {"rounds": rounds, "others": others, "stopped": stopped}


def measure_round(coordinator: Coordinator, roles: Roles, base: int, size: int) -> dict[str, Any]:
    """taught, asked, flooded: addresses. arrived: frames for them at the teacher; None if it asks itself.

    complete: whether the switch passed a frame from every address, so that it had to learn all.
    """
    coordinator.refresh_addresses()
    complete = coordinator.teach(roles.teacher, base, size, roles.listener, _LEARNING_RATE)
    step, asked = choose_sample(size)
    test = coordinator.make_test()
    ends = {"destination": {"base": base, "step": step}}
    coordinator.send_burst(roles.asker, test, count=asked, rate=_ASKING_RATE, smooth=True, **ends)
    coordinator.wait(asked / _ASKING_RATE + 0.2)
    results = coordinator.collect(test)
    return {
        "taught": size,
        "asked": asked,
        "complete": complete,
        "flooded": count_different(results[roles.listener]),
        "arrived": count_different(results[roles.teacher]) if roles.has_control else None,
    }


def choose_sample(size: int) -> tuple[int, int]:
    """n and m: every n-th of so many addresses is asked for, which are m, _SAMPLE at most."""
    step = math.ceil(size / _SAMPLE)
    return step, math.ceil(size / step)
