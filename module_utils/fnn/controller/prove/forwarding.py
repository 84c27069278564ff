# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of nodes without a common cable: their frames pass over nodes that forward, on a shortest path.

In a ring of four, k00 reaches k02 over k01 or k03. Each hop has MACs of its own, so a capture shows it as a flow:

    k00 -> k02   in at k00.1, out at k01.0 of cable0; in at k01.1, out at k02.0 of cable1: right, one node between
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from .evidence import Evidence

Pair = tuple[str, str]
Distances = Mapping[str, int]


class ShortestPaths:
    """The distances between nodes, in cables: of the design, and without the nodes that did not take part.

    A node that did not take part may forward (a run over some nodes) or be off, so paths of both kinds are right.
    """

    def __init__(self, evidence: Evidence) -> None:
        members: dict[str, list[str]] = {}
        for node, switch in evidence.nics.values():
            members.setdefault(switch, []).append(node)
        self._neighbors: dict[str, set[str]] = {}
        for nodes in members.values():
            for node in nodes:
                self._neighbors.setdefault(node, set()).update(nodes)
        self._missing = frozenset(evidence.missing)
        self._known: dict[str, tuple[Distances, Distances]] = {}

    def is_hop(self, sender: str, next_node: str, receiver: str) -> bool:
        """Whether a packet from one node to the next comes nearer to its receiver."""
        if receiver not in self._known:
            self._known[receiver] = (self._measure(receiver, frozenset()), self._measure(receiver, self._missing))
        return any(next_node in each and each[next_node] + 1 == each.get(sender) for each in self._known[receiver])

    def _measure(self, start: str, left_out: Set[str]) -> Distances:
        """node -> the number of cables on a shortest path to it (breadth-first search)."""
        distance, queue = {start: 0}, [start]
        for at in queue:
            for each in sorted(self._neighbors.get(at, ())):
                if each not in distance and each not in left_out:
                    distance[each] = distance[at] + 1
                    queue.append(each)
        return distance


def find_wrong_hops(pair: Pair, evidence: Evidence, paths: ShortestPaths) -> Iterator[str]:
    """Problems of a pair that was reached: frames that leave the sender, or were captured, off all shortest paths."""
    sender, receiver = pair
    requests = evidence.reach[sender]["peers"][evidence.identities[receiver]]["requests"]
    for macs in requests:
        (source, cable), (target, other) = (evidence.nics.get(mac, (mac, "")) for mac in macs)
        if source != sender or cable != other or not paths.is_hop(source, target, receiver):
            yield f"{sender} does not send to {receiver} on a shortest path: {source}-{cable} to {target}-{other}"
    if not requests:
        yield f"{sender} reaches {receiver}, but no frame to it was seen on its fabric NICs"
    if evidence.capture is not None:
        yield from _find_stray_flows(pair, evidence, evidence.capture, paths)


def _find_stray_flows(
    pair: Pair, evidence: Evidence, capture: Mapping[str, Any], paths: ShortestPaths
) -> Iterator[str]:
    flows = evidence.find_flows(pair)
    stray = [flow for flow in flows if not _is_on_path(flow, capture["ports"], pair[1], paths)]
    if stray:
        ports = sorted({port for flow in stray for port in (*flow["in"], *flow["out"])})
        yield f"frames from {pair[0]} to {pair[1]} were seen on the ports {', '.join(ports)}"
    reached = {_owner(flow["out"][0]) for flow in flows if flow["out"]}
    if pair[1] not in reached:
        yield f"no frame from {pair[0]} to {pair[1]} was captured on its last cable"


def _is_on_path(flow: Mapping[str, Any], ports: Mapping[str, str], receiver: str, paths: ShortestPaths) -> bool:
    """Whether a flow enters and leaves one cable, and its far end is nearer to the receiver."""
    if len(flow["in"]) != 1 or len(flow["out"]) != 1:
        return False
    entry, leave = flow["in"][0], flow["out"][0]
    return ports[entry] == ports[leave] and paths.is_hop(_owner(entry), _owner(leave), receiver)


def _owner(port: str) -> str:
    return port.rsplit(".", 1)[0]
