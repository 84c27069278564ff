# SPDX-License-Identifier: GPL-3.0-or-later
"""The six PCs of the paper on three switches, the smallest cluster with every relevant property.

Every two PCs share a switch: most share one, the PCs of a pair share two.
"""

from __future__ import annotations

from typing import Any

Wires = dict[str, list[str]]  # node -> the switch of each NIC

SIX: Wires = {
    "k00": ["red", "blue"],
    "k01": ["red", "blue"],
    "k02": ["red", "green"],
    "k03": ["red", "green"],
    "k04": ["blue", "green"],
    "k05": ["blue", "green"],
}


class UpperCase(dict[str, str]):
    """Colors of switches that are named by their color. The uplink switch has none."""

    def get(self, switch: str, default: object = None) -> str:  # type: ignore[override]
        return switch if switch == "up" else switch.upper()


def words(finding: Any) -> str:
    """The action of a finding of verify."""
    text: str = finding.describe(UpperCase())
    return text
