# SPDX-License-Identifier: GPL-3.0-or-later
"""Without `fnn_mtu`: does every link carry frames of the MTU that its NICs have?

NICs send beacons as long as their own MTU allows. A port that takes 1400 bytes passes all short beacons, but drops
large packets between nodes. Only NICs with the most common MTU of a switch are compared. A NIC with another MTU gets a
finding of its own, because one NIC may not accept the frames of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from .model import Cable, Finding, Wiring
from .mtu import explain_legs, group_by_switch, list_failed, list_planned
from .words import name_some


def find_small(wiring: Wiring, cables: list[Cable], unsteady: Collection[Cable]) -> Iterator[Finding]:
    """unsteady: cables that lose frames, long ones among them."""
    asked = [cable for cable in list_planned(cables) if cable.tried_mtu and cable not in unsteady and not cable.loop]
    for group in group_by_switch(asked).values():
        common = Counter(cable.tried_mtu for cable in group).most_common(1)[0][0]
        for cable in group:
            if cable.tried_mtu != common:
                yield describe_other(wiring, cable, int(common or 0))
        same = [cable for cable in group if cable.tried_mtu == common]
        failed = list_failed(same)
        if failed and len(failed) == len(same) * (len(same) - 1):
            yield describe_switch(wiring, same, int(common or 0))
        else:
            yield from (describe_leg(wiring, leg, int(common or 0)) for leg, _ in explain_legs(failed))


def describe_other(wiring: Wiring, cable: Cable, common: int) -> Finding:
    what = (
        f"{cable.device} has an MTU of {cable.tried_mtu}, other NICs on {wiring.color(cable.expected)} one of {common}"
    )
    action = f"{cable.node}: {what}; set it to {common}, or set fnn_mtu, which applies to all NICs"
    return Finding("mtu", [cable], action, f"links: {cable.name} has an MTU of {cable.tried_mtu}")


def describe_switch(wiring: Wiring, group: list[Cable], mtu: int) -> Finding:
    color, names = wiring.color(group[0].expected), name_some([cable.name for cable in group])
    action = f"{color} carries no frames of {mtu} bytes between {names}: raise the MTU of its ports to at least {mtu}"
    return Finding("mtu", group, action, f"beacons: each of {names} hears only short beacons of the others")


def describe_leg(wiring: Wiring, leg: Cable, mtu: int) -> Finding:
    color = wiring.color(leg.expected)
    action = (
        f"{leg.node}: {leg.device} carries no frames of {mtu} bytes to and from {color}, only shorter ones: raise the "
        f"MTU of that port of {color} to at least {mtu}, or try another cable or port"
    )
    return Finding("mtu", [leg], action, f"beacons: those of {mtu} bytes do not pass {leg.name}, short ones do")
