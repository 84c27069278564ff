# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of nodes without a common cable: their frames pass over nodes that forward, on a shortest path.

In a ring of four, k00 reaches k02 over k01 or k03. Each hop has MACs of its own, so a capture shows it as a flow:

    k00 -> k02   in at k00.1, out at k01.0 of cable0; in at k01.1, out at k02.0 of cable1: right, one node between
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .evidence import Evidence

Pair = tuple[str, str]


def count_hops(evidence: Evidence, pair: Pair) -> int:
    """The nodes between a pair on a shortest path of the design."""
    return measure_distances(evidence, pair[1])[pair[0]] - 1


def measure_distances(evidence: Evidence, start: str) -> dict[str, int]:
    """node -> the number of cables on a shortest path to it (breadth-first search)."""
    members: dict[str, set[str]] = {}
    for node, switch in evidence.nics.values():
        members.setdefault(switch, set()).add(node)
    distance, queue = {start: 0}, [start]
    for at in queue:
        for each in sorted(set().union(*(nodes for nodes in members.values() if at in nodes))):
            if each not in distance:
                distance[each] = distance[at] + 1
                queue.append(each)
    return distance


def find_wrong_hops(pair: Pair, evidence: Evidence) -> Iterator[str]:
    """Problems of a pair that was reached: frames that leave the sender, or were captured, off all shortest paths."""
    sender, receiver = pair
    distance = measure_distances(evidence, receiver)
    requests = evidence.reach[sender]["peers"][evidence.identities[receiver]]["requests"]
    for source, target in requests:
        (here, cable), (there, other) = (evidence.nics.get(mac, (mac, "")) for mac in (source, target))
        if here != sender or cable != other or not _is_nearer(there, here, distance):
            yield f"{sender} does not send to {receiver} on a shortest path: {here}-{cable} to {there}-{other}"
    if not requests:
        yield f"{sender} reaches {receiver}, but no frame to it was seen on its fabric NICs"
    if evidence.capture is not None:
        yield from _find_stray_flows(pair, evidence, evidence.capture, distance)


def _find_stray_flows(
    pair: Pair, evidence: Evidence, capture: Mapping[str, Any], distance: Mapping[str, int]
) -> Iterator[str]:
    ends = tuple(evidence.identities[node] for node in pair)
    flows = [flow for flow in capture["flows"] if (flow["src"], flow["dst"]) == ends]
    stray = [flow for flow in flows if not _is_hop(flow, capture["ports"], distance)]
    if stray:
        ports = sorted({port for flow in stray for port in (*flow["in"], *flow["out"])})
        yield f"frames from {pair[0]} to {pair[1]} were seen on the ports {', '.join(ports)}"
    reached = {_owner(flow["out"][0]) for flow in flows if flow["out"]}
    if pair[1] not in reached:
        yield f"no frame from {pair[0]} to {pair[1]} was captured on its last cable"


def _is_hop(flow: Mapping[str, Any], ports: Mapping[str, str], distance: Mapping[str, int]) -> bool:
    """Whether a flow enters and leaves one cable, and its far end is nearer to the receiver."""
    if len(flow["in"]) != 1 or len(flow["out"]) != 1:
        return False
    entry, leave = flow["in"][0], flow["out"][0]
    return ports[entry] == ports[leave] and _is_nearer(_owner(leave), _owner(entry), distance)


def _is_nearer(there: str, here: str, distance: Mapping[str, int]) -> bool:
    return there in distance and distance[there] + 1 == distance.get(here)


def _owner(port: str) -> str:
    return port.rsplit(".", 1)[0]
