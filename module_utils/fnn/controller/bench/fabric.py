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
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ..plan.outside import list_uplinked
from ..prove.trunks import TrunkPaths
from ..segments import get_document, has_bridges, has_cables, has_forwarders, list_trunks
from ..spanning_tree import BridgedPaths
from ..spec.ports import find_common_speeds, find_uplink_mbps
from .legs import Leg, list_legs

Document = Mapping[str, Any]
#: ("out" or "in", node, NIC), ("inside", switch), ("trunk", switch, switch), ("uplink", switch, "up" or "down")
Edge = tuple[str, ...]
FlowPath = tuple[Edge, ...]
#: Percent of the speed of the design that a cable carries, except in a lab with slower ones.
FULL_SPEED = 100.0


class Fabric:
    """legs: segment -> its legs. speeds: edge -> Mbit/s in its direction."""

    def __init__(
        self,
        design: Document,
        macs: Document | None = None,
        nodes: Container[str] | None = None,
        percent: float = FULL_SPEED,
    ) -> None:
        """nodes: those that take part; all by default. percent: of its speed, what each cable of a lab carries."""
        self._share = percent / FULL_SPEED
        self.legs = {
            segment: [replace(leg, mbps=leg.mbps * self._share) for leg in legs]
            for segment, legs in list_legs(design, macs, nodes).items()
        }
        self.all_legs = [leg for legs in self.legs.values() for leg in legs]
        #: (node, device, segment) -> leg
        self.by_device = {(leg.node, leg.device, leg.segment): leg for leg in self.all_legs}
        self._spec = design["spec"]
        self._uplinked = list_uplinked(design)
        self._forwards = has_forwarders(self._spec)
        self._trunks = TrunkPaths(list_trunks(self._spec))
        self._bridged = BridgedPaths(get_document(design)) if has_bridges(self._spec) else None
        self.speeds = self._find_speeds(design)
        #: Node -> its leg on each segment; the first of several on one.
        self.of_node: dict[str, dict[str, Leg]] = {node["name"]: {} for node in design["nodes"]}
        for leg in self.all_legs:
            self.of_node[leg.node].setdefault(leg.segment, leg)

    @property
    def is_direct(self) -> bool:
        """Whether cables join nodes without a switch."""
        return has_cables(self._spec)

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
            between += self._pass_inside(switch)
        return [(_leave(sender), *between, _enter(receiver))]

    def list_paths(self, sender: str, receiver: str) -> list[FlowPath]:
        """The paths that a flow between two nodes may take: over each segment they share, else over other nodes."""
        own, other = self.of_node[sender], self.of_node[receiver]
        shared = [path for each in own if each in other for path in self.connect(own[each], other[each])]
        return shared or (self._forward(sender, receiver) if self._forwards else [])

    def connect_over_uplink(self, sender: str, receiver: str) -> FlowPath | None:
        """The path over the tree NICs of both nodes (plan/tree.py) and the uplink switch; None if a node has none."""
        one, other = (self._find_tree_leg(node) for node in (sender, receiver))
        if one is None or other is None:
            return None
        before, after = self._pass_inside(one.switch), self._pass_inside(other.switch)
        if one.switch == other.switch:
            return (_leave(one), *before, _enter(other))
        over: list[Edge] = [("uplink", one.switch, "up"), ("uplink", other.switch, "down")]
        return (_leave(one), *before, *over, *after, _enter(other))

    def share(self, paths: Iterable[FlowPath]) -> list[float]:
        """Mbit/s of each of these flows when all run at once."""
        paths = list(paths)
        loads = Counter(edge for path in paths for edge in path)
        return [min(self.speeds[edge] / loads[edge] for edge in path) for path in paths]

    def _pass_inside(self, switch: str) -> list[Edge]:
        inside = ("inside", switch)
        return [inside] if inside in self.speeds else []

    def _find_tree_leg(self, node: str) -> Leg | None:
        legs = (leg for leg in self.of_node[node].values() if leg.switch in self._uplinked)
        return min(legs, key=lambda leg: leg.nic, default=None)

    def _find_speeds(self, design: Document) -> dict[Edge, float]:
        speeds: dict[Edge, float] = {}
        for leg in self.all_legs:
            speeds[_leave(leg)] = speeds[_enter(leg)] = leg.mbps
        for switch in self._spec["switches"]:
            if switch.get("internal_gbps") is not None:
                speeds["inside", switch["name"]] = 1000.0 * switch["internal_gbps"]
        others = {**self._find_uplink_speeds(design), **self._find_trunk_speeds(), **self._find_cable_speeds()}
        return {**speeds, **{edge: mbps * self._share for edge, mbps in others.items()}}

    def _find_uplink_speeds(self, design: Document) -> dict[Edge, float]:
        """The uplink cable is in the port that labels suggest."""
        taken = Counter(
            link["switch"]
            for node, own in zip(design["nodes"], self._spec["nodes"])
            for link in node["links"]
            if own["nics"][link["nic"]]["media"] == "rj45"
        )
        joined = [each for each in self._spec["switches"] if each["name"] in self._uplinked]
        speeds = {each["name"]: float(find_uplink_mbps(each, taken[each["name"]])) for each in joined}
        return {("uplink", name, way): mbps for name, mbps in speeds.items() for way in ("up", "down")}

    def _find_trunk_speeds(self) -> dict[Edge, float]:
        """A trunk is as fast as its cables together: each between the fastest ports that both have of one medium."""
        switches = {each["name"]: each for each in self._spec["switches"]}
        speeds: dict[Edge, float] = {}
        for trunk in self._spec.get("trunks", ()):
            one, other = trunk["a"], trunk["b"]
            cable = max(find_common_speeds(switches[one], switches[other]).values())
            speeds["trunk", one, other] = speeds["trunk", other, one] = float(trunk["count"] * cable)
        return speeds

    def _find_cable_speeds(self) -> dict[Edge, float]:
        """Of cables between nodes that bridge; elsewhere each end is a leg."""
        nics = {node["name"]: node["nics"] for node in self._spec["nodes"]}
        speeds: dict[Edge, float] = {}
        for cable in self._bridged.cables if self._bridged else ():
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


def name_trunk(edge: Edge) -> str:
    """blue-red, in both directions."""
    return "-".join(sorted(edge[1:]))
