# SPDX-License-Identifier: GPL-3.0-or-later
"""Cable lengths along and across the rows of racks, as in designer/src/design/cable_lengths.h."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class CableLengths:
    """Meters between racks. The operator adds the length up, down and into each rack."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._places = {rack["name"]: (rack["x_m"], rack["y_m"]) for rack in spec.get("racks", [])}
        self._racks = {each["name"]: each["rack"] for part in ("nodes", "switches") for each in spec[part]}

    def measure(self, node: str, switch: str) -> float | None:
        """Meters from a node to a switch; None where a place is unknown (sums count it as 0)."""
        here, there = (self._places.get(self._racks.get(name)) for name in (node, switch))
        if here is None or there is None:
            return None
        return float(abs(here[0] - there[0]) + abs(here[1] - there[1]))
