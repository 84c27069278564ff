# SPDX-License-Identifier: GPL-3.0-or-later
"""The directed edges of a design that flows share, and the paths of flows over them.

    k00 -> k05 over red    out of k00:0, inside red, into k05:1
    k0 -> k3 in a tree     out of k0:0, inside red, trunk red to blue, inside blue, into k3:0

An edge carries its speed in each direction at once and divides it evenly among its flows; a flow gets its smallest
share. This is the model of the engine (designer/src/evaluate/route_loads.h), which docs/reference/evaluation.md
compares with SimGrid. The inside of a switch is an edge only where the spec states `internal_gbps`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..prove.trunks import TrunkPaths
from ..segments import get_document, has_bridges, has_forwarders, list_trunks
from ..spanning_tree import BridgedPaths
from .legs import Leg, list_legs

Document = Mapping[str, Any]
#: ("out" or "in", node, NIC), ("inside", switch), ("trunk", switch, switch), ("uplink", switch, "up" or "down")
Edge = tuple[str, ...]
FlowPath = tuple[Edge, ...]


class Fabric:
    """legs: segment -> its legs. speeds: edge -> Mbit/s in its direction."""

    def __init__(self, design: Document, macs: Document | None = None, nodes: Container[str] | None = None) -> None:
        """nodes: those that take part; all by default."""
        self.legs = list_legs(design, macs, nodes)
        self._spec = design["spec"]
        self._forwards = has_forwarders(self._spec)
        self._trunks = TrunkPaths(list_trunks(self._spec))
        self._bridged = BridgedPaths(get_document(design)) if has_bridges(self._spec) else None
        self.speeds = self._find_speeds(design)
        #: Node -> its leg on each segment; the first of several on one.
        self.of_node: dict[str, dict[str, Leg]] = {node["name"]: {} for node in design["nodes"]}
        for legs in self.legs.values():
            for leg in legs:
                self.of_node[leg.node].setdefault(leg.segment, leg)

    @property
    def is_bridged(self) -> bool:
        """Whether nodes forward frames of others."""
        return self._bridged is not None

    def connect(self, sender: Leg, receiver: Leg) -> list[FlowPath]:
        """The paths of a flow between two legs of a segment: one, or two from or to a bonded node."""
        if self._bridged:
            return [self._cross(cables) for cables in self._bridged.find(sender.node, receiver.node)]
        switches = self._trunks.find(sender.switch, receiver.switch) or [sender.switch]
        between: list[Edge] = []
        for at, switch in enumerate(switches):
            between += [("trunk", switches[at - 1], switch)] if at else []
            between += [("inside", switch)] if ("inside", switch) in self.speeds else []
        return [(_leave(sender), *between, _enter(receiver))]

    def list_paths(self, sender: str, receiver: str) -> list[FlowPath]:
        """The paths that a flow between two nodes may take: over each segment they share, else over other nodes."""
        own, other = self.of_node[sender], self.of_node[receiver]
        shared = [path for each in own if each in other for path in self.connect(own[each], other[each])]
        return shared or (self._forward(sender, receiver) if self._forwards else [])

    def connect_over_uplink(self, sender: str, receiver: str) -> FlowPath | None:
        """The path over NIC 0 of both nodes and the uplink switch; None if a NIC has no cable to an uplinked switch."""
        one, other = (self._find_tree_leg(node) for node in (sender, receiver))
        if one is None or other is None:
            return None
        inside = [[("inside", each.switch)] if ("inside", each.switch) in self.speeds else [] for each in (one, other)]
        if one.switch == other.switch:
            return (_leave(one), *inside[0], _enter(other))
        hops: list[Edge] = [*inside[0], ("uplink", one.switch, "up"), ("uplink", other.switch, "down"), *inside[1]]
        return (_leave(one), *hops, _enter(other))

    def share(self, paths: Iterable[FlowPath]) -> list[float]:
        """Mbit/s of each of these flows when all run at once."""
        paths = list(paths)
        loads = Counter(edge for path in paths for edge in path)
        return [min(self.speeds[edge] / loads[edge] for edge in path) for path in paths]

    def _find_tree_leg(self, node: str) -> Leg | None:
        uplinked = {each["name"] for each in self._spec["switches"] if self._spec["uplink"] and each["reserved"]}
        return next((leg for leg in self.of_node[node].values() if leg.nic == 0 and leg.switch in uplinked), None)

    def _find_speeds(self, design: Document) -> dict[Edge, float]:
        speeds: dict[Edge, float] = {}
        for leg in (leg for legs in self.legs.values() for leg in legs):
            speeds[_leave(leg)] = speeds[_enter(leg)] = leg.mbps
        fastest = {each["name"]: _find_fastest_port(each) for each in self._spec["switches"]}
        for switch in self._spec["switches"]:
            if switch.get("internal_gbps") is not None:
                speeds["inside", switch["name"]] = 1000.0 * switch["internal_gbps"]
            if self._spec["uplink"] and switch["reserved"]:
                speeds["uplink", switch["name"], "up"] = speeds["uplink", switch["name"], "down"] = fastest[
                    switch["name"]
                ]
        for trunk in self._spec.get("trunks", ()):
            one, other = trunk["a"], trunk["b"]
            mbps = trunk["count"] * _find_trunk_speed(self._spec, one, other)
            speeds["trunk", one, other] = speeds["trunk", other, one] = mbps
        if self._bridged:
            nics = {node["name"]: node["nics"] for node in self._spec["nodes"]}
            for cable in self._bridged.cables:
                mbps = float(min(nics[node][nic]["speed_mbps"] for node, nic in cable))
                for node, nic in cable:
                    speeds["out", node, str(nic)] = speeds["in", node, str(nic)] = mbps
        return speeds

    def _cross(self, cables: Sequence[Any]) -> FlowPath:
        """The edges of cables between nodes, each (nearer end, farther end)."""
        ends = [(("out", near[0], str(near[1])), ("in", far[0], str(far[1]))) for near, far in cables]
        return tuple(edge for pair in ends for edge in pair)

    def _forward(self, sender: str, receiver: str) -> list[FlowPath]:
        """All shortest paths over nodes that forward (breadth-first search from the receiver)."""
        distance, queue = {receiver: 0}, [receiver]
        for at in queue:
            for each in self._list_neighbors(at):
                if each not in distance:
                    distance[each] = distance[at] + 1
                    queue.append(each)
        paths: list[list[str]] = [[sender]] if sender in distance else []
        for left in range(distance.get(sender, 0) - 1, -1, -1):
            paths = [
                [*path, each] for path in paths for each in self._list_neighbors(path[-1]) if distance[each] == left
            ]
        return [tuple(edge for hop in pairwise(path) for edge in self._hop(*hop)) for path in paths]

    def _list_neighbors(self, node: str) -> list[str]:
        found = [leg.node for segment in self.of_node[node] for leg in self.legs[segment] if leg.node != node]
        return list(dict.fromkeys(found))

    def _hop(self, sender: str, receiver: str) -> FlowPath:
        own, other = self.of_node[sender], self.of_node[receiver]
        segment = next(each for each in own if each in other)
        return self.connect(own[segment], other[segment])[0]


def _leave(leg: Leg) -> Edge:
    return ("out", leg.node, str(leg.nic))


def _enter(leg: Leg) -> Edge:
    return ("in", leg.node, str(leg.nic))


def _find_fastest_port(switch: Document) -> float:
    """The uplink cable has the last port, one of the fastest."""
    return float(max(each["speed_mbps"] for each in switch["ports"]))


def _find_trunk_speed(spec: Document, one: str, other: str) -> float:
    """Mbit/s of a cable between two switches of a tree: the fastest ports that both have of one media."""
    groups = [
        {group["media"]: group["speed_mbps"] for group in sorted(each["ports"], key=lambda group: group["speed_mbps"])}
        for name in (one, other)
        for each in spec["switches"]
        if each["name"] == name
    ]
    return float(max(min(groups[0][media], groups[1][media]) for media in groups[0].keys() & groups[1].keys()))
