# SPDX-License-Identifier: GPL-3.0-or-later
"""NICs that a node has made ports of a bridge or members of a bond.

A bridge over NICs on RED and BLUE forwards between them, so all NICs of RED hear those of BLUE. It looks like a cable
between the two switches, but there is none. The bridge ports show the difference: each hears frames from its own cable,
never those that its bridge sends. The port on RED hears exactly the NICs on RED. Example, with k03's NICs in a bridge:

    k00.0 (RED)   hears k01.0 k02.0 k03.0, and k04.0 k05.0 of BLUE over the bridge
    k03.0 (port)  hears k00.0 k01.0 k02.0          k03.1 (port)  hears k04.0 k05.0
    so k00.0 and k04.0 hear each other over k03, and share no switch
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import TypeVar

from .cables import JudgedCable, ObservedCable
from .components import group_linked
from .instructions import Instruction
from .model import Finding, Wiring
from .words import name_cables

AnyCable = TypeVar("AnyCable", bound=ObservedCable)

#: Kind of a master -> what a person has to do with several NICs of one.
_RELEASE = {"bond": Instruction.UNBOND, "bridge": Instruction.UNBRIDGE}


def group_by_master(cables: Iterable[AnyCable]) -> list[list[AnyCable]]:
    """The NICs of each bridge or bond of a node."""
    groups: dict[tuple[str, str], list[AnyCable]] = defaultdict(list)
    for cable in cables:
        master = cable.facts.get("master")
        if master:
            groups[cable.node, master["name"]].append(cable)
    return list(groups.values())


def find_heard_over_bridges(cables: Iterable[ObservedCable]) -> set[tuple[str, str]]:
    """(MAC that hears, MAC that is heard): NICs that hear each other only because a node forwards between them."""
    over: set[tuple[str, str]] = set()
    for ports in group_by_master(cables):
        for one, other in combinations(ports, 2):
            here, there = set(one.hears) - {other.mac}, set(other.hears) - {one.mac}
            across = product(here - there, there - here)
            over.update(pair for near, far in across for pair in ((near, far), (far, near)))
    return over


def find_bridged(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """One finding per bridge or bond. A single NIC in one joins no switches, but has no address of its own."""
    for group in group_by_master(cables):
        master, several = group[0].facts["master"], len(group) > 1
        one = Instruction.UNBOND_ONE if master["kind"] == "bond" else Instruction.TAKE_OUT_ONE
        instruction = _RELEASE.get(master["kind"], Instruction.TAKE_OUT) if several else one
        switches = wiring.sort_switches({each.expected for each in group if each.expected})
        evidence = f"links: the master of {name_cables(group)} is the {master['kind']} {master['name']}"
        yield Finding("bridged", group, instruction, evidence, switches, breaks=several, values=master)


def drop_explained(findings: Iterable[Finding], cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """All findings but the unexpected cables, loops and duplicate MACs that bridges and bonds of nodes explain."""
    groups = [group for group in group_by_master(cables) if len(group) > 1]
    closed = closes_loop(groups)
    for finding in findings:
        joined = {cable.group for cable in finding.cables}
        if not (
            (finding.kind == "duplicate-mac" and any(set(finding.cables) <= set(group) for group in groups))
            or (finding.kind == "switches-joined" and any(joined & {each.group for each in group} for group in groups))
            or (finding.kind == "loop" and closed)
        ):
            yield finding


def closes_loop_over_uplinks(wiring: Wiring, cables: Sequence[JudgedCable]) -> bool:
    """Whether a bridge of a node joins two switches that the uplink switch already joins."""
    groups = [group for group in group_by_master(cables) if group[0].facts["master"]["kind"] == "bridge"]
    return closes_loop(groups, wiring.uplinks)


def closes_loop(groups: list[list[JudgedCable]], uplinked: Iterable[str] = ()) -> bool:
    """Whether the bridges close a loop by themselves: a second path between two switches, or back to the same.

    uplinked: switches that are already joined.
    """
    links = [(one.expected, other.expected) for group in groups for one, other in zip(group, group[1:])]
    switches: list[str | None] = [*uplinked]
    return any(len(each) >= len({*chain(*each)}) for each in group_linked([*links, *zip(switches, switches[1:])]))
