# SPDX-License-Identifier: GPL-3.0-or-later
"""Are the cables of the satellites in the uplink switch? The same beacons or probe as for the nodes show it.

A satellite does not show which NICs of nodes share a switch: with the uplinks in, it hears all nodes. Its beacons, sent
and heard, are therefore set aside before the nodes are checked. Then, when every switch has its name:

    uplinks out   it hears only satellites; one that hears k00 on red, or is heard there, is plugged into red
    uplinks in    the relearn probe finds no node in its group; one that shares a group with k00 is plugged into red

The head that runs the probe does not answer itself, so it is in no group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Optional

from .cables import JudgedCable
from .faults import report_missing
from .instructions import Instruction
from .model import Finding, Verification
from .observe import forget_senders, read_node
from .words import name_cables

Observations = Mapping[str, Optional[Mapping[str, Any]]]
Relearn = Optional[Mapping[str, Any]]  # result of the probe


def set_aside(
    macs: Mapping[str, Any], observations: Observations, relearn: Relearn
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The observations and the result of the probe, without satellites."""
    theirs = {each["nics"][0]["mac"] for each in macs.get("satellites", ())}
    names = {each["name"] for each in macs.get("satellites", ())}
    kept = {node: seen for node, seen in observations.items() if node not in names}
    return forget_senders(kept, relearn, theirs)


def find_satellite_faults(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Observations,
    relearn: Relearn,
    verification: Verification,
) -> Iterator[Finding]:
    """One finding per satellite whose cable is not where it belongs. verification: that of the nodes."""
    for each in macs.get("satellites", ()):
        seen = observations.get(each["name"])
        if not seen or "heard" not in seen:
            continue
        observed = next(read_node(each["name"], each["nics"], seen, {}, ()))
        cable = JudgedCable(**vars(observed), expected=design["spec"]["uplink"]["name"])
        near = list_near(cable, observations, relearn)
        company = [each for each in verification.cables if each.seen and each.mac in near]
        if not cable.carrier:
            yield report_missing([cable])
        elif company:
            yield report_misplaced(replace(cable, seen=company[0].seen), company, design, relearn)
        elif relearn is not None and is_elsewhere(cable, relearn, verification):
            evidence = f"relearn probe: the head does not reach {cable.name}"
            yield Finding("move", [cable], Instruction.MOVE_SATELLITE_HERE, evidence)


def list_near(satellite: JudgedCable, observations: Observations, relearn: Relearn) -> set[str]:
    """MACs of NICs on its switch."""
    if relearn is not None:
        return {mac for group in relearn["groups"] if satellite.mac in group for mac in group}
    heard = [each for seen in observations.values() if seen for each in seen.get("heard", ())]
    return {*satellite.hears, *(each["mac"] for each in heard if satellite.mac in each["hears"])}


def is_elsewhere(satellite: JudgedCable, relearn: Mapping[str, Any], verification: Verification) -> bool:
    """Whether the probe reached other NICs but not this one. False for the head itself, and after a loop."""
    if satellite.node == relearn.get("head") or any(cable.loop for cable in verification.cables):
        return False
    return bool(relearn["reaches_head"]) and satellite.mac not in relearn["reaches_head"]


def report_misplaced(
    cable: JudgedCable, company: Sequence[JudgedCable], design: Mapping[str, Any], relearn: Relearn
) -> Finding:
    """company: the cables of nodes on its switch."""
    colors = {each["name"]: each["color"].upper() for each in design["spec"]["switches"]}
    # No second switch shows that the uplink is in.
    alone = relearn is None and len(colors) == 1
    instruction = Instruction.MOVE_SATELLITE_OR_UNPLUG if alone else Instruction.MOVE_SATELLITE
    source = "beacons" if relearn is None else "relearn probe"
    evidence = f"{source}: {cable.name} shares a switch with {name_cables(company)}"
    return Finding("move", [cable], instruction, evidence, values={"color": colors[str(cable.seen)]})
