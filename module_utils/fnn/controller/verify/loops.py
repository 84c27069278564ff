# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops, and uplink cables that are missing, doubled, or in the wrong switch.

With the uplinks out, a loop is where NICs hear themselves. With the uplinks in, a looping broadcast returns to all NICs
over the uplink switch, so the place of the loop is not known: two cables from RED to the uplink switch look like one
cable from GREEN to GREEN. Only switches without an uplink are known not to be part of it. If there is one, its missing
cable is the surplus cable of another switch. A node that bridges two NICs also closes a loop over the uplink switch;
then the bridge is the finding, and no uplink is accused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .bridged import closes_loop_over_uplinks
from .cables import JudgedCable, list_groups
from .hearing import find_reaching
from .instructions import Instruction
from .model import Finding, Wiring
from .words import name_cables


def find_loops(wiring: Wiring, cables: Sequence[JudgedCable], relearn: Mapping[str, Any] | None) -> Iterator[Finding]:
    """One finding per switch, or a single one when the loop may lead over the uplink switch."""
    lacking = {} if relearn is None else find_without_uplink(wiring, cables, relearn)
    over = [cable for cable in cables if cable.loop and cable.seen not in lacking]
    groups = {cable.group for cable in over}
    is_spread = relearn is not None and (None in groups or len(groups) > 1)
    if is_spread and not closes_loop_over_uplinks(wiring, cables):
        yield report_loop_over_uplink(wiring, over, list(lacking))
        return
    for switch, group in lacking.items():
        evidence = f"relearn probe: the head hears no NIC on {wiring.color(switch)}"
        yield Finding("uplink-wrong", group[:1], Instruction.PLUG_UPLINK, evidence, [switch])
    if not is_spread:
        yield from map(report_loop, list_groups(cable for cable in cables if cable.loop).values())


def report_loop(group: list[JudgedCable]) -> Finding:
    switches = group[0].among
    instruction = Instruction.PULL_LOOP if switches else Instruction.PULL_LOOP_OF
    return Finding("loop", group, instruction, describe_loop_evidence(group), switches)


def describe_loop_evidence(cables: Sequence[JudgedCable]) -> str:
    verb = "hears itself" if len(cables) == 1 else "hear themselves"
    return f"beacons: {name_cables(cables)} {verb}"


def find_without_uplink(
    wiring: Wiring, cables: Sequence[JudgedCable], relearn: Mapping[str, Any]
) -> dict[str, list[JudgedCable]]:
    """Switch that should have an uplink -> its cables, none of which reaches the head. Empty if no NIC reaches it."""
    reaching = find_reaching(cables, relearn)
    reached = {cable.seen for cable in cables if cable.mac in reaching}
    groups = {str(group[0].seen): group for group in list_groups(cables).values() if len(group) > 1}
    lacking = wiring.uplinks - reached if reaching else set()
    return {switch: groups[switch] for switch in wiring.sort_switches(set(lacking)) if switch in groups}


def report_loop_over_uplink(wiring: Wiring, affected: list[JudgedCable], lacking: list[str]) -> Finding:
    """With the uplinks in, a looping broadcast returns to all NICs, so the place of the loop is not known."""
    reached = {each for cable in affected for each in (cable.among or (str(cable.expected),))} & set(wiring.members)
    joined = [each for each in wiring.sort_switches(reached) if each not in lacking]
    evidence = describe_loop_evidence(affected)
    if not lacking:
        return Finding("uplink-wrong", affected, Instruction.PULL_SECOND_UPLINK, evidence, joined)
    evidence = f"{evidence}; the head hears no NIC on {wiring.list_colors(lacking, ' and ')}"
    return Finding("uplink-wrong", affected, Instruction.MOVE_UPLINK, evidence, joined, lacking)
