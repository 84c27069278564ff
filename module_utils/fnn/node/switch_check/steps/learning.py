# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the switch accepts frames from invented addresses, learns them, and floods frames for unknown ones.

The last is the control: where it does not, flooding shows neither which addresses a switch keeps, nor which it has
forgotten.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from typing import Any

from ..coordinator import Coordinator
from .roles import choose_roles, is_flooded

_TRIES = 3


def measure_learning(coordinator: Coordinator, _options: dict[str, Any]) -> dict[str, Any]:
    """accepts, floods_unknown: whether it does. flooded: of each try with a known address, whether it was flooded."""
    roles = choose_roles(coordinator)
    coordinator.station.taught += _TRIES  # by the frames that are accepted
    accepted = sum(
        coordinator.try_frames(
            roles.teacher, coordinator.find_source(roles.listener), source={"base": coordinator.make_base()}
        )[roles.listener]
        for _ in range(_TRIES)
    )
    unknown = [is_flooded(coordinator, roles, coordinator.make_base()) for _ in range(_TRIES)]
    flooded = []
    for _ in range(_TRIES):
        base = coordinator.make_base()
        coordinator.teach(roles.teacher, base, 1, roles.listener)
        flooded.append(is_flooded(coordinator, roles, base))
    return {"accepts": accepted > 0, "floods_unknown": True in unknown, "flooded": flooded}
