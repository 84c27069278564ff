# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds what was measured that may explain why a cell is beyond its prediction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .describe import name_suspect
from .fabric import Edge
from .flows import ALLTOALL, BISECTION, Flow, list_exchange, list_groups, list_phase
from .groups import LEG, NODE, SWITCH, TRUNK
from .paths import Paths
from .suspects import Suspect

Document = Mapping[str, Any]


class Causes:
    """Causes by the suspects of the run, and by the cell itself."""

    def __init__(self, paths: Paths, suspects: Sequence[Suspect]) -> None:
        self._paths, self._suspects = paths, suspects

    def find(self, cell: Document, measured: Document) -> str:
        """measured: the cell in the document."""
        named = [each for each in self._suspects if self._uses(cell, each)]
        if named:
            return f"its messages pass a suspect: {', '.join(dict.fromkeys(map(name_suspect, named)))}"
        if not measured["settled"]:
            return "its interval is wider than 5 % of its median"
        return "faster than a single flow predicts" if measured["ratio"] > 1 else "unknown"

    def _uses(self, cell: Document, suspect: Suspect) -> bool:
        if suspect.part is None:
            return True
        edges = {edge for flow in self._list_flows(cell) for path in self._paths.find(*flow) for edge in path}
        return any(self._is_part(edge, suspect) for edge in edges)

    def _list_flows(self, cell: Document) -> Iterator[Flow]:
        groups = list_groups(len(self._paths.nodes), cell["group"], cell["together"])
        if cell["kind"] == BISECTION:
            yield from ((one, other) for each in cell.get("flows", ()) for one, other in each)
        elif cell["kind"] == ALLTOALL:
            yield from (flow for group in groups for by in range(1, len(group)) for flow in list_phase(group, by))
        else:
            yield from (flow for group in groups for flow in list_exchange(group))

    def _is_part(self, edge: Edge, suspect: Suspect) -> bool:
        part = suspect.part
        if part is None or edge[0] not in ("out", "in"):
            return part is not None and (part.kind, part.name) == (TRUNK, "-".join(sorted(edge[1:])))
        leg = next((each for each in self._paths.fabric.of_node[edge[1]].values() if str(each.nic) == edge[2]), None)
        if part.kind == SWITCH:
            return leg is not None and leg.switch == part.name
        if part.kind == NODE:
            return edge[1] == part.name
        if part.kind == LEG:
            return edge[1] == part.name and leg is not None and leg.device == part.device
        return leg is not None and leg.segment == part.name
