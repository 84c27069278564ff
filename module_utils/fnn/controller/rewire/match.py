# SPDX-License-Identifier: GPL-3.0-or-later
"""Assigns the switches of the new design to the standing ones so that the fewest cables move.

Switches that are alike may trade their roles: a design depends on the nodes that share a switch, not on the device.

    standing   red = k00 k01 k02    blue = k00 k03 k04
    new        red = k00 k03 k05    blue = k00 k01 k02

By name, four cables of six move. If red and blue trade their roles, only one moves: k05 for k04.

This is a linear assignment problem that maximizes the nodes in common. Switches are alike if their ports, speed, place
and price are equal; a switch that a pinned cable names keeps its role. On the way back to another topology, all do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from ..segments import is_neighborhood_network

Design = Mapping[str, Any]


def match_switches(old: Design, new: Design) -> dict[str, str]:
    """Switch of the new design -> the device that takes its role, by its name in the new spec."""
    boxes: dict[str, Mapping[str, Any]] = {switch["name"]: switch for switch in new["spec"]["switches"]}
    if not is_neighborhood_network(new["spec"]):
        return {name: name for name in boxes}
    names = list(boxes)
    pinned = {pin["switch"] for pin in new["spec"].get("pinned", [])}
    stands = {switch["name"]: set(switch["nodes"]) for switch in old["switches"]}
    wants = {switch["name"]: set(switch["nodes"]) for switch in new["switches"]}
    keeps_its_name = 1 / (len(names) + 1)  # all of them together are worth less than one cable
    worth = np.empty((len(names), len(names)))
    for i, role in enumerate(names):
        for j, box in enumerate(names):
            may = role == box or (is_alike(boxes[role], boxes[box]) and not pinned & {role, box})
            common = len(wants[role] & stands.get(box, set()))
            worth[i, j] = common + keeps_its_name * (role == box) if may else -np.inf
    # The solver needs finite numbers; this one is worse than any allowed assignment.
    worst = -float(1 + sum(len(nodes) for nodes in wants.values()))
    rows, columns = linear_sum_assignment(np.where(np.isinf(worth), worst, worth), maximize=True)
    return {names[row]: names[column] for row, column in zip(rows, columns)}


def is_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in one if key not in ("name", "color"))
