# SPDX-License-Identifier: GPL-3.0-or-later
"""The six PCs of the paper on three switches, the smallest cluster with every relevant property.

Every two PCs share a switch: most share one, the PCs of a pair share two.
"""

from __future__ import annotations

Wires = dict[str, list[str]]  # node -> the switch of each NIC

SIX: Wires = {
    "k00": ["red", "blue"],
    "k01": ["red", "blue"],
    "k02": ["red", "green"],
    "k03": ["red", "green"],
    "k04": ["blue", "green"],
    "k05": ["blue", "green"],
}
