# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that lead to the right switch but underperform: low speed, half duplex, too small an MTU.

A virtual NIC reports no speed and no duplex; no value is assumed for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .model import Cable, Finding, Wiring
from .mtu import find_mtu_faults
from .small_mtu import find_small


def find_poor_links(wiring: Wiring, cables: list[Cable], unsteady: Collection[Cable] = ()) -> Iterator[Finding]:
    """unsteady: cables that lose frames, and therefore get no finding of a small MTU."""
    planned = [cable for cable in cables if cable.expected is not None and cable.carrier and cable.facts]
    for cable in planned:
        yield from find_slow(wiring, cable)
    if wiring.mtu is None:
        yield from find_small(wiring, cables, unsteady)
    yield from find_mtu_faults(wiring, cables)


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
