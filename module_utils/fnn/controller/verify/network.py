# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes share a switch, updated incrementally while a search tries moves of cables.

A row of pairs is one large integer with a bit per node, so a node's row costs a handful of operations even at a
thousand nodes. A move changes only pairs of its own node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from .cables import JudgedCable
from .model import Wiring
from .order import find_assumed

Pairs = Collection[tuple[str, str]]


@dataclass
class Slot:
    """One cable and its current switch. cable: None if it must not move. moved: whether the search moved it."""

    node: int
    place: str | None
    cable: JudgedCable | None = None
    moved: bool = False


class Network:
    """The nodes of each switch and the uncovered pairs, updated as cables move."""

    def __init__(
        self, wiring: Wiring, cables: Sequence[JudgedCable], dead: Collection[str], pairs: Pairs | None
    ) -> None:
        self.names = list(wiring.wants)
        self.rank = {name: number for number, name in enumerate(self.names)}
        self.wiring, self.dead = wiring, dead
        self.slots: list[list[Slot]] = [[] for _ in self.names]
        self.assumed = 0
        self._place(cables)
        self.members: Counter[str] = Counter()  # switch, or part of one, to its nodes
        for row in self.slots:
            for slot in row:
                if slot.place is not None:
                    self.members[slot.place] |= 1 << slot.node
        self.load = Counter(slot.place for row in self.slots for slot in row)
        self.wanted = self._find_wanted(pairs)
        self.uncovered = [self._find_uncovered(node) for node in range(len(self.names))]
        self.work = 0

    def _place(self, cables: Sequence[JudgedCable]) -> None:
        observed = {cable.node for cable in cables}
        whole = {cable.seen for cable in cables if cable.state == "ok"}
        for name, wants in self.wiring.wants.items():
            if name not in observed:
                self.slots[self.rank[name]] = [Slot(self.rank[name], switch) for _, switch in wants]
                self.assumed += len(wants)
        for cable in cables:
            node, assumed = self.rank[cable.node], find_assumed(cable)
            if cable.state == "faulty":
                is_part = cable.passes == "both" and cable.seen in whole and cable.group is not None
                self.slots[node].append(Slot(node, f"{cable.seen}, part {cable.group}" if is_part else None))
            elif assumed and assumed not in self.dead:
                self.slots[node].append(Slot(node, assumed))
                self.assumed += 1
            elif cable.present and (cable.expected or cable.seen):
                self.slots[node].append(Slot(node, cable.seen if cable.seen not in self.dead else None, cable))

    def _find_wanted(self, pairs: Pairs | None) -> list[int]:
        all_nodes = (1 << len(self.names)) - 1
        if pairs is None:
            return [all_nodes & ~(1 << node) for node in range(len(self.names))]
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
            media = self.wiring.medium(slot.cable)
            for place in self.wiring.members:
                if place != slot.place and place not in self.dead and media in self.wiring.ports[place]:
                    yield place

    def list_uncovered(self) -> list[tuple[str, str]]:
        return [
            (self.names[node], self.names[other])
            for node, row in enumerate(self.uncovered)
            for other in find_bits(row >> (node + 1) << (node + 1))
        ]

    def is_sound(self) -> bool:
        """Whether all pairs are covered, and no switch is overfull."""
        return not any(self.uncovered) and not self.find_overfull()

    def count_disjoint(self) -> int:
        """Number of disjoint uncovered pairs (a greedy matching): a lower bound for the moves."""
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
