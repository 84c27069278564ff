# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders the cable moves of a rewiring so that the cluster stays in service.

Cables move in batches. Before a batch the nodes stop using its cables; then an operator moves them, verify checks them,
and the nodes use them again. Meanwhile every pair of nodes needs a path: another switch that both share, or the uplink,
which reaches every node that has at least one cable.

    red = k00 k01 k02    blue = k01 k02 k03    k00 goes from red to blue, k03 from blue to red

While both cables are out, no peer reaches k00 or k03 directly. If red has a free port, one move after the other
loses fewer pairs.

A hundred cables have too many orders to try them all, so batches grow greedily. The next move is the one that loses
the fewest pairs, preferably at a node of the batch. A move into a full switch brings the moves with it that make room:
a chain that ends at a free port, or a cycle. A cycle needs one cable held in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .align import count_parted
from .connections import Connections, Site, Trunk, make_connections
from .moves import Move, Plugged, make_moves

#: Candidates inspected for each next move; at a thousand nodes, more only cost time.
_MOST_CANDIDATES = 48


@dataclass
class Batch:
    """apart: pairs that are not connected while its cables are out. after: how many remain once they are in again.
    cut_off: nodes that have no other cable meanwhile. pulls_trunks: whether the cables between switches are pulled.
    """

    moves: list[Move]
    apart: list[tuple[str, str]] = field(default_factory=list)
    after: int = 0
    cut_off: list[str] = field(default_factory=list)
    pulls_trunks: bool = False


def make_batches(site: Site, plugged: Plugged, moves: list[Move], size: int) -> list[Batch]:
    """Batches of about `size` moves; a cycle is never split, and neither are the two ends of a cable between nodes.

    Trunks are pulled last, unless a move needs a port of theirs before.
    """
    waiting = list(moves)
    connections = make_connections(site, plugged)
    trunks = list(site.trunks)
    batches = []
    while waiting:
        batch = _BatchBuilder(site, plugged, waiting, connections, trunks).build(size)
        trunks = [] if batch.pulls_trunks else trunks
        waiting = [move for move in waiting if move not in batch.moves]
        plugged = make_moves(plugged, batch.moves)
        for move in batch.moves:
            connections.plug(move)
        batch.after = connections.count_apart()
        batches.append(batch)
    if trunks:
        connections.pull_trunks()
        batches.append(Batch([], connections.list_apart(), connections.count_apart(), pulls_trunks=True))
    return batches


class _BatchBuilder:
    """A batch under construction. It pulls its cables out of `connections`."""

    def __init__(
        self, site: Site, plugged: Plugged, waiting: list[Move], connections: Connections, trunks: Sequence[Trunk]
    ) -> None:
        self._site, self._waiting, self._connections = site, list(waiting), connections
        self._left = {node: len(nics) for node, nics in plugged.items()}
        self._free = Counter(site.room)
        self._free.subtract(switch for nics in plugged.values() for switch in nics.values())
        self._trunk_ports = count_trunk_ports(trunks)
        self._free.subtract(self._trunk_ports)
        self._moves: list[Move] = []
        self._pulls_trunks = False
        self._separated = 0

    def build(self, size: int) -> Batch:
        while self._waiting and len(self._moves) < size:
            unit = self._choose(size - len(self._moves)) or (self._free_trunk_ports() and self._choose(size))
            if not unit or self._closes_before(unit):
                break
            self._take(unit)
        cut_off = [node for node, left in self._left.items() if left == 0 and any(m.node == node for m in self._moves)]
        apart = self._connections.list_apart()
        return Batch(self._moves, apart, cut_off=cut_off, pulls_trunks=self._pulls_trunks)

    def _free_trunk_ports(self) -> bool:
        """Pulls the trunks if no move can be made otherwise."""
        if self._moves or not self._trunk_ports:
            return False
        self._free.update(self._trunk_ports)
        self._trunk_ports.clear()
        self._connections.pull_trunks()
        self._pulls_trunks = True
        return True

    def _closes_before(self, unit: list[Move]) -> bool:
        """Whether a unit waits for the next batch, because cables that connect its pairs are in use only then.

        Where nodes forward, each unit that loses pairs is alone. Otherwise the batches would be too many; only
        moves that lose no pair precede all others.
        """
        separated = self._connections.count_separated(_list_pulled(unit))
        before, self._separated = self._separated, self._separated + separated
        if not self._moves or not self._site.grows:
            return False
        return separated > 0 and (before == 0 or bool(self._site.between))

    def _choose(self, room: int) -> list[Move] | None:
        """The unit that leaves and loses the fewest pairs per move; the first of a batch may have any length."""
        best: tuple[tuple[int, ...], list[Move]] | None = None
        here = {move.node for move in self._moves}
        for move in self._waiting[:_MOST_CANDIDATES]:
            unit = self._complete(move)
            if self._moves and (len(unit) > room or self._strands(unit)):
                continue
            if self._trunk_ports and not self._fits(unit):
                continue
            after = self._connections.count_after([*self._moves, *unit])
            separated = self._connections.count_separated(_list_pulled(unit))
            parted = count_parted(unit, self._site.between)
            cost = (after, separated * 8 // len(unit), parted, 0 if move.node in here else 1, len(unit))
            if best is None or cost < best[0]:
                best = cost, unit
        return best[1] if best else None

    def _fits(self, unit: list[Move]) -> bool:
        """Whether all cables of a unit find a port."""
        free = Counter(self._free)
        free.update(move.source for move in unit if move.source)
        free.subtract(move.target for move in unit if move.target)
        return all(free[move.target] >= 0 for move in unit if move.target)

    def _strands(self, unit: list[Move]) -> bool:
        """Whether a node would lose its last cable, which a smaller batch may avoid."""
        pulled = [move.node for move in unit if move.source]
        return any(self._left[node] - pulled.count(node) < 1 for node in set(pulled))

    def _complete(self, first: Move) -> list[Move]:
        """The move, those that make room for it, and the other ends of cables between nodes, in the order in which they
        can be made.
        """
        unit = self._make_room(first, [])
        while partner := self._find_partner(unit):
            unit = [*unit, *self._make_room(partner, unit)]
        return unit

    def _find_partner(self, unit: list[Move]) -> Move | None:
        """A waiting move at the other end of a cable between nodes, of which one end is in the unit."""
        cables = {name for move in unit for name in (move.source, move.target) if name in self._site.between}
        ends = (move for move in self._waiting if move not in unit and {move.source, move.target} & cables)
        return next(ends, None)

    def _make_room(self, first: Move, others: list[Move]) -> list[Move]:
        """The move, and those that make room for it beside the others of its unit."""
        unit = [first]
        while (target := unit[-1].target) is not None:
            leaving = sum(move.source == target for move in others)
            if self._free[target] + leaving > sum(move.target == target for move in [*others, *unit[:-1]]):
                break
            if target == first.source and len(unit) > 1:
                break
            leaves = (move for move in self._waiting if move.source == target and move not in [*others, *unit])
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
                self._connections.pull(move)
            if move.target:
                self._free[move.target] -= 1


def _list_pulled(unit: list[Move]) -> list[Move]:
    return [move for move in unit if move.source]


def count_trunk_ports(trunks: Iterable[Trunk]) -> Counter[str]:
    """Switch -> its ports with a cable to another switch."""
    ports: Counter[str] = Counter()
    for one, other, cables in trunks:
        ports.update({one: cables, other: cables})
    return ports


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
