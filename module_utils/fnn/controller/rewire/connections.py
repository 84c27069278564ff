# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of nodes that are connected while cables are out, and after they are in again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from .between import Between
from .moves import Move, Plugged, make_moves

#: Switch, switch, and the number of cables between them.
Trunk = tuple[str, str, int]


@dataclass(frozen=True)
class Site:
    """nodes: in rank order. racks: node -> its rack, if any. room: switch -> ports for nodes. wanted: the pairs that
    need a path; None: all.

    between: cables between nodes. Where there are any, nodes forward, and the segment of each such cable has room for
    its two ends. trunks: cables between switches, until they are pulled; lasting: those that stay. grows: whether the
    present network is no flat neighborhood network.
    """

    nodes: list[str]
    racks: Mapping[str, str]
    room: Mapping[str, int]
    wanted: frozenset[tuple[str, str]] | None = None
    between: Between = field(default_factory=dict)
    trunks: Sequence[Trunk] = ()
    lasting: Sequence[Trunk] = ()
    grows: bool = False


class Connections(Protocol):
    """The pairs that are connected now."""

    def pull(self, move: Move) -> None: ...

    def plug(self, move: Move) -> None: ...

    def pull_trunks(self) -> None: ...

    def count_separated(self, pulled: list[Move]) -> int:
        """How many more pairs would be apart without these cables."""

    def count_after(self, moves: list[Move]) -> int:
        """How many pairs would be apart after these moves, as far as an order of batches can take it into account."""

    def count_apart(self) -> int: ...

    def list_apart(self) -> list[tuple[str, str]]: ...


def make_connections(site: Site, plugged: Plugged) -> Connections:
    return Paths(site, plugged) if site.between or site.trunks or site.lasting else SharedSwitches(site, plugged)


def find_wanted(site: Site) -> NDArray[np.bool_]:
    """Whether the nodes of two ranks need a path."""
    if site.wanted is None:
        return ~np.eye(len(site.nodes), dtype=bool)
    place = {node: number for number, node in enumerate(site.nodes)}
    wanted = np.zeros((len(site.nodes), len(site.nodes)), dtype=bool)
    for one, other in site.wanted:
        if one in place and other in place:
            wanted[place[one], place[other]] = wanted[place[other], place[one]] = True
    return wanted


class Paths:
    """Pairs with a path: over a switch that both share, switches that trunks join, or other nodes where these forward.

    Each count inspects all cables, which suffices for clusters that grow into a flat neighborhood network.
    """

    def __init__(self, site: Site, plugged: Plugged) -> None:
        self._site, self._plugged = site, {node: dict(nics) for node, nics in plugged.items()}
        self._trunks = [*site.lasting, *site.trunks]
        self._wanted = find_wanted(site)
        self._switch = {switch: number for number, switch in enumerate(site.room)}

    def pull(self, move: Move) -> None:
        self._plugged.get(move.node, {}).pop(move.nic, None)

    def plug(self, move: Move) -> None:
        self._plugged = make_moves(self._plugged, [move])

    def pull_trunks(self) -> None:
        self._trunks = list(self._site.lasting)

    def count_separated(self, pulled: list[Move]) -> int:
        without = [Move(move.node, move.nic, move.source, None) for move in pulled]
        return self._count(make_moves(self._plugged, without)) - self.count_apart()

    def count_after(self, moves: list[Move]) -> int:
        return self._count(make_moves(self._plugged, moves))

    def count_apart(self) -> int:
        return self._count(self._plugged)

    def list_apart(self) -> list[tuple[str, str]]:
        rows, columns = np.nonzero(np.triu(self._find_apart(self._plugged)))
        return [(self._site.nodes[row], self._site.nodes[column]) for row, column in zip(rows, columns)]

    def _count(self, plugged: Plugged) -> int:
        return int(self._find_apart(plugged).sum()) // 2

    def _find_apart(self, plugged: Plugged) -> NDArray[np.bool_]:
        part = self._join_switches()
        on = np.zeros((len(self._site.nodes), len(part)), dtype=np.float32)
        for row, node in enumerate(self._site.nodes):
            on[row, [part[self._switch[switch]] for switch in plugged.get(node, {}).values()]] = 1
        connected = on @ on.T > 0
        if self._site.between:
            _, component = connected_components(csr_matrix(connected), directed=False)
            connected = component[:, None] == component[None, :]
        apart: NDArray[np.bool_] = ~connected & self._wanted
        return apart

    def _join_switches(self) -> NDArray[np.int32]:
        """The number of the part of each switch; trunks join switches to one part."""
        size = len(self._switch)
        joined = np.zeros((size, size), dtype=bool)
        for one, other, _ in self._trunks:
            joined[self._switch[one], self._switch[other]] = True
        part: NDArray[np.int32] = connected_components(csr_matrix(joined), directed=False)[1]
        return part


class SharedSwitches:
    """The number of switches that each pair currently shares."""

    def __init__(self, site: Site, plugged: Plugged) -> None:
        self._nodes = site.nodes
        self._place = {node: number for number, node in enumerate(site.nodes)}
        self._switch = {switch: number for number, switch in enumerate(site.room)}
        self._on = np.zeros((len(site.nodes), len(site.room)), dtype=np.float32)
        for node, nics in plugged.items():
            for switch in nics.values():
                if node in self._place and switch in self._switch:
                    self._on[self._place[node], self._switch[switch]] = 1
        self._shared = (self._on @ self._on.T).astype(np.int32)
        self._wanted = find_wanted(site)

    def pull_trunks(self) -> None:
        """Without trunks there is nothing to pull."""

    def count_after(self, _moves: list[Move]) -> int:
        """Not taken into account: each cable of a flat neighborhood network connects only few pairs."""
        return 0

    def pull(self, move: Move) -> None:
        self._put(move.node, move.source, 0)

    def plug(self, move: Move) -> None:
        self._put(move.node, move.target, 1)

    def _put(self, node: str, switch: str | None, value: int) -> None:
        if node not in self._place or switch is None:
            return
        row, column = self._place[node], self._switch[switch]
        peers = self._on[:, column].astype(np.int32)
        peers[row] = 0
        self._shared[row] += peers if value else -peers
        self._shared[:, row] = self._shared[row]
        self._on[row, column] = value

    def count_separated(self, pulled: list[Move]) -> int:
        """How many pairs would lose their last common switch."""
        lost = 0
        for move in pulled:
            if move.node in self._place:
                row, column = self._place[move.node], self._switch[move.source or ""]
                peers = (self._on[:, column] > 0) & self._wanted[row]
                lost += int((self._shared[row][peers] == 1).sum())
        return lost

    def count_apart(self) -> int:
        return int(((self._shared == 0) & self._wanted).sum()) // 2

    def list_apart(self) -> list[tuple[str, str]]:
        rows, columns = np.nonzero(np.triu((self._shared == 0) & self._wanted))
        return [(self._nodes[row], self._nodes[column]) for row, column in zip(rows, columns)]
