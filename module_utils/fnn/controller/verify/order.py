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
from collections.abc import Iterable

from .model import Cable, Finding, Move, Wiring
from .words import name_some

Waiting = list[tuple[Finding, Cable]]


def order_moves(wiring: Wiring, cables: list[Cable], findings: list[Finding]) -> list[Move]:
    """Extends the action of a finding that must wait for another."""
    moves: list[Move] = []
    waiting: Waiting = []
    for finding in findings:
        if finding.moves and is_exchange(wiring, finding):
            moves += [make_move(cable, find_next(moves)) for cable in finding.cables]
        elif finding.moves:
            waiting += [(finding, cable) for cable in finding.cables]
    free = FreePorts(wiring, cables)
    singles, rest = order_singles(wiring, free, waiting)
    together = rest if len(rest) > 1 and free.fits_together([cable for _, cable in rest]) else []
    for finding, cable in together:
        others = name_some([other.name for _, other in together if other is not cable])
        finding.action += f" (pull it together with {others}: each takes the port of another)"
    number = find_next(moves) if together else None
    return moves + singles + [make_move(cable, number) for _, cable in rest]


def find_next(moves: Iterable[Move]) -> int:
    """The number of the next exchange."""
    return 1 + max((move.exchange or 0 for move in moves), default=0)


def is_exchange(wiring: Wiring, finding: Finding) -> bool:
    """Whether its cables take each other's ports."""
    cables = [(cable, wiring.medium(cable)) for cable in finding.cables]
    sources = Counter((cable.seen, medium) for cable, medium in cables)
    seen = all(cable.seen for cable, _ in cables)
    return seen and len(cables) > 1 and sources == Counter((cable.expected, medium) for cable, medium in cables)


def make_move(cable: Cable, exchange: int | None = None, after: str | None = None) -> Move:
    return Move(cable.node, cable.nic, cable.device, cable.seen, cable.expected, exchange, after)


def order_singles(wiring: Wiring, free: FreePorts, waiting: Waiting) -> tuple[list[Move], Waiting]:
    """The moves that find a free port, and the cables for which there is none."""
    moves: list[Move] = []
    left: dict[str, str] = {}  # switch -> the last cable that left it
    passed_over: set[Cable] = set()
    while True:
        chosen = next((each for each in waiting if free.has_room(each[1])), None)
        if chosen is None:
            return moves, waiting
        finding, cable = chosen
        passed_over |= {other for _, other in waiting[: waiting.index(chosen)]}
        waiting = [each for each in waiting if each is not chosen]
        after = left.get(cable.expected or "") if cable in passed_over else None
        if after:
            finding.action += f" ({wiring.color(cable.expected)} is full until {after} is out of it)"
        moves.append(make_move(cable, after=after))
        free.move(cable)
        if cable.seen:
            left[cable.seen] = cable.name


class FreePorts:
    """Free ports for nodes, by switch, and by switch and medium. Unchecked cables count as plugged in as designed."""

    def __init__(self, wiring: Wiring, cables: list[Cable]) -> None:
        self.wiring = wiring
        self.of_all = Counter(wiring.room)
        self.of_medium = Counter(
            {(switch, medium): count for switch, ports in wiring.ports.items() for medium, count in ports.items()}
        )
        for cable in cables:
            self.take(cable.seen or find_assumed(cable), wiring.medium(cable))
        observed = {cable.node for cable in cables}
        for node, wants in wiring.wants.items():
            for nic, switch in wants if node not in observed else ():
                self.take(switch, wiring.media[node, nic])

    def take(self, switch: str | None, medium: str, count: int = 1) -> None:
        if switch is not None:
            self.of_all[switch] -= count
            self.of_medium[switch, medium] -= count

    def has_room(self, cable: Cable) -> bool:
        """Whether its target has a free port for it."""
        target = cable.expected
        return target is None or min(self.of_all[target], self.of_medium[target, self.wiring.medium(cable)]) > 0

    def move(self, cable: Cable) -> None:
        medium = self.wiring.medium(cable)
        self.take(cable.seen, medium, -1)
        self.take(cable.expected, medium)

    def fits_together(self, cables: list[Cable]) -> bool:
        """Moves all cables. Returns whether no target switch is overfull then."""
        for cable in cables:
            self.move(cable)
        targets = [(cable.expected, self.wiring.medium(cable)) for cable in cables if cable.expected]
        return all(self.of_all[target] >= 0 and self.of_medium[target, medium] >= 0 for target, medium in targets)


def find_assumed(cable: Cable) -> str | None:
    """The designed switch, if the cable has carrier and could not be checked or is faulty; else None."""
    return cable.expected if cable.state in ("unknown", "faulty") and cable.carrier else None
