# SPDX-License-Identifier: GPL-3.0-or-later
"""Connected components: what links join, directly or over others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Graph = Any  # sparse matrix: row hears column
Item = TypeVar("Item", bound=Hashable)


def make_graph(size: int, edges: ArrayLike) -> Graph:
    """edges: pairs of the numbers of two items."""
    rows, columns = np.asarray(edges, dtype=np.int64).reshape(-1, 2).T
    return coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(size, size)).tocsr()


def label_components(graph: Graph) -> list[int]:
    return [int(label) for label in connected_components(graph, directed=False)[1]]


def group_linked(links: Iterable[tuple[Item, Item]]) -> list[list[tuple[Item, Item]]]:
    """The links of each component."""
    each = list(links)
    if not each:  # as in most cases; graphs take time
        return []
    rank = {item: number for number, item in enumerate(dict.fromkeys(chain.from_iterable(each)))}
    labels = label_components(make_graph(len(rank), [(rank[one], rank[other]) for one, other in each]))
    groups: dict[int, list[tuple[Item, Item]]] = defaultdict(list)
    for link in each:
        groups[labels[rank[link[0]]]].append(link)
    return list(groups.values())
