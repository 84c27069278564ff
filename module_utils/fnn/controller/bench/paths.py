# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths that flows between two nodes may take, by the routing of the run.

fnn, basic        the one over the switch in routes.json
fnn, advanced     one of all shared switches: the kernel chooses by a hash of addresses and ports, so an MPI with one
                  connection per pair gets one of them by chance, in proportion to its weight
tree              the tree NIC of both (plan/tree.py), and the uplink switch where they are on different switches
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..plan.routing import Routing
from ..plan.weights import Weights, choose_weights
from .fabric import Fabric, FlowPath

Document = Mapping[str, Any]
FNN, TREE = "fnn", "tree"
BASIC, ADVANCED = "basic", "advanced"


@dataclass(frozen=True)
class Choice:
    """How a pair uses several paths. kind: "basic" (needs routes) or "advanced".

    weights: of advanced routing; None for equal parts.
    """

    kind: str = ADVANCED
    routes: Document | None = None
    weights: Weights | None = None


class Paths:
    """Paths between ranks."""

    def __init__(self, fabric: Fabric, nodes: Sequence[str], network: str = FNN, choice: Choice | None = None) -> None:
        """nodes: the node of each rank. network: "fnn" or "tree". choice: by default all paths, in equal parts."""
        choice = choice or Choice()
        routes = choice.routes
        self.fabric = fabric
        self.nodes = nodes
        self.kind = choice.kind
        self._network = network
        self._table = Routing(routes) if routes and choice.kind == BASIC else None
        self._weights = choice.weights if choice.kind == ADVANCED and network == FNN else None
        self._ranks = {node["name"]: rank for rank, node in enumerate(routes["nodes"])} if routes else {}
        self._known: dict[tuple[int, int], list[FlowPath]] = {}
        self._weights_of: dict[str, dict[str, dict[str, int]]] = {}

    @property
    def is_planned(self) -> bool:
        """Whether they are those of the plan, and not of the tree."""
        return self._network == FNN

    def find(self, sender: int, receiver: int) -> list[FlowPath]:
        """The paths that a flow may take, empty if there is none."""
        if (sender, receiver) not in self._known:
            self._known[sender, receiver] = self._find(self.nodes[sender], self.nodes[receiver])
        return self._known[sender, receiver]

    @property
    def are_weighted(self) -> bool:
        """Whether the parts of flows over several paths are unequal, for some pairs at least."""
        return self._weights is not None

    def find_weights(self, sender: int, receiver: int) -> tuple[int, ...]:
        """The weights of these paths, in their order; empty for equal parts."""
        if self._weights is None:
            return ()
        one, other = self.nodes[sender], self.nodes[receiver]
        if one not in self._weights_of:
            self._weights_of[one] = self._weights.find(one)
        shared = [switch for switch in self.fabric.of_node[one] if switch in self.fabric.of_node[other]]
        return choose_weights(self._weights_of[one].get(other, {}), shared)

    def _find(self, sender: str, receiver: str) -> list[FlowPath]:
        if self._network == TREE:
            path = self.fabric.connect_over_uplink(sender, receiver)
            return [path] if path else []
        if self._table:
            switch = self._table.find(self._ranks[sender], self._ranks[receiver])
            own, other = self.fabric.of_node[sender], self.fabric.of_node[receiver]
            if switch in own and switch in other:
                return self.fabric.connect(own[switch], other[switch])
        return self.fabric.list_paths(sender, receiver)
