# SPDX-License-Identifier: GPL-3.0-or-later
"""How long cables are: along the rows of racks and across them, as designer/src/design/cable_lengths.h has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class CableLengths:
    """Meters between racks. What goes up, down and into a rack comes on top; that is for people to know."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._places = {rack["name"]: (rack["x_m"], rack["y_m"]) for rack in spec.get("racks", [])}
        self._racks = {each["name"]: each["rack"] for part in ("nodes", "switches") for each in spec[part]}

    def measure(self, node: str, switch: str) -> float | None:
        """Meters from a node to a switch; None where a place is unknown (in sums it counts 0)."""
        here, there = (self._places.get(self._racks.get(name)) for name in (node, switch))
        if here is None or there is None:
            return None
        return float(abs(here[0] - there[0]) + abs(here[1] - there[1]))
