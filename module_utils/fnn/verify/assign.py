# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NIC of a node serves which of its switches: as few cables to move as possible, and as few NICs renamed.

For a node that should be on red (NIC 0) and blue (NIC 1) and has nic0 on blue and nic1 on green: nic0 serves blue
(renamed in software), nic1 is left for red, one cable must move. Every planned switch that is seen at all is served,
preferably by the NIC that was meant for it, so no choice could leave fewer cables to move.
"""

from __future__ import annotations

from collections.abc import Mapping

from .model import Cable


def assign_node(cables: list[Cable], wants: list[tuple[int, str]]) -> dict[int, Cable]:
    """NIC of the design -> the cable that serves it. Sets `expected` and `state` of all cables of one node."""
    own = {cable.nic: cable for cable in cables}
    served: dict[int, Cable] = {nic: own[nic] for nic, switch in wants if nic in own and own[nic].seen == switch}
    free = [cable for cable in cables if cable not in served.values()]
    for nic, switch in wants:
        fitting = [cable for cable in free if cable.seen == switch]
        if nic not in served and fitting:
            served[nic] = fitting[0]
            free.remove(fitting[0])
    for take_any in (False, True):
        for nic, _ in wants:
            if nic not in served and (take_any or own.get(nic) in free):
                chosen = own[nic] if own.get(nic) in free else next((c for c in free if is_planned(c, wants)), None)
                if chosen is not None:
                    served[nic] = chosen
                    free.remove(chosen)
    for nic, switch in wants:
        if nic in served:
            served[nic].serves, served[nic].expected = nic, switch
    for cable in cables:
        cable.state = find_state(cable)
    return served


def is_planned(cable: Cable, wants: list[tuple[int, str]]) -> bool:
    """Whether the design uses this NIC at all; an unused one is no stand-in for a cable that is missing."""
    return any(nic == cable.nic for nic, _ in wants)


def find_state(cable: Cable) -> str:
    if cable.expected is None:
        return "ok" if cable.seen is None else "wrong"
    if not cable.present or not cable.carrier:
        return "missing"
    return "ok" if cable.seen == cable.expected else "wrong"


def find_bindings(served: Mapping[int, Cable], cables: list[Cable]) -> list[str] | None:
    """The MACs of a node by NIC as its cables want it, where that differs from what is bound; else None."""
    after = {nic: cable.mac for nic, cable in served.items()}
    rest = [cable for cable in cables if cable.mac not in after.values()]
    for cable in [each for each in rest if each.nic not in after]:
        after[cable.nic] = cable.mac
        rest.remove(cable)
    for nic in sorted({cable.nic for cable in cables} - after.keys()):
        after[nic] = rest.pop(0).mac
    before = {cable.nic: cable.mac for cable in cables}
    return None if after == before else [after[nic] for nic in sorted(after)]
