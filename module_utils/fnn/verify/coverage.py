# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the wiring, as it stands, still a flat neighborhood network, and if not, which moves make it one again?

A wrong cable is often harmless: its node shares other switches with everybody. So beside the moves that restore the
design there may be fewer that restore coverage alone. They are looked for by depth, one move, two moves, ...:

  * A pair that shares no switch is mended only by moving a cable of one of the two. So at every step one such pair is
    taken, and only the cables of its two nodes are tried; nothing is lost by that.
  * A move changes only pairs of its node. No two pairs of disjoint nodes are mended by one move, so as many moves are
    needed as there are disjoint uncovered pairs; a branch with fewer left is not entered.
  * A switch may be overfull in between, as a swap is two moves; at the end it may not.

A row of pairs is one large integer, a bit per node. The work is limited (not the time: same cables, same answer);
when the limit cuts the search short, the moves are those that restore the design, less those
that coverage does not need, and are not called the fewest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .model import AsWired, Cable, Move, Wiring
from .order import find_assumed

WORK = 1_000_000  # so many nodes and pairs are looked at in all, which is less than a second
DEEPEST = 8  # no search where more moves than this are needed: it would not end

Pairs = Collection[tuple[str, str]]


@dataclass
class Slot:
    """One cable: where it is now, and whether it could be moved."""

    node: int
    place: str | None
    cable: Cable | None = None
    moved: bool = False


class Network:
    """Who shares a switch with whom, kept up to date as cables move."""

    def __init__(self, wiring: Wiring, cables: list[Cable], dead: Collection[str], pairs: Pairs | None) -> None:
        self.names = list(wiring.wants)
        self.rank = {name: number for number, name in enumerate(self.names)}
        self.wiring, self.dead = wiring, dead
        self.slots: list[list[Slot]] = [[] for _ in self.names]
        self.assumed = 0
        self._place(cables)
        self.members = dict.fromkeys(wiring.members, 0)
        for row in self.slots:
            for slot in row:
                if slot.place is not None:
                    self.members[slot.place] |= 1 << slot.node
        self.load = Counter(slot.place for row in self.slots for slot in row)
        self.wanted = self._find_wanted(pairs)
        self.uncovered = [self._find_uncovered(node) for node in range(len(self.names))]
        self.work = 0

    def _place(self, cables: list[Cable]) -> None:
        judged = {cable.node for cable in cables}
        for name, wants in self.wiring.wants.items():
            if name not in judged:
                self.slots[self.rank[name]] = [Slot(self.rank[name], switch) for _, switch in wants]
                self.assumed += len(wants)
        for cable in cables:
            node, assumed = self.rank[cable.node], find_assumed(cable)
            if assumed and assumed not in self.dead:
                self.slots[node].append(Slot(node, assumed))
                self.assumed += 1
            elif cable.present and (cable.expected or cable.seen):
                self.slots[node].append(Slot(node, cable.seen if cable.seen not in self.dead else None, cable))

    def _find_wanted(self, pairs: Pairs | None) -> list[int]:
        everybody = (1 << len(self.names)) - 1
        if pairs is None:
            return [everybody & ~(1 << node) for node in range(len(self.names))]
        wanted = [0] * len(self.names)
        for one, other in pairs:
            wanted[self.rank[one]] |= 1 << self.rank[other]
            wanted[self.rank[other]] |= 1 << self.rank[one]
        return wanted

    def _find_uncovered(self, node: int) -> int:
        shared = [0] * self.wiring.redundancy  # bit b of shared[k]: more than k switches are shared with node b
        for place in {slot.place for slot in self.slots[node] if slot.place is not None}:
            for level in range(len(shared) - 1, 0, -1):
                shared[level] |= shared[level - 1] & self.members[place]
            shared[0] |= self.members[place]
        return self.wanted[node] & ~shared[-1]

    def put(self, slot: Slot, place: str | None) -> None:
        """Moves one cable."""
        node, here = slot.node, 1 << slot.node
        self.load[slot.place] -= 1
        self.load[place] += 1
        source, slot.place = slot.place, place
        if source is not None and all(each.place != source for each in self.slots[node]):
            self.members[source] &= ~here
        if place is not None:
            self.members[place] |= here
        before, self.uncovered[node] = self.uncovered[node], self._find_uncovered(node)
        changed = before ^ self.uncovered[node]
        self.work += changed.bit_count()
        for other in find_bits(changed):
            self.uncovered[other] ^= here

    def find_overfull(self) -> list[str]:
        return [place for place, room in self.wiring.room.items() if self.load[place] > max(room, 0)]

    def find_targets(self, slot: Slot) -> Iterator[str]:
        """Switches a cable may be moved to."""
        if slot.cable is not None and not slot.moved:
            media = self.wiring.media[slot.cable.node, slot.cable.nic]
            for place in self.wiring.members:
                if place != slot.place and place not in self.dead and media in self.wiring.takes[place]:
                    yield place

    def list_uncovered(self) -> list[tuple[str, str]]:
        return [
            (self.names[node], self.names[other])
            for node, row in enumerate(self.uncovered)
            for other in find_bits(row >> (node + 1) << (node + 1))
        ]

    def count_uncovered(self) -> int:
        return sum(row.bit_count() for row in self.uncovered)

    def count_disjoint(self) -> int:
        """How many uncovered pairs without a common node were found; so many moves it takes at least."""
        self.work += len(self.names)
        free, found = (1 << len(self.names)) - 1, 0
        for node, row in enumerate(self.uncovered):
            if row and free >> node & 1 and row & free:
                partner = row & free & -(row & free)
                free &= ~(partner | 1 << node)
                found += 1
        return found

    def count_needed(self) -> int:
        over = sum(self.load[place] - max(self.wiring.room[place], 0) for place in self.find_overfull())
        return max(over, self.count_disjoint())


def find_bits(row: int) -> Iterator[int]:
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def judge_as_wired(
    wiring: Wiring, cables: list[Cable], restoring: Sequence[Move], dead: Collection[str], pairs: Pairs | None
) -> AsWired:
    """restoring: moves that restore the design. dead: switches that pass nothing on. pairs: those that must share
    switches, None for all."""
    network = Network(wiring, cables, dead, pairs)
    uncovered = network.list_uncovered()
    if not uncovered:
        return AsWired([], network.assumed, [], True)
    enough = pick_enough(network, restoring)
    repair, fewest = Search(network).find_fewest(None if enough is None else len(enough))
    return AsWired(uncovered, network.assumed, repair if repair is not None else enough, fewest)


def pick_enough(network: Network, restoring: Sequence[Move]) -> list[Move] | None:
    """Those of the moves without which a pair would be uncovered; None when even all of them leave one so."""
    slots = {(slot.cable.node, slot.cable.nic): slot for row in network.slots for slot in row if slot.cable}
    moves = [move for move in restoring if (move.node, move.nic) in slots]
    origin = {key: slot.place for key, slot in slots.items()}
    for move in moves:
        network.put(slots[move.node, move.nic], move.target)
    done = not network.count_uncovered() and not network.find_overfull()
    kept = list(moves)
    for unit in list_units(moves) if done else ():
        for move in unit:
            network.put(slots[move.node, move.nic], origin[move.node, move.nic])
        if network.count_uncovered() or network.find_overfull():
            for move in unit:
                network.put(slots[move.node, move.nic], move.target)
        else:
            kept = [move for move in kept if move not in unit]
    for move in moves:
        network.put(slots[move.node, move.nic], origin[move.node, move.nic])
    return kept if done else None


def list_units(moves: Iterable[Move]) -> list[list[Move]]:
    """Single moves, and the moves of one exchange together."""
    units: dict[object, list[Move]] = {}
    for number, move in enumerate(moves):
        units.setdefault(("exchange", move.exchange) if move.exchange else number, []).append(move)
    return list(units.values())


class Search:
    """Depth by depth, as the essay above says."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.end = network.work + WORK
        self.path: list[Move] = []

    def find_fewest(self, enough: int | None) -> tuple[list[Move] | None, bool]:
        """(moves, whether no fewer would do). enough: so many are known to do; None moves: no fewer were found."""
        depth = self.network.count_needed()
        while enough is None or depth < enough:
            if depth > DEEPEST or self.is_over():
                return None, False
            if self.reach(depth):
                return self.path, True
            depth += 1
        return None, not self.is_over()

    def is_over(self) -> bool:
        return self.network.work > self.end

    def reach(self, depth: int) -> bool:
        """Whether so many moves more are enough; then `path` has them all."""
        network = self.network
        if self.is_over() or network.count_needed() > depth:
            return False
        if not any(network.uncovered) and not network.find_overfull():
            return True
        if depth == 0:
            return False
        for slot, place in self.list_candidates():
            source = slot.place
            network.put(slot, place)
            slot.moved = True
            assert slot.cable is not None
            self.path.append(Move(slot.cable.node, slot.cable.nic, slot.cable.device, source, place))
            found = self.reach(depth - 1)
            slot.moved = False
            network.put(slot, source)
            if found:
                return True
            self.path.pop()
        return False

    def list_candidates(self) -> list[tuple[Slot, str]]:
        """All moves that could mend one uncovered pair, else all that relieve one overfull switch."""
        network = self.network
        node = max(range(len(network.names)), key=lambda each: network.uncovered[each].bit_count())
        if network.uncovered[node]:
            other = max(find_bits(network.uncovered[node]), key=lambda each: network.uncovered[each].bit_count())
            slots = network.slots[node] + network.slots[other]
        else:
            full = network.find_overfull()[0]
            slots = [slot for row in network.slots for slot in row if slot.place == full]
        return [(slot, place) for slot in slots for place in network.find_targets(slot)]
