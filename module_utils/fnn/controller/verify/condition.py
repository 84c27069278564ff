# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that the NIC itself reports of its link: low speed, half duplex, an unsteady carrier, frames with errors.

A virtual NIC reports no speed and no duplex; no value is assumed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cables import JudgedCable
from .instructions import Instruction
from .model import FLAPS, Finding, Notice, Wiring

LEAST_ERRORS = 3


def find_slow(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Links below their speed. In a wrong switch, a link may be as slow as the slowest one there."""
    slowest: dict[str, int] = {}
    for key, switch in wiring.wanted.items():
        slowest[switch] = min(wiring.speeds[key], slowest.get(switch, wiring.speeds[key]))
    for cable in cables:
        if cable.serves is None or not cable.carrier:
            continue
        speed, designed = cable.facts.get("speed_mbps"), wiring.speeds[cable.node, cable.serves]
        least = slowest.get(str(cable.seen), designed) if cable.state == "wrong" else designed
        if speed and speed < min(designed, least):
            evidence = f"links: {cable.name} has {speed} Mb/s"
            cause = find_cause(speed, designed, wiring.port_speeds.get((cable.node, cable.serves)))
            values = {"speed": speed, "designed": designed, "cause": cause}
            yield Finding("slow", [cable], Instruction.SLOW, evidence, values=values)
        if cable.facts.get("duplex") == "half":
            yield Finding("half-duplex", [cable], Instruction.HALF_DUPLEX, f"links: {cable.name} is half duplex")


def find_cause(speed: int, designed: int, port: int | None = None) -> str:
    """The usual cause of a negotiated speed below that of the design, both in Mb/s.

    port: Mb/s of the designed port, where the switch also has others.
    """
    if port is not None and 100 < speed < port:
        return f"a slower port than one of {port} Mb/s"
    if speed <= 100:
        return "a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"
    if designed <= 10000:
        least = "5e" if designed <= 2500 else "6" if designed <= 5000 else "6A"
        return f"a port or module that offers no more, or a copper cable below category {least}"
    return "a cable or module made for that speed, or an end that is set to it"


def find_unsteady(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """NICs that repeatedly lost their carrier, or that counted errors, while beacons ran."""
    for cable in cables:
        losses, errors = cable.counts.get("carrier_losses", 0), cable.counts.get("errors", 0)
        if losses >= FLAPS:
            evidence = f"links: {cable.name} lost its carrier {losses} times while beacons ran"
            yield Finding("flapping", [cable], Instruction.FLAPPING, evidence)
        elif errors >= LEAST_ERRORS:
            evidence = f"links: {cable.name} counted {errors} frames with errors while beacons ran"
            yield Notice("errors", [cable], Instruction.ERRORS, evidence)
