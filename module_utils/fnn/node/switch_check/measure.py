# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a switch check by name, in their order.

Ageing precedes the table, whose addresses would displace those that it waits for. The start delay is last: when a link
goes down, a switch forgets the addresses of its port.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .coordinator import Coordinator, StepError
from .steps.ageing import measure_ageing
from .steps.forwarding import measure_forwarding
from .steps.learning import measure_learning
from .steps.moves import measure_moves
from .steps.pause import measure_pause
from .steps.rates import measure_incast, measure_ring
from .steps.sizes import measure_sizes
from .steps.start_delay import measure_start_delay
from .steps.storm import measure_storm
from .steps.table import measure_table

STEPS: dict[str, Callable[[Coordinator, dict[str, Any]], dict[str, Any]]] = {
    "forwarding": measure_forwarding,
    "sizes": measure_sizes,
    "learning": measure_learning,
    "moves": measure_moves,
    "pause": measure_pause,
    "ring": measure_ring,
    "incast": measure_incast,
    "storm": measure_storm,
    "ageing": measure_ageing,
    "table": measure_table,
    "start_delay": measure_start_delay,
}


def measure(coordinator: Coordinator, step: str, options: dict[str, Any]) -> dict[str, Any]:
    """The result of a step, or {"error": why there is none}."""
    try:
        coordinator.refresh_addresses()
        found = STEPS[step](coordinator, options)
    except (StepError, OSError) as error:
        return {"error": str(error)}
    if coordinator.station.loop:
        return {"error": "a loop of cables returns the frames of the nodes"}
    if step == "sizes" and found["all"]:
        # Later steps send frames that every port carries.
        coordinator.station.payload = min(coordinator.station.payload, found["all"])
    if step == "ageing":
        # Only a switch that forgets sooner than usual limits the later steps.
        is_short = found["forgotten"] is not None
        coordinator.station.ageing = found["known"] if is_short else max(coordinator.station.ageing, found["known"])
    return found
