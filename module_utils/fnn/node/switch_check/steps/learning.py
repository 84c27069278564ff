# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the switch accepts frames from invented addresses, learns them, and floods frames for unknown ones.

The last is the control: where it does not, flooding shows neither what a switch knows nor what it has forgotten.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from typing import Any

from ..conductor import Conductor
from .roles import choose_roles, is_flooded

_TRIES = 3


def measure_learning(conductor: Conductor, _options: dict[str, Any]) -> dict[str, Any]:
    """accepts, floods_unknown: whether it does. flooded: of each try with a known address, whether it was flooded."""
    roles = choose_roles(conductor)
    conductor.station.taught += _TRIES  # by the frames that are accepted
    accepted = sum(
        conductor.try_frames(roles.teacher, conductor.find_source(roles.listener), source={"base": conductor.invent()})[
            roles.listener
        ]
        for _ in range(_TRIES)
    )
    unknown = [is_flooded(conductor, roles, conductor.invent()) for _ in range(_TRIES)]
    flooded = []
    for _ in range(_TRIES):
        base = conductor.invent()
        conductor.teach(roles.teacher, base, 1, roles.listener)
        flooded.append(is_flooded(conductor, roles, base))
    return {"accepts": accepted > 0, "floods_unknown": True in unknown, "flooded": flooded}
