# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of one switch between which it passes no frames: port isolation, protected ports, private VLANs.

Two NICs that a third one hears, and that hear it, are on its switch. If neither of the two hears the other, the switch
keeps them apart. Example, with the ports of k00, k01 and k02 isolated on a switch of five:

    k00 hears k03 k04      k01 hears k03 k04      k02 hears k03 k04      k03, k04 hear all
    silent pairs: k00-k01, k00-k02, k01-k02       one finding, with the three NICs

If all ports are isolated, no NIC hears another, and the switch is reported as dead (fabric.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations

from .cables import JudgedCable, list_probable_groups
from .components import group_linked
from .instructions import Instruction
from .model import Finding
from .words import name_cables

Pair = tuple[JudgedCable, JudgedCable]
_OFTEN = 5  # beacons


def find_isolated(cables: Sequence[JudgedCable], unsteady: Collection[JudgedCable]) -> Iterator[Finding]:
    """One finding per set of ports that are kept apart. unsteady: cables that lose frames."""
    for group in list_probable_groups(cables).values():
        if len(group) > 2:
            pairs = find_silent_pairs([cable for cable in group if cable not in unsteady])
            yield from (report_isolated(cables, each) for each in group_linked(pairs))


def find_silent_pairs(group: list[JudgedCable]) -> Iterator[Pair]:
    """Pairs of which neither hears the other, although a third hears both and both hear it.

    Only a third NIC that was heard often counts: while people plug cables, some NICs have not heard each other yet.
    Without counts there are no pairs.
    """
    hears = {cable.mac: set(cable.hears) for cable in group}
    often = {
        cable.mac: {mac for mac, (_, sent) in cable.counts.get("received", {}).items() if sent >= _OFTEN}
        for cable in group
    }
    mutual = {own: {mac for mac in heard if own in often.get(mac, ())} for own, heard in often.items()}
    for one, other in combinations([cable for cable in group if mutual[cable.mac]], 2):
        silent = one.mac not in hears[other.mac] and other.mac not in hears[one.mac]
        if silent and mutual[one.mac] & mutual[other.mac]:
            yield one, other


def report_isolated(cables: Sequence[JudgedCable], pairs: list[Pair]) -> Finding:
    silent = {*chain(*pairs)}
    affected = [cable for cable in cables if cable in silent]
    common = set.intersection(*(set(cable.hears) for cable in affected))
    witness = next((each.name for each in cables if each.mac in common), "others")
    where = affected[0].seen or affected[0].expected
    names = name_cables(affected)
    is_each = len(pairs) == len(affected) * (len(affected) - 1) // 2
    between = names if is_each else "; ".join(f"{one.name} and {other.name}" for one, other in pairs[:3])
    evidence = f"beacons: {names} are heard by {witness} and hear it, but never each other"
    return Finding("isolated", affected, Instruction.ISOLATED, evidence, [where], values={"between": between})
