# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of nodes that share a row of a picture, where the cluster has too many nodes for a row each.

Up to 128 nodes, each has its own row. Beyond that, nodes on the same switches share a row: algebraic designs have few
such types, 21 for 1024 nodes with five NICs. If there are too many types, nodes of consecutive ranks share a row; such
a row is on more switches than a single node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 128
_RANGES = 64


@dataclass(frozen=True)
class Group:
    """ranks: of its nodes, in order. alike: whether all of them are on the same switches."""

    name: str
    ranks: Sequence[int]
    alike: bool


def group_nodes(design: Mapping[str, Any], most: int = MOST_ROWS) -> list[Group]:
    """At most `most` groups, by their first rank."""
    nodes = design["nodes"]
    if len(nodes) <= most:
        return [Group(node["name"], [rank], True) for rank, node in enumerate(nodes)]
    types: dict[frozenset[str], list[int]] = {}
    for rank, node in enumerate(nodes):
        types.setdefault(frozenset(link["switch"] for link in node["links"]), []).append(rank)
    if len(types) <= most:
        return [Group(_name(nodes, ranks), ranks, True) for ranks in types.values()]
    size = -(-len(nodes) // min(_RANGES, most))
    ranges = [list(range(first, min(first + size, len(nodes)))) for first in range(0, len(nodes), size)]
    return [Group(_name(nodes, ranks), ranks, False) for ranks in ranges]


def _name(nodes: Sequence[Mapping[str, Any]], ranks: Sequence[int]) -> str:
    """First and last node if their ranks are consecutive; otherwise the first node and the number of the others."""
    first, last = nodes[ranks[0]]["name"], nodes[ranks[-1]]["name"]
    if len(ranks) == 1:
        return str(first)
    if ranks[-1] - ranks[0] + 1 == len(ranks):
        return f"{first}…{last}"
    return f"{first} +{len(ranks) - 1}"
