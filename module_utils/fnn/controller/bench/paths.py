# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths that flows between two nodes may take, by the routing of the run.

fnn, basic        the one over the switch in routes.json
fnn, advanced     one of all shared switches: the kernel chooses by a hash of addresses and ports, so an MPI with one
                  connection per pair gets one of them by chance, in proportion to its weight
tree              NIC 0 of both, and the uplink switch where they are on different switches
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..plan.routing import Routing
from ..plan.weights import Weights
from .fabric import Fabric, FlowPath

Document = Mapping[str, Any]
FNN, TREE = "fnn", "tree"
BASIC, ADVANCED = "basic", "advanced"


class Paths:
    """Paths between ranks."""

    def __init__(
        self,
        fabric: Fabric,
        nodes: Sequence[str],
        network: str = FNN,
        kind: str = ADVANCED,
        routes: Document | None = None,
    ) -> None:
        """nodes: the node of each rank. network: "fnn" or "tree". kind: "basic" (needs routes) or "advanced"."""
        self.fabric = fabric
        self.nodes = nodes
        self.kind = kind
        self._network = network
        self._table = Routing(routes) if routes and kind == BASIC else None
        #: Of advanced routing; None for equal parts.
        self.weights: Weights | None = None
        self._ranks = {node["name"]: rank for rank, node in enumerate(routes["nodes"])} if routes else {}
        self._known: dict[tuple[int, int], list[FlowPath]] = {}
        self._weighted: dict[str, dict[str, dict[str, int]]] = {}

    @property
    def is_planned(self) -> bool:
        """Whether they are those of the plan, and not of the tree."""
        return self._network == FNN

    def find(self, sender: int, receiver: int) -> list[FlowPath]:
        """The paths that a flow may take, empty if there is none."""
        if (sender, receiver) not in self._known:
            self._known[sender, receiver] = self._find(self.nodes[sender], self.nodes[receiver])
        return self._known[sender, receiver]

    def find_weights(self, sender: int, receiver: int) -> list[int]:
        """The weights of these paths; empty where all have the same."""
        if self.weights is None or self.kind != ADVANCED or self._network != FNN:
            return []
        one, other = self.nodes[sender], self.nodes[receiver]
        if one not in self._weighted:
            self._weighted[one] = self.weights.find(one)
        weights = self._weighted[one].get(other, {})
        shared = [switch for switch in self.fabric.of_node[one] if switch in self.fabric.of_node[other]]
        return [weights[switch] for switch in shared] if weights.keys() == set(shared) else []

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
