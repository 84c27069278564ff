# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves the two ends of a cable between nodes to one switch where possible, so that its pair stays connected.

    ring k00 k01 k02 k03      new: red = k00 k01   blue = k00 k02 k03   green = k01 k02 k03

If NIC 1 of k00 and NIC 0 of k01, which a cable joins, both go to red, red takes the place of that cable in the ring.
The ring is closed again after the batch, and the next cable can be pulled while every pair keeps a path.

The NICs of a node that are alike may trade their switches without more moves. Cables choose one after the other, those
with the fewest common switches first: a greedy matching, which suffices for the few NICs of such nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from .between import Between, End, Slot
from .moves import Move


def align_ends(moves: Iterable[Move], between: Between, slot_of: Mapping[End, Slot]) -> list[Move]:
    """The moves with other switches for the NICs of a slot. slot_of: NICs of a node that are alike have the same."""
    moves = list(moves)
    comes = {move.end for move in moves if move.target is not None}
    left: dict[Slot, list[str]] = defaultdict(list)
    for move in moves:
        if move.target is not None:
            left[slot_of[move.end]].append(move.target)
    waiting = [(one, other) for one, other in between.values() if {one, other} <= comes]
    chosen: dict[End, str] = {}

    def list_common(ends: tuple[End, End]) -> list[str]:
        one, other = (left[slot_of[end]] for end in ends)
        return [switch for switch in one if switch in other]

    while waiting := [ends for ends in waiting if list_common(ends)]:
        ends = min(waiting, key=lambda each: len(list_common(each)))
        waiting.remove(ends)
        switch = list_common(ends)[0]
        for end in ends:
            left[slot_of[end]].remove(switch)
            chosen[end] = switch
    return [
        move if move.target is None else replace(move, target=chosen.get(move.end) or left[slot_of[move.end]].pop(0))
        for move in moves
    ]


def count_parted(moves: Iterable[Move], between: Between) -> int:
    """The cables between nodes whose two ends do not both go to one switch."""
    targets: dict[str, set[str | None]] = defaultdict(set)
    for move in moves:
        if move.source is not None and move.source in between:
            targets[move.source].add(move.target)
    return sum(len(found) > 1 for found in targets.values())
