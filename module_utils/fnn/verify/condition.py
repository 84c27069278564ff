# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that lead to the right place but do less than they should: slow, half duplex, another MTU.

A virtual NIC has no speed and no duplex, and says so; nothing is made up for it. The MTU does not stop the play: a
node that was never configured has the usual one, and it is the network stage, further on, that sets it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .model import Cable, Finding, Wiring
from .words import name_some


def find_poor_links(wiring: Wiring, cables: list[Cable]) -> Iterator[Finding]:
    planned = [cable for cable in cables if cable.expected is not None and cable.carrier and cable.facts]
    for cable in planned:
        yield from find_slow(wiring, cable)
    yield from find_other_mtu(wiring, planned)


def find_slow(wiring: Wiring, cable: Cable) -> Iterator[Finding]:
    speed, duplex = cable.facts.get("speed_mbps"), cable.facts.get("duplex")
    designed = wiring.speeds[cable.node, cable.serves if cable.serves is not None else cable.nic]
    try_another = f"try another cable, then another port of {wiring.color(cable.expected)}"
    if speed and speed < designed:
        action = f"{cable.node}: {cable.device} runs at {speed} Mb/s instead of {designed}; {try_another}"
        yield Finding("slow", [cable], action, f"links: {cable.name} has {speed} Mb/s")
    if duplex == "half":
        action = f"{cable.node}: {cable.device} runs at half duplex; let both ends negotiate, or {try_another}"
        yield Finding("half-duplex", [cable], action, f"links: {cable.name} is half duplex")


def find_other_mtu(wiring: Wiring, planned: list[Cable]) -> Iterator[Finding]:
    """One finding per MTU that is not the spec's."""
    others: dict[int, list[Cable]] = defaultdict(list)
    for cable in planned:
        mtu = cable.facts.get("mtu")
        if wiring.mtu and mtu and mtu != wiring.mtu:
            others[mtu].append(cable)
    for mtu, cables in sorted(others.items()):
        names = name_some([cable.name for cable in cables])
        action = f"leave the cables of {names} as they are: their MTU is {mtu}, and the network stage sets {wiring.mtu}"
        yield Finding("mtu", cables, action, f"links: {names} have an MTU of {mtu}", breaks=False)
