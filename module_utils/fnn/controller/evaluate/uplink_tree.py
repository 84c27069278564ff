# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicts simultaneous flows over shared switches, and over the uplink tree of the same wiring (controller only).

The model is that of the engine (docs/reference/evaluation.md): each edge divides its speed evenly among its flows, and
a flow gets the least share on its path. An edge is one direction of a cable, all of one speed here; rates are in links.

    k00 -> k04 over blue       k00 up to blue, blue down to k04
    the same over the tree     k00 up to red, red up to the root, root down to blue, blue down to k04
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..plan.outside import list_uplinked
from ..plan.tree import choose_tree_links

#: Source and destination, names of nodes.
Flow = tuple[str, str]
#: (from, to), names of nodes and switches.
Edge = tuple[str, str]


class UplinkTreeModel:
    """The uplink tree of a design. homes: node -> the switch of its tree NIC."""

    def __init__(self, design: Mapping[str, Any]) -> None:
        """design: a document with an uplink switch."""
        links = {node["name"]: node["links"] for node in design["nodes"]}
        self.homes = {name: link["switch"] for name, link in choose_tree_links(links, list_uplinked(design)).items()}
        self.root: str = design["spec"]["uplink"]["name"]

    def find_path(self, flow: Flow) -> list[Edge]:
        source, destination = flow
        below, above = self.homes[source], self.homes[destination]
        if below == above:
            return [(source, below), (above, destination)]
        return [(source, below), (below, self.root), (self.root, above), (above, destination)]

    def count_uplink_flows(self, flows: Iterable[Flow]) -> Counter[Edge]:
        """The flows on each direction of each cable to the uplink switch that carries any."""
        paths = map(self.find_path, flows)
        return Counter(edge for path in paths for edge in path if self.root in edge)


def find_path_over(switch: str, flow: Flow) -> list[Edge]:
    """The path of a flow over a switch that both nodes share."""
    return [(flow[0], switch), (switch, flow[1])]


def find_rates(paths: Sequence[Sequence[Edge]]) -> list[float]:
    """The rate of each flow, in links. paths: of all flows that run at the same time."""
    loads = Counter(edge for path in paths for edge in path)
    return [1 / max(loads[edge] for edge in path) for path in paths]
