# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders the cable moves of a rewiring so that the cluster stays in service.

Cables move in batches. Before a batch the nodes stop using its cables; then an operator moves them, verify checks them,
and the nodes use them again. Meanwhile every pair of nodes needs a path: another switch that both share, or the uplink,
which reaches every node that has at least one cable.

    red = k00 k01 k02    blue = k01 k02 k03    k00 goes from red to blue, k03 from blue to red

While both cables are out, no peer reaches k00 or k03 directly. If red has a free port, one move after the other
separates fewer pairs.

A hundred cables have too many orders to try them all, so batches grow greedily. The next move is the one that separates
the fewest pairs, preferably at a node of the batch. A move into a full switch brings the moves with it that make room:
a chain that ends at a free port, or a cycle. A cycle needs one cable held in the hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from .moves import Move, Plugged, make_moves

#: Candidates inspected for each next move; at a thousand nodes, more only cost time.
_MOST_CANDIDATES = 48


@dataclass(frozen=True)
class Site:
    """nodes: in rank order. racks: node -> its rack, if any. room: switch -> ports for nodes. wanted: the pairs that
    need a common switch; None: all."""

    nodes: list[str]
    racks: Mapping[str, str]
    room: Mapping[str, int]
    wanted: frozenset[tuple[str, str]] | None = None


@dataclass
class Batch:
    """apart: pairs without a common switch while its cables are out. after: how many remain once they are in again.
    cut_off: nodes that have no other cable meanwhile."""

    moves: list[Move]
    apart: list[tuple[str, str]] = field(default_factory=list)
    after: int = 0
    cut_off: list[str] = field(default_factory=list)


def make_batches(site: Site, plugged: Plugged, moves: list[Move], size: int) -> list[Batch]:
    """Batches of about `size` moves; a cycle is never split."""
    waiting = list(moves)
    shared = _SharedSwitches(site, plugged)
    batches = []
    while waiting:
        batch = _BatchBuilder(site, plugged, waiting, shared).build(size)
        waiting = [move for move in waiting if move not in batch.moves]
        plugged = make_moves(plugged, batch.moves)
        for move in batch.moves:
            shared.plug(move)
        batch.after = shared.count_apart()
        batches.append(batch)
    return batches


class _BatchBuilder:
    """A batch under construction. It pulls its cables out of `shared`."""

    def __init__(self, site: Site, plugged: Plugged, waiting: list[Move], shared: _SharedSwitches) -> None:
        self._waiting, self._shared = list(waiting), shared
        self._left = {node: len(nics) for node, nics in plugged.items()}
        self._free = dict(site.room)
        for nics in plugged.values():
            for switch in nics.values():
                self._free[switch] = self._free.get(switch, 0) - 1
        self._moves: list[Move] = []

    def build(self, size: int) -> Batch:
        while self._waiting and len(self._moves) < size:
            unit = self._choose(size - len(self._moves))
            if unit is None:
                break
            self._take(unit)
        cut_off = [node for node, left in self._left.items() if left == 0 and any(m.node == node for m in self._moves)]
        return Batch(self._moves, self._shared.list_apart(), cut_off=cut_off)

    def _choose(self, room: int) -> list[Move] | None:
        """The unit that separates the fewest pairs per move; the first unit of a batch may have any length."""
        best: tuple[tuple[int, int, int], list[Move]] | None = None
        here = {move.node for move in self._moves}
        for move in self._waiting[:_MOST_CANDIDATES]:
            unit = self._complete(move)
            if self._moves and (len(unit) > room or self._strands(unit)):
                continue
            separated = self._shared.count_separated([each for each in unit if each.source])
            cost = (separated * 8 // len(unit), 0 if move.node in here else 1, len(unit))
            if best is None or cost < best[0]:
                best = cost, unit
        return best[1] if best else None

    def _strands(self, unit: list[Move]) -> bool:
        """Whether a node would lose its last cable, which a smaller batch may avoid."""
        pulled = [move.node for move in unit if move.source]
        return any(self._left[node] - pulled.count(node) < 1 for node in set(pulled))

    def _complete(self, first: Move) -> list[Move]:
        """The move, and those that make room for it, in the order in which they can be made."""
        unit = [first]
        while (target := unit[-1].target) is not None:
            if self._free[target] > sum(move.target == target for move in unit[:-1]):
                break
            if target == first.source and len(unit) > 1:
                break
            leaves = (move for move in self._waiting if move.source == target and move not in unit)
            following = min(leaves, key=lambda move: move.target != first.source, default=None)
            if following is None:
                break
            unit.append(following)
        return unit[::-1]

    def _take(self, unit: list[Move]) -> None:
        for move in unit:
            self._waiting.remove(move)
            self._moves.append(move)
            if move.source is not None:
                self._left[move.node] -= 1
                self._free[move.source] += 1
                self._shared.pull(move)
            if move.target:
                self._free[move.target] -= 1


class _SharedSwitches:
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
        self._wanted = ~np.eye(len(site.nodes), dtype=bool)
        if site.wanted is not None:
            self._wanted[:] = False
            for one, other in site.wanted:
                if one in self._place and other in self._place:
                    a, b = self._place[one], self._place[other]
                    self._wanted[a, b] = self._wanted[b, a] = True

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


def order_walk(site: Site, moves: list[Move], free: Mapping[str, int]) -> Iterator[tuple[Move, bool]]:
    """The moves of a batch in walking order, rack by rack and node by node where free ports allow.

    free: switch -> free ports for nodes before the batch. Yields each move with a flag: whether the operator must hold
    its cable in the hand until another move frees a port.
    """
    rank = {node: number for number, node in enumerate(site.nodes)}
    waiting = sorted(moves, key=lambda move: (site.racks.get(move.node, ""), rank.get(move.node, len(rank)), move.nic))
    room = dict(free)
    while waiting:
        chosen = next((move for move in waiting if move.target is None or room[move.target] > 0), None)
        held = chosen is None
        move = chosen or waiting[0]
        waiting.remove(move)
        if move.source:
            room[move.source] = room.get(move.source, 0) + 1
        if move.target:
            room[move.target] -= 1
        yield move, held
