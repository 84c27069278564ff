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

from collections.abc import Callable, Mapping

from .model import Cable, Wiring


def assign_node(cables: list[Cable], wiring: Wiring, node: str) -> dict[int, Cable]:
    """NIC of the design -> the cable that serves it. Sets `expected` and `state` of all cables of one node."""
    wants = wiring.wants[node]
    own = {cable.nic: cable for cable in cables}
    planned = {nic for nic, _ in wants}
    served: dict[int, Cable] = {}
    free = list(cables)

    def find_first(nic: int, suits: Callable[[Cable], bool]) -> Cable | None:
        media = wiring.media[node, nic]
        return next((cable for cable in free if wiring.medium(cable) == media and suits(cable)), None)

    def serve(choose: Callable[[int, str], Cable | None]) -> None:
        for nic, switch in wants:
            chosen = choose(nic, switch) if nic not in served else None
            if chosen is not None:
                served[nic] = chosen
                free.remove(chosen)

    def own_if(fits: Callable[[Cable, str], bool]) -> Callable[[int, str], Cable | None]:
        return lambda nic, switch: own[nic] if nic in own and own[nic] in free and fits(own[nic], switch) else None

    serve(own_if(lambda cable, switch: switch in cable.among))
    serve(lambda nic, switch: find_first(nic, lambda cable: switch in cable.among))
    serve(own_if(lambda cable, _: cable.is_live or cable.unsure))
    serve(lambda nic, _: find_first(nic, lambda cable: cable.is_live and bool(cable.seen or cable.nic in planned)))
    serve(own_if(lambda *_: True))
    serve(lambda nic, _: find_first(nic, lambda cable: cable.nic in planned))
    for nic, switch in wants:
        if nic in served:
            served[nic].serves, served[nic].expected = nic, switch
    for cable in cables:
        cable.state = find_state(cable)
    return served


def find_state(cable: Cable) -> str:
    if cable.unsure and cable.carrier:
        return "unknown"
    if cable.expected is None:
        return "wrong" if cable.seen else "ok"
    if not cable.carrier:
        return "missing"
    if cable.expected not in cable.among:
        return "wrong"
    return "ok" if len(cable.among) == 1 else "unknown"


def find_bindings(served: Mapping[int, Cable], cables: list[Cable]) -> list[str] | None:
    """The MACs of a node in the NIC order that its cables require, if it differs from macs.json; else None."""
    after = {nic: cable.mac for nic, cable in served.items()}
    rest = [cable for cable in cables if cable.mac not in after.values()]
    for cable in [each for each in rest if each.nic not in after]:
        after[cable.nic] = cable.mac
        rest.remove(cable)
    for nic in sorted({cable.nic for cable in cables} - after.keys()):
        after[nic] = rest.pop(0).mac
    before = {cable.nic: cable.mac for cable in cables}
    return None if after == before else [after[nic] for nic in sorted(after)]
