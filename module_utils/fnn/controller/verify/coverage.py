# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the wiring, as it stands, still a flat neighborhood network, and if not, which moves make it one again?

A wrong cable is often harmless, because its node shares other switches with all nodes. Coverage alone may therefore
need fewer moves than the design does. Iterative deepening searches for them, with one move, two moves, ...:

  * Only moving a cable of one of its two nodes repairs an uncovered pair. Each step takes one such pair and tries
    only the cables of its two nodes; this loses no solution.
  * A move changes only pairs of its node, so it never repairs two pairs without a common node. The number of disjoint
    uncovered pairs is thus a lower bound; the search prunes a branch with fewer moves left.
  * A switch may be overfull in between, because a swap is two moves, but not at the end.

The work is limited, not the time, so the same cables give the same answer. If the limit ends the search, the moves are
those that restore the design, minus those that coverage does not need, and are not called the fewest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .model import AsWired, Move, Verification, Wiring
from .network import Network, Pairs, Slot, find_bits

WORK = 1_000_000  # nodes and pairs inspected in total, which takes less than a second
DEEPEST = 8  # moves; no deeper search, because it would not end


def value_as_wired(design: Mapping[str, Any], verification: Verification, pairs: Pairs | None = None) -> AsWired | None:
    """None if some switches cannot be distinguished, if no node answered, if the pairs are not known, or in a tree.

    pairs: those that must share switches; None where all must.
    """
    wiring = Wiring.from_design(design)
    joined = any(len(cable.among) > 1 for cable in verification.cables)
    unknown = wiring.is_tree or not (wiring.covers_all or pairs is not None)
    if joined or not verification.scope or unknown:
        return None
    dead = {str(finding.cables[0].expected) for finding in verification.findings if finding.kind == "dead-switch"}
    network = Network(wiring, verification.cables, dead, pairs)
    uncovered = network.list_uncovered()
    if not uncovered:
        return AsWired((), network.assumed, (), True)
    enough = pick_enough(network, verification.moves)
    repair, fewest = Search(network).find_fewest(None if enough is None else len(enough))
    moves = enough if repair is None else repair
    return AsWired(tuple(uncovered), network.assumed, None if moves is None else tuple(moves), fewest)


def pick_enough(network: Network, restoring: Sequence[Move]) -> list[Move] | None:
    """The moves without which a pair stays uncovered; None if all of them together leave one uncovered."""
    slots = {(slot.cable.node, slot.cable.nic): slot for row in network.slots for slot in row if slot.cable}
    moves = [move for move in restoring if (move.node, move.nic) in slots]
    origin = {key: slot.place for key, slot in slots.items()}

    def put(some: Iterable[Move], is_undone: bool = False) -> None:
        for move in some:
            key = move.node, move.nic
            network.put(slots[key], origin[key] if is_undone else move.target)

    put(moves)
    kept = list(moves) if network.is_sound() else None
    for unit in list_units(kept or ()):
        put(unit, is_undone=True)
        if network.is_sound():
            kept = [move for move in kept or () if move not in unit]
        else:
            put(unit)
    put(moves, is_undone=True)
    return kept


def list_units(moves: Iterable[Move]) -> list[list[Move]]:
    """Single moves, and the moves of one exchange together."""
    units: dict[object, list[Move]] = {}
    for number, move in enumerate(moves):
        units.setdefault(("exchange", move.exchange) if move.exchange else number, []).append(move)
    return list(units.values())


class Search:
    """Iterative deepening, as described above."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.end = network.work + WORK
        self.path: list[Move] = []

    def find_fewest(self, enough: int | None) -> tuple[list[Move] | None, bool]:
        """(moves, whether no fewer suffice). enough: number known to suffice; moves is None if no fewer were found."""
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
        """Whether `depth` more moves suffice; `path` then holds all moves."""
        network = self.network
        if self.is_over() or network.count_needed() > depth:
            return False
        if network.is_sound():
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
        """All moves that could repair one uncovered pair, else all that relieve one overfull switch."""
        network = self.network
        node = max(range(len(network.names)), key=lambda each: network.uncovered[each].bit_count())
        if network.uncovered[node]:
            other = max(find_bits(network.uncovered[node]), key=lambda each: network.uncovered[each].bit_count())
            slots = network.slots[node] + network.slots[other]
        else:
            full = network.find_overfull()[0]
            slots = [slot for row in network.slots for slot in row if slot.place == full]
        return [(slot, place) for slot in slots for place in network.find_targets(slot)]
