# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of all findings, in an order in which every plug finds a free port.

A swap or cycle needs none: its cables are pulled together, then plugged in. A cable by itself needs a free port at its
target, and where there is none it waits for the move that frees one:

    RED has 4 ports, all taken, one of them by k05 nic1, which belongs to BLUE; k00 nic0 belongs to RED
    order: k05 nic1 from RED to BLUE; then k00 nic0 into RED
"""

from __future__ import annotations

from collections import Counter

from .model import Cable, Finding, Move, Wiring


def order_moves(wiring: Wiring, cables: list[Cable], findings: list[Finding]) -> list[Move]:
    """Adds to the action of a finding that has to wait for another."""
    moves: list[Move] = []
    waiting: list[tuple[Finding, Cable]] = []
    for finding in findings:
        if finding.moves and is_exchange(finding):
            number = 1 + max((move.exchange or 0 for move in moves), default=0)
            moves += [make_move(cable, number) for cable in finding.cables]
        elif finding.moves:
            waiting += [(finding, cable) for cable in finding.cables]
    return moves + order_singles(wiring, count_free_ports(wiring, cables), waiting)


def is_exchange(finding: Finding) -> bool:
    """Whether its cables take each other's ports."""
    sources = Counter(cable.seen for cable in finding.cables)
    return None not in sources and len(finding.cables) > 1 and sources == Counter(c.expected for c in finding.cables)


def make_move(cable: Cable, exchange: int | None = None, after: str | None = None) -> Move:
    return Move(cable.node, cable.nic, cable.device, cable.seen, cable.expected, exchange, after)


def order_singles(wiring: Wiring, free: dict[str, int], waiting: list[tuple[Finding, Cable]]) -> list[Move]:
    moves = []
    left: dict[str, str] = {}  # switch -> the last cable that left it
    passed_over: set[Cable] = set()
    while waiting:
        chosen = next((each for each in waiting if each[1].expected is None or free[each[1].expected] > 0), waiting[0])
        finding, cable = chosen
        passed_over |= {other for _, other in waiting[: waiting.index(chosen)]}
        waiting = [each for each in waiting if each is not chosen]
        after = left.get(cable.expected or "") if cable in passed_over else None
        if after:
            finding.action += f" ({wiring.color(cable.expected)} is full until {after} is out of it)"
        moves.append(make_move(cable, after=after))
        if cable.expected:
            free[cable.expected] -= 1
        if cable.seen:
            free[cable.seen] += 1
            left[cable.seen] = cable.name
    return moves


def count_free_ports(wiring: Wiring, cables: list[Cable]) -> dict[str, int]:
    """Ports for nodes that are left, by switch; what was not judged is taken to be plugged in as designed."""
    taken: Counter[str | None] = Counter(cable.seen or find_assumed(cable) for cable in cables)
    judged = {cable.node for cable in cables}
    for node, wants in wiring.wants.items():
        if node not in judged:
            taken.update(switch for _, switch in wants)
    return {switch: room - taken[switch] for switch, room in wiring.room.items()}


def find_assumed(cable: Cable) -> str | None:
    """Where a cable is taken to be that nobody could judge."""
    return cable.expected if cable.state == "unknown" and cable.carrier else None
