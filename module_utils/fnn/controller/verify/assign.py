# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NIC of a node serves which of its switches: as few cables to move as possible, and as few NICs renamed.

Example: a node should be on red (NIC 0) and blue (NIC 1), and has nic0 on blue and nic1 on green. Then nic0 serves blue
(renamed in software), nic1 remains for red, and one cable must move. Every planned switch that the node reaches is
served, preferably by its designed NIC, so no other choice leaves fewer cables to move. The other switches prefer a
plugged-in cable to an unplugged one: moving it costs no more than plugging the other, and it need not be pulled.

A NIC serves only links that the design gave to a NIC of its medium. Its plug then fits the ports counted for them, and
the NIC of that number in the spec has that medium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .cables import JudgedCable, MatchedCable
from .model import Want, Wiring


def assign_cables(cables: Iterable[MatchedCable], wiring: Wiring) -> tuple[JudgedCable, ...]:
    """The cables with the NIC of the design that each serves, the switch where it should be, and its state."""
    by_node: dict[str, list[MatchedCable]] = {}
    for cable in cables:
        by_node.setdefault(cable.node, []).append(cable)
    return tuple(cable for node, own in by_node.items() for cable in assign_node(own, wiring, node))


def assign_node(cables: list[MatchedCable], wiring: Wiring, node: str) -> list[JudgedCable]:
    links = {cable: link for link, cable in choose_cables(cables, wiring, node).items()}
    return [put_in_design(cable, *links.get(cable, (None, None))) for cable in cables]


def put_in_design(cable: MatchedCable, nic: int | None, switch: str | None) -> JudgedCable:
    """nic, switch: the link of the design that it serves, if any."""
    return JudgedCable(**vars(cable), serves=nic, expected=switch, state=find_state(cable, switch))


def choose_cables(cables: list[MatchedCable], wiring: Wiring, node: str) -> dict[Want, MatchedCable]:
    """Link of the design -> the cable that serves it."""
    wants = wiring.wants[node]
    own = {cable.nic: cable for cable in cables}
    planned = {nic for nic, _ in wants}
    served: dict[Want, MatchedCable] = {}
    free = list(cables)

    def find_first(nic: int, suits: Callable[[MatchedCable], bool]) -> MatchedCable | None:
        media = wiring.media[node, nic]
        return next((cable for cable in free if wiring.medium(cable) == media and suits(cable)), None)

    def serve(choose: Callable[[int, str], MatchedCable | None]) -> None:
        for nic, switch in wants:
            chosen = choose(nic, switch) if (nic, switch) not in served else None
            if chosen is not None:
                served[nic, switch] = chosen
                free.remove(chosen)

    def own_if(fits: Callable[[MatchedCable, str], bool]) -> Callable[[int, str], MatchedCable | None]:
        return lambda nic, switch: own[nic] if nic in own and own[nic] in free and fits(own[nic], switch) else None

    serve(own_if(lambda cable, switch: switch in cable.among))
    serve(lambda nic, switch: find_first(nic, lambda cable: switch in cable.among))
    serve(own_if(lambda cable, _: cable.is_live or cable.unsure))
    serve(lambda nic, _: find_first(nic, lambda cable: cable.is_live and bool(cable.seen or cable.nic in planned)))
    serve(own_if(lambda *_: True))
    serve(lambda nic, _: find_first(nic, lambda cable: cable.nic in planned))
    return served


def find_state(cable: MatchedCable, expected: str | None) -> str:
    if cable.unsure and cable.carrier:
        return "unknown"
    if expected is None:
        return "wrong" if cable.seen else "ok"
    if not cable.carrier:
        return "missing"
    if expected not in cable.among:
        return "wrong"
    return "ok" if len(cable.among) == 1 else "unknown"


def find_bindings(cables: Sequence[JudgedCable]) -> list[str] | None:
    """The MACs of a node in the NIC order that its cables require, if it differs from macs.json; else None."""
    after = {cable.serves: cable.mac for cable in cables if cable.serves is not None}
    rest = [cable for cable in cables if cable.mac not in after.values()]
    for cable in [each for each in rest if each.nic not in after]:
        after[cable.nic] = cable.mac
        rest.remove(cable)
    for nic in sorted({cable.nic for cable in cables} - after.keys()):
        after[nic] = rest.pop(0).mac
    before = {cable.nic: cable.mac for cable in cables}
    return None if after == before else [after[nic] for nic in sorted(after)]
