# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths between nodes that do not all share a switch: how long they are, and over what they lead.

    k0 k1 k2 k3                   k0 k1 k2 k3
k0   .  0  1  0               k0   .  R  *  B      R: the red cable; *: one of several, by flow
k1   0  .  0  1               k1   R  .  G  *
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ...shared.errors import count
from ..labels.cabling import Cabling
from ..labels.trunks import list_trunk_cables
from ..numbers import format_count, format_number
from ..plan.links import Links
from ..plan.pairs import find_pairs_apart
from ..plan.reach import find_next_hops
from ..segments import get_document, has_bridges, has_cables, list_cables
from ..spanning_tree import BridgedPaths
from .figure import Cell, Figure, Section, Table
from .groups import MOST_ROWS
from .routing import ITSELF, NARROW_TABLE, SEVERAL, draw_table, find_codes, make_legend
from .survival import list_sides

#: Background of a number of devices between two nodes; the last stands for all greater ones.
_TINTS = ("#d5ead8", "#f6ecc4", "#f5d7b8", "#efc4c0")
#: The paths where nodes bridge, by mode.
_BRIDGED = {
    "stp": "Nodes without a common cable communicate over bridges of other nodes. The spanning tree blocks one cable,"
    " which carries no traffic while all others work.",
    "bridged": "Nodes without a common cable communicate over the bridge of the first node.",
    "bonded": "Nodes without a common cable communicate over bridges of other nodes. The bonded node sends over both"
    " its cables in turn, and forwards nothing.",
}
#: Different distances that a sentence lists.
_MOST_DISTANCES = 4
#: Nodes of a table of routes that the page shows; larger ones are for download.
_MOST_SHOWN = 8


def show_paths(design: Mapping[str, Any], network: Mapping[str, Any], cabling: Cabling) -> Section:
    """network: format "fnn-network"."""
    direct, small = has_cables(design["spec"]), len(design["nodes"]) <= MOST_ROWS
    figures = [_show_distances(design, network, direct, small)]
    if not direct:
        figures.append(_show_trunks(design, cabling))
        return Section(
            "paths",
            "Paths",
            ["Two nodes have one path: over their switch, or over the cables between switches."],
            figures,
        )
    if small:
        figures.append(_show_next_hops(design, cabling))
    return Section("paths", "Paths", [_describe_paths(design)], figures)


def _describe_paths(design: Mapping[str, Any]) -> str:
    """Where nodes are joined by cables."""
    if has_bridges(design["spec"]):
        return _BRIDGED[design["spec"]["mode"]]
    if not any(find_pairs_apart(design)):
        return "Two nodes send over their common cable. If it fails, they communicate over nodes that forward."
    return (
        "Nodes without a common cable communicate over nodes that forward. A node sends to the neighbor that is nearest"
        " to the peer. If there are several, each flow takes one of them."
    )


def list_distances(network: Mapping[str, Any], direct: bool) -> dict[tuple[str, str], float]:
    """(node, node), in both orders -> the nodes between them, or the switches where nodes are on switches."""
    key = "nodes_between" if direct else "switches"
    found = {(each["a"], each["b"]): float(each[key]["value"]) for each in network["hops"]}
    return {**found, **{(other, one): number for (one, other), number in found.items()}}


def _show_distances(design: Mapping[str, Any], network: Mapping[str, Any], direct: bool, small: bool) -> Figure:
    """The matrix; of large clusters the numbers of pairs alone."""
    distances, thing = list_distances(network, direct), "node" if direct else "switch"
    # Each pair is there in both orders.
    counts = {number: pairs // 2 for number, pairs in sorted(Counter(distances.values()).items())}
    title = "Nodes that forward between two nodes" if direct else "Switches between two nodes"
    words = describe_distances(counts, thing)
    if not small:
        found: list[list[Cell]] = [[number, pairs] for number, pairs in counts.items()]
        return Figure("hops", title, words, Table(["between", "pairs"], found))
    names = [node["name"] for node in design["nodes"]]
    rows: list[list[Cell]] = [
        [one, *(None if one == other else distances[one, other] for other in names)] for one in names
    ]
    picture = _draw_distances(names, distances, title, thing)
    wide = len(names) > NARROW_TABLE
    return Figure("hops", title, words, Table(["from", *names], rows, shown=False), picture, wide, True)


def describe_distances(counts: Mapping[float, int], thing: str) -> str:
    if len(counts) > _MOST_DISTANCES:
        mean = sum(number * pairs for number, pairs in counts.items()) / sum(counts.values())
        most = format_count(max(counts), thing)
        return f"From {format_number(min(counts))} to {most}, {format_number(mean)} on average."
    parts = [
        f"{count(pairs, 'pair')} with {f'{format_count(number, thing)} between them' if number else 'a common cable'}"
        for number, pairs in counts.items()
    ]
    return f"{', '.join(parts)}."


def _draw_distances(names: Sequence[str], distances: Mapping[tuple[str, str], float], title: str, thing: str) -> str:
    digits = len(f"{max(distances.values()):.0f}")
    rows = [
        [ITSELF * digits if one == other else f"{distances[one, other]:0{digits}.0f}" for other in names]
        for one in names
    ]
    legend = {
        f"{number:0{digits}.0f}": (_name_distance(number, thing), _TINTS[min(int(number), len(_TINTS) - 1)])
        for number in sorted(set(distances.values()))
    }
    return draw_table(names, rows, legend, title, [(ITSELF, "itself")])


def _name_distance(number: float, thing: str) -> str:
    return "direct cable" if number == 0 else f"{format_count(number, thing).partition(' ')[2]} between"


def _show_next_hops(design: Mapping[str, Any], cabling: Cabling) -> Figure:
    names, routes = [node["name"] for node in design["nodes"]], list(list_routes(design))
    codes = find_codes(cabling)
    width = len(next(iter(codes.values())))
    over = {(each.node, each.peer): each.hops for each in routes}
    rows = [
        [f"{ITSELF:<{width}}" if one == other else _choose_code(over[one, other], codes, width) for other in names]
        for one in names
    ]
    title = f"Routing table of {cabling.cluster}"
    picture = draw_table(
        names, rows, make_legend(cabling), title, [(ITSELF, "itself"), (SEVERAL, "one of several, by flow")]
    )
    columns = ["from", "to", "over"]
    cells: list[list[Cell]] = [[each.node, each.peer, each.describe()] for each in routes]
    words = (
        "A row is a node, a column is a peer, in rank order. The cell has the code of the cable over which it sends."
    )
    table = Table(columns, cells, shown=len(names) <= _MOST_SHOWN)
    return Figure("routing-table", "The routing table", words, table, picture, len(names) > NARROW_TABLE, True)


@dataclass(frozen=True)
class Route:
    """hops: (cable, neighbor) of each next hop."""

    node: str
    peer: str
    hops: Sequence[tuple[str, str]]

    def describe(self) -> str:
        return " or ".join(cable if hop == self.peer else f"{cable} to {hop}" for cable, hop in self.hops)


def list_routes(design: Mapping[str, Any]) -> Iterator[Route]:
    """The routes that the plan gives each node, if all cables are in use, in rank order."""
    if has_bridges(design["spec"]):
        yield from _list_bridged(get_document(design))
        return
    names = [node["name"] for node in design["nodes"]]
    on_switch: dict[str, dict[str, Any]] = {
        each["name"]: {name: {} for name in each["nodes"]} for each in design["switches"]
    }
    by_node = {node["name"]: list(node["links"]) for node in design["nodes"]}
    links = Links(by_node, on_switch, {}, {}, True)
    for name in names:
        direct = {peer: link["switch"] for link in by_node[name] for peer in on_switch[link["switch"]] if peer != name}
        others = find_next_hops(name, links)
        for peer in names:
            if peer in direct:
                yield Route(name, peer, [(direct[peer], peer)])
            elif peer != name:
                yield Route(name, peer, others.get(peer, []))


def _list_bridged(design: Mapping[str, Any]) -> Iterator[Route]:
    """design: a document. The first cable of each path and the node at its other end."""
    names, paths = [node["name"] for node in design["nodes"]], BridgedPaths(design)
    cables = {frozenset(each.ends): each.name for each in list_cables(design)}
    for name, peer in permutations(names, 2):
        firsts = [path[0] for path in paths.find(name, peer)]
        yield Route(name, peer, [(cables[frozenset(cable)], cable[1][0]) for cable in firsts])


def _choose_code(hops: Sequence[tuple[str, str]], codes: Mapping[str, str], width: int) -> str:
    return codes[hops[0][0]] if len(hops) == 1 else f"{SEVERAL:<{width}}"


def _show_trunks(design: Mapping[str, Any], cabling: Cabling) -> Figure:
    """The cables between switches, and how many pairs of nodes use them."""
    cables = Counter((cable.near.device, cable.far.device) for cable in list_trunk_cables(cabling))
    rows: list[list[Cell]] = []
    for (one, other), number in cables.items():
        here, there = list_sides(design, (one, other))
        rows.append([f"{one} to {other}", number, here, there, here * there])
    words = (
        "The cables between two switches divide the nodes into two sides. Flows from one side to the other share these"
        " cables. Traffic between adjacent ranks crosses them only where the ranks are on different switches."
    )
    columns = ["between", "cables", "nodes on the first side", "nodes on the other side", "pairs across"]
    return Figure("trunks", "Cables between switches", words, Table(columns, rows))
