# SPDX-License-Identifier: GPL-3.0-or-later
"""What one failed cable, node or switch costs: the pairs that it loses, and those whose path gets longer.

Every cable, node and switch is left out in turn, and the shortest paths between all other nodes are measured again by a
breadth-first search. A node forwards where nodes are joined by cables; a switch always does. An example is a ring of
four: without one cable, its two nodes have two nodes between them instead of none, and no pair is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..segments import get_document, has_cables, list_cable_ends, list_trunks
from ..spanning_tree import find_blocked, find_bonded

Pair = tuple[str, str]


@dataclass(frozen=True)
class Cable:
    """name: for people. ends: two nodes, two switches, or a node and its switch. number: of parallel cables."""

    name: str
    ends: Pair
    number: int = 1


@dataclass(frozen=True)
class Graph:
    """Everything that can fail. forwards: the devices that carry traffic of others.

    blocked: name of the cable that the spanning tree blocks while all others work; "" for none. Without any other cable
    of a ring, or without a node, all the rest carry traffic.
    """

    nodes: tuple[str, ...]
    switches: tuple[str, ...]
    cables: tuple[Cable, ...]
    forwards: frozenset[str]
    blocked: str = ""


@dataclass(frozen=True)
class Loss:
    """kind: "cable", "node" or "switch". lost: pairs of other nodes without a path. longer: pairs with a longer path.
    most: of the nodes (or switches) between any two that still have a path.
    """

    kind: str
    name: str
    lost: int
    longer: int
    most: int


def make_graph(design: Mapping[str, Any]) -> Graph:
    """The graph of a design with cables between nodes, or of a tree."""
    nodes, spec = tuple(node["name"] for node in design["nodes"]), design["spec"]
    if has_cables(spec):
        ends = {each["name"]: each["ends"] for each in spec["switches"]}
        joined = tuple(
            Cable(f"{each['name']} ({ends[each['name']]})", (each["nodes"][0], each["nodes"][1]))
            for each in design["switches"]
        )
        document = get_document(design)
        blocked, bonded = find_blocked(document), find_bonded(document)
        names = [each.name for each, cable in zip(joined, list_cable_ends(document)) if cable == blocked]
        return Graph(nodes, (), joined, frozenset(nodes) - {bonded}, names[0] if names else "")
    switches = tuple(each["name"] for each in design["switches"])
    cables = [
        Cable(f"{node['name']} to {link['switch']}", (node["name"], link["switch"]))
        for node, link in _list_links(design)
    ]
    trunks = [Cable(f"{each['a']} to {each['b']}", (each["a"], each["b"]), each["count"]) for each in spec["trunks"]]
    return Graph(nodes, switches, (*trunks, *cables), frozenset(switches))


def measure_losses(graph: Graph) -> list[Loss]:
    """Of every cable, node and switch, in this order. A node that does not forward costs others nothing."""
    before = _measure(graph, "", next((each for each in graph.cables if each.name == graph.blocked), None))
    losses = [_compare("cable", each.name, before, _measure(graph, "", each)) for each in graph.cables]
    forwarding = [("node", each) for each in graph.nodes if each in graph.forwards]
    for kind, name in [*forwarding, *(("switch", each) for each in graph.switches)]:
        others = {pair: number for pair, number in before.items() if name not in pair}
        losses.append(_compare(kind, name, others, _measure(graph, name, None)))
    return losses


def list_sides(design: Mapping[str, Any], trunk: Pair) -> tuple[int, int]:
    """The nodes on both sides of a trunk of a tree."""
    joined = [each for each in list_trunks(design["spec"]) if each != trunk]
    on_switch = {each["name"]: len(each["nodes"]) for each in design["switches"]}
    return _count_side(trunk[0], joined, on_switch), _count_side(trunk[1], joined, on_switch)


def _count_side(start: str, joined: list[Pair], on_switch: Mapping[str, int]) -> int:
    side: set[str] = set()
    grown = {start}
    while grown != side:
        side = set(grown)
        grown = side | {end for pair in joined if side & set(pair) for end in pair}
    return sum(on_switch[each] for each in side)


def _list_links(design: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return ((node, link) for node in design["nodes"] for link in node["links"])


def _measure(graph: Graph, dead: str, cut: Cable | None) -> dict[Pair, int]:
    """(node, later node) -> the devices between them, for pairs with a path. cut: a cable; its parallels remain."""
    near: dict[str, list[str]] = {}
    for cable in graph.cables:
        if dead not in cable.ends and (cable is not cut or cable.number > 1):
            for here, there in (cable.ends, cable.ends[::-1]):
                near.setdefault(here, []).append(there)
    alive = [each for each in graph.nodes if each != dead]
    found = {name: _search(name, near, graph.forwards) for name in alive}
    return {(one, other): found[one][other] for one, other in combinations(alive, 2) if other in found[one]}


def _search(start: str, near: Mapping[str, list[str]], forwards: frozenset[str]) -> dict[str, int]:
    """Device -> the devices between it and the start."""
    distance, queue = {start: -1}, [start]
    for at in queue:
        if at != start and at not in forwards:
            continue
        for each in near.get(at, ()):
            if each not in distance:
                distance[each] = distance[at] + 1
                queue.append(each)
    return distance


def _compare(kind: str, name: str, before: Mapping[Pair, int], after: Mapping[Pair, int]) -> Loss:
    longer = sum(number > before[pair] for pair, number in after.items())
    return Loss(kind, name, len(before) - len(after), longer, max(after.values(), default=0))
