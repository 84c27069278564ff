# SPDX-License-Identifier: GPL-3.0-or-later
"""Orders the moves of all findings so that every plug finds a free port of its medium.

A swap or cycle needs no free port: its cables are pulled together, then plugged in. A single cable needs one at its
target, or waits for the move that frees one:

    RED has 4 ports, all taken, one of them by k05 nic1, which belongs to BLUE; k00 nic0 belongs to RED
    order: k05 nic1 from RED to BLUE; then k00 nic0 into RED

Cables that wait for each other are also pulled together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from math import inf

from .actions import Action
from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding, Move, Wiring

Ports = tuple[str, str | None]  # switch, medium; None for all


def order_moves(
    wiring: Wiring, cables: Sequence[JudgedCable], findings: Sequence[Finding]
) -> tuple[tuple[Move, ...], tuple[Finding, ...]]:
    """The moves of all findings, and the findings with the conditions of their moves."""
    moves: list[Move] = []
    waiting: list[JudgedCable] = []
    exchanges = count(1)
    for finding in findings:
        if finding.moves and is_exchange(wiring, finding):
            number = next(exchanges)
            moves += [make_move(cable, number) for cable in finding.cables]
        elif finding.moves:
            waiting += finding.cables
    free = FreePorts(wiring, cables)
    singles, rest = order_singles(free, waiting)
    conditions: dict[JudgedCable, Action] = {}
    for cable, after in singles.items():
        moves.append(make_move(cable, after=after))
        if after:
            conditions[cable] = Action(Instruction.WAIT, [cable], values={"after": after})
    exchange = next(exchanges) if len(rest) > 1 and free.fits_together(rest) else None
    for cable in rest:
        moves.append(make_move(cable, exchange))
        if exchange:
            conditions[cable] = Action(Instruction.TOGETHER, [other for other in rest if other is not cable])
    own = [[conditions[cable] for cable in each.cables if each.moves and cable in conditions] for each in findings]
    return tuple(moves), tuple(replace(each, conditions=tuple(some)) for each, some in zip(findings, own))


def is_exchange(wiring: Wiring, finding: Finding) -> bool:
    """Whether its cables take each other's ports."""
    cables = [(cable, wiring.medium(cable)) for cable in finding.cables]
    sources = Counter((cable.seen, medium) for cable, medium in cables)
    seen = all(cable.seen for cable, _ in cables)
    return seen and len(cables) > 1 and sources == Counter((cable.expected, medium) for cable, medium in cables)


def make_move(cable: JudgedCable, exchange: int | None = None, after: str | None = None) -> Move:
    return Move(cable.node, cable.nic, cable.device, cable.seen, cable.expected, exchange, after)


def order_singles(
    free: FreePorts, waiting: list[JudgedCable]
) -> tuple[dict[JudgedCable, str | None], list[JudgedCable]]:
    """The cables that find a free port, each with the one that must leave it first, and those for which there is
    none."""
    placed: dict[JudgedCable, str | None] = {}
    left: dict[str, str] = {}  # switch -> the last cable that left it
    passed_over: set[JudgedCable] = set()
    while chosen := next((cable for cable in waiting if free.count_free(cable) > 0), None):
        passed_over.update(waiting[: waiting.index(chosen)])
        waiting = [cable for cable in waiting if cable is not chosen]
        placed[chosen] = left.get(chosen.expected or "") if chosen in passed_over else None
        free.move(chosen)
        if chosen.seen:
            left[chosen.seen] = chosen.name
    return placed, waiting


class FreePorts:
    """Free ports for nodes, by switch and medium, and by switch in total. Unchecked cables count as plugged in as
    designed."""

    def __init__(self, wiring: Wiring, cables: Sequence[JudgedCable]) -> None:
        self.wiring = wiring
        self.free: Counter[Ports] = Counter({(switch, None): room for switch, room in wiring.room.items()})
        self.free.update({(switch, medium): n for switch, ports in wiring.ports.items() for medium, n in ports.items()})
        for cable in cables:
            self.take(cable.seen or find_assumed(cable), wiring.medium(cable))
        observed = {cable.node for cable in cables}
        for key, switch in wiring.wanted.items():
            if key[0] not in observed:
                self.take(switch, wiring.media[key])

    def take(self, switch: str | None, medium: str, count: int = 1) -> None:
        if switch is not None:
            self.free.subtract({(switch, None): count, (switch, medium): count})

    def count_free(self, cable: JudgedCable) -> float:
        """How many free ports its target has for it; below zero if it is overfull."""
        target = cable.expected
        return inf if target is None else min(self.free[target, each] for each in (None, self.wiring.medium(cable)))

    def move(self, cable: JudgedCable) -> None:
        medium = self.wiring.medium(cable)
        self.take(cable.seen, medium, -1)
        self.take(cable.expected, medium)

    def fits_together(self, cables: Sequence[JudgedCable]) -> bool:
        """Moves all cables. Returns whether no target switch is overfull then."""
        for cable in cables:
            self.move(cable)
        return all(self.count_free(cable) >= 0 for cable in cables)


def find_assumed(cable: JudgedCable) -> str | None:
    """The designed switch, if the cable has carrier and could not be checked or is faulty; else None."""
    return cable.expected if cable.state in ("unknown", "faulty") and cable.carrier else None
