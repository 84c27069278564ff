# SPDX-License-Identifier: GPL-3.0-or-later
"""Connected components: what links join, directly or over others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Graph = Any  # sparse matrix: row hears column
Item = TypeVar("Item", bound=Hashable)


def make_graph(size: int, edges: Sequence[tuple[int, int]]) -> Graph:
    rows, columns = (np.array([edge[end] for edge in edges], dtype=np.int64) for end in (0, 1))
    return coo_array((np.ones(len(edges), dtype=np.int8), (rows, columns)), shape=(size, size)).tocsr()


def label_components(graph: Graph) -> list[int]:
    return [int(label) for label in connected_components(graph, directed=False)[1]]


def group_linked(links: Iterable[tuple[Item, Item]]) -> list[list[tuple[Item, Item]]]:
    """The links of each component."""
    each = list(links)
    rank = {item: number for number, item in enumerate(dict.fromkeys(chain.from_iterable(each)))}
    labels = label_components(make_graph(len(rank), [(rank[one], rank[other]) for one, other in each]))
    groups: dict[int, list[tuple[Item, Item]]] = defaultdict(list)
    for link in each:
        groups[labels[rank[link[0]]]].append(link)
    return list(groups.values())
