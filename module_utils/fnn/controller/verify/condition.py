# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that lead to the right switch but underperform: low speed, half duplex, too small an MTU.

A virtual NIC reports no speed and no duplex; no value is assumed for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .actions import Action
from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding, Wiring
from .mtu import find_mtu_faults, find_small


def find_poor_links(
    wiring: Wiring, cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable] = ()
) -> Iterator[Finding]:
    """unsteady: cables that lose frames, and therefore get no finding of a small MTU."""
    planned = [cable for cable in cables if cable.expected is not None and cable.carrier and cable.facts]
    for cable in planned:
        yield from find_slow(wiring, cable)
    if wiring.mtu is None:
        yield from find_small(cables, unsteady)
    yield from find_mtu_faults(wiring, cables)


def find_cause(speed: int, designed: int) -> str:
    """The usual cause of a negotiated speed below that of the design, both in Mb/s."""
    if speed <= 100:
        return "a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"
    if designed <= 10000:
        least = "5e" if designed <= 2500 else "6" if designed <= 5000 else "6A"
        return f"a port or module that offers no more, or a copper cable below category {least}"
    return "a cable or module made for that speed, or an end that is set to it"


def find_slow(wiring: Wiring, cable: JudgedCable) -> Iterator[Finding]:
    speed, duplex = cable.facts.get("speed_mbps"), cable.facts.get("duplex")
    designed = wiring.speeds[cable.node, cable.serves if cable.serves is not None else cable.nic]
    if speed and speed < designed:
        values = {"speed": speed, "designed": designed, "cause": find_cause(speed, designed)}
        action = Action(Instruction.SLOW, (cable,), values=values)
        yield Finding("slow", (cable,), action, f"links: {cable.name} has {speed} Mb/s")
    if duplex == "half":
        action = Action(Instruction.HALF_DUPLEX, (cable,))
        yield Finding("half-duplex", (cable,), action, f"links: {cable.name} is half duplex")
