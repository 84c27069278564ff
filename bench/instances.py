# SPDX-License-Identifier: GPL-3.0-or-later
"""The clusters that are compared, as spec documents."""

from __future__ import annotations

from typing import Any

Spec = dict[str, Any]
Pattern = dict[str, Any]

RING: Pattern = {"kind": "ring", "weight": 1}
TORUS2: Pattern = {"kind": "torus", "dims": [8, 8], "reach": "nearest", "weight": 1}
TORUS3: Pattern = {"kind": "torus", "dims": [4, 4, 4], "reach": "nearest", "weight": 1}
HYPERCUBE: Pattern = {"kind": "hypercube", "weight": 1}
LINES: Pattern = {"kind": "torus", "dims": [8, 8], "reach": "lines", "weight": 1}

# KASY0's five patterns: 1536 pairs of 128 nodes.
KASY0: tuple[Pattern, ...] = (
    {"kind": "ring", "weight": 1},
    {"kind": "torus", "dims": [16, 8], "reach": "lines", "weight": 1},
    {"kind": "torus", "dims": [8, 4, 4], "reach": "lines", "weight": 1},
    {"kind": "bit-reversal", "weight": 1},
    {"kind": "hypercube", "weight": 1},
)


def spec(nodes: int, nics: int, ports: int, switches: int, **more: Any) -> Spec:
    """`nodes` nodes with `nics` NICs each, and `switches` switches with `ports` ports for nodes."""
    return {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "bench",
        "topology": "fnn",
        "nodes": [{"name": f"n{i:04d}", "nics": nics} for i in range(nodes)],
        "switches": [{"name": f"s{j:03d}", "ports": ports} for j in range(switches)],
        **more,
    }


def sparse(nodes: int, nics: int, ports: int, switches: int, patterns: tuple[Pattern, ...] = KASY0) -> Spec:
    """The same, but only the pairs of the patterns must share a switch."""
    return spec(nodes, nics, ports, switches, coverage="patterns", patterns=list(patterns))


def tuned(pattern: Pattern, **goals: float) -> Spec:
    """KLAT2's size, fully covered, with as many shared switches as possible for the pairs of one pattern."""
    return spec(64, 4, 31, 9, patterns=[pattern], goals={"shared_switches": 1, **goals})
