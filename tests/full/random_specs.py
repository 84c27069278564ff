# SPDX-License-Identifier: GPL-3.0-or-later
"""Random specs, small enough for CP-SAT to decide each."""

from __future__ import annotations

import random
from typing import Any

KINDS = ("ring", "shift", "groups", "dissemination", "tree")


def draw(number: int) -> dict[str, Any]:
    """Spec `number`: 2 to 9 nodes with mixed NIC counts, mixed switches, now and then patterns or redundancy."""
    lot = random.Random(number)
    nodes = lot.randint(2, 9)
    most_nics = lot.randint(1, 4)
    spec: dict[str, Any] = {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "lot",
        "topology": "fnn",
        "nodes": [{"name": f"n{i}", "nics": lot.randint(max(1, most_nics - 1), most_nics)} for i in range(nodes)],
        "switches": [{"name": f"s{j}", "ports": lot.randint(2, nodes)} for j in range(lot.randint(1, 7))],
    }
    if lot.random() < 0.3:
        spec["redundancy"] = 2
    if lot.random() < 0.4:
        spec["coverage"] = "patterns"
        spec["patterns"] = [_pattern(lot, nodes) for _ in range(lot.randint(1, 2))]
    return spec


def _pattern(lot: random.Random, nodes: int) -> dict[str, Any]:
    kind = lot.choice(KINDS)
    more: dict[str, Any] = {}
    if kind == "shift":
        more["offset"] = lot.randint(1, nodes - 1)
    if kind == "groups":
        more["size"] = lot.choice([size for size in range(2, nodes + 1) if nodes % size == 0])
    return {"kind": kind, "weight": 1, **more}
