# SPDX-License-Identifier: GPL-3.0-or-later
"""Which standing switch plays which switch of the new design, so that fewest cables move.

Switches that are alike may trade their roles: only which nodes meet on a switch matters, not on which box.

    standing   red = k00 k01 k02    blue = k00 k03 k04
    new        red = k00 k03 k05    blue = k00 k01 k02
As named, four cables of six would move. If red plays the new blue and the other way round, one does: k05 for k04.

That is a linear assignment over the nodes in common. Alike are switches with the same ports, speed, place and price;
one that a pinned cable names keeps its role.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Design = Mapping[str, Any]


def match_switches(old: Design, new: Design) -> dict[str, str]:
    """Switch of the new design -> the box that plays it; boxes go by their names in the new spec."""
    boxes: dict[str, Mapping[str, Any]] = {switch["name"]: switch for switch in new["spec"]["switches"]}
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
    # The assignment wants finite numbers; this one is worse than any that is allowed.
    worst = -float(1 + sum(len(nodes) for nodes in wants.values()))
    rows, columns = linear_sum_assignment(np.where(np.isinf(worth), worst, worth), maximize=True)
    return {names[row]: names[column] for row, column in zip(rows, columns)}


def is_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in one if key not in ("name", "color"))
