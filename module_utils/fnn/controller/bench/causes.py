# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds what was measured that may explain why a cell is beyond its prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from .describe import name_suspect
from .fabric import Edge, name_trunk
from .flows import list_steps
from .groups import LEG, NODE, SWITCH, TRUNK, Part
from .legs import Leg
from .paths import Paths
from .suspects import Suspect

Document = Mapping[str, Any]


class Causes:
    """Causes by the suspects of the run, and by the cell itself."""

    def __init__(self, paths: Paths, suspects: Sequence[Suspect]) -> None:
        self._paths, self._suspects = paths, suspects
        self._legs = {(leg.node, str(leg.nic)): leg for leg in paths.fabric.all_legs}

    def find(self, cell: Document, measured: Document) -> str:
        """measured: the cell in the document."""
        edges = self._list_edges(cell)
        named = [each for each in self._suspects if each.part is None or self._has_part(edges, each.part)]
        if named:
            return f"its messages pass a suspect: {', '.join(dict.fromkeys(map(name_suspect, named)))}"
        if not measured["settled"]:
            return "its interval is wider than 5 % of its median"
        return "faster than a single flow predicts" if measured["ratio"] > 1 else "unknown"

    def _list_edges(self, cell: Document) -> set[Edge]:
        flows = {flow for step in list_steps(cell, len(self._paths.nodes)) for flow in step}
        return {edge for flow in flows for path in self._paths.find(*flow) for edge in path}

    def _has_part(self, edges: Set[Edge], part: Part) -> bool:
        if part.kind == TRUNK:
            return any(edge[0] == "trunk" and name_trunk(edge) == part.name for edge in edges)
        ends = [edge[1:] for edge in edges if edge[0] in ("out", "in")]
        if part.kind == NODE:
            return any(node == part.name for node, _ in ends)
        return any(_is_leg_of(self._legs[end], part) for end in ends if end in self._legs)


def _is_leg_of(leg: Leg, part: Part) -> bool:
    if part.kind == LEG:
        return (leg.node, leg.device) == (part.name, part.device)
    return part.name == (leg.switch if part.kind == SWITCH else leg.segment)
