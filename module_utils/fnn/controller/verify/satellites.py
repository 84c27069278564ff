# SPDX-License-Identifier: GPL-3.0-or-later
"""Are the cables of the satellites in the uplink switch? The same beacons or probe as for the nodes show it.

A satellite does not show which NICs of nodes share a switch: with the uplinks in, it hears all nodes. Its beacons, sent
and heard, are therefore set aside before the nodes are checked. Then, when every switch has its name:

    uplinks out   it hears only satellites; one that hears k00 on red, or is heard there, is plugged into red
    uplinks in    the relearn probe finds no node in its group; one that shares a group with k00 is plugged into red

The head that runs the probe does not answer itself, so it is in no group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from .actions import Action
from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding, Verification
from .senders import forget_senders
from .words import NOT_THERE, name_some

Observation = Mapping[str, Any]


def set_aside(
    macs: Mapping[str, Any], observations: Mapping[str, Observation | None], relearn: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The observations and the result of the probe, without satellites."""
    theirs = {each["nics"][0]["mac"] for each in macs.get("satellites", ())}
    names = {each["name"] for each in macs.get("satellites", ())}
    kept = {node: seen for node, seen in observations.items() if node not in names}
    return forget_senders(kept, relearn, theirs)


def find_satellite_faults(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Mapping[str, Observation | None],
    relearn: Mapping[str, Any] | None,
    verification: Verification,
) -> list[Finding]:
    """One finding per satellite whose cable is not where it belongs. verification: that of the nodes."""
    return [
        finding
        for each in macs.get("satellites", ())
        for finding in _find_faults(each, SatelliteEvidence(design, observations, relearn, verification))
    ]


class SatelliteEvidence:
    """Evidence from the nodes. at: MAC -> cable of a node whose switch is known."""

    def __init__(
        self,
        design: Mapping[str, Any],
        observations: Mapping[str, Observation | None],
        relearn: Mapping[str, Any] | None,
        verification: Verification,
    ) -> None:
        self.uplink: str = design["spec"]["uplink"]["name"]
        self.colors = {each["name"]: each["color"].upper() for each in design["spec"]["switches"]}
        self.observations, self.relearn = observations, relearn
        self.at = {cable.mac: cable for cable in verification.cables if cable.seen is not None}
        self.looped = any(cable.loop for cable in verification.cables)

    def find_company(self, mac: str, hears: Iterable[str]) -> list[JudgedCable]:
        """Cables of nodes on the switch of this MAC, in the order of the design."""
        if self.relearn is not None:
            groups = [group for group in self.relearn["groups"] if mac in group]
            near = {each for group in groups for each in group}
        else:
            near = {*hears, *self._find_hearing(mac)}
        return [cable for own, cable in self.at.items() if own in near]

    def is_elsewhere(self, satellite: JudgedCable) -> bool:
        """Whether the probe reached other NICs but not this one. False for the head itself, and after a loop."""
        if self.relearn is None or self.looped or satellite.node == self.relearn.get("head"):
            return False
        return bool(self.relearn["reaches_head"]) and satellite.mac not in self.relearn["reaches_head"]

    def _find_hearing(self, mac: str) -> Iterator[str]:
        for seen in self.observations.values():
            yield from (each["mac"] for each in (seen or {}).get("heard", ()) if mac in each["hears"])


def _find_faults(satellite: Mapping[str, Any], known: SatelliteEvidence) -> Iterator[Finding]:
    nic, seen = satellite["nics"][0], known.observations.get(satellite["name"])
    if not seen or "heard" not in seen:
        return
    link = next((each for each in seen["links"] if each["mac"] == nic["mac"]), None)
    device = link["device"] if link else nic["name"]
    cable = JudgedCable(satellite["name"], 0, device, nic["mac"], present=link is not None, expected=known.uplink)
    if link is None:
        yield Finding("missing", (cable,), Action(Instruction.PUT_BACK, (cable,)), NOT_THERE)
        return
    if not link["carrier"]:
        yield Finding("missing", (cable,), Action(Instruction.PLUG, (cable,)), f"links: {device} has no carrier")
        return
    hears = [mac for each in seen["heard"] if each["mac"] == nic["mac"] for mac in each["hears"]]
    company = known.find_company(nic["mac"], hears)
    if company:
        yield _report_misplaced(replace(cable, seen=company[0].seen), company, known)
    elif known.is_elsewhere(cable):
        action = Action(Instruction.MOVE_SATELLITE_HERE, (cable,))
        yield Finding("move", (cable,), action, f"relearn probe: the head does not reach {cable.name}")


def _report_misplaced(cable: JudgedCable, company: list[JudgedCable], known: SatelliteEvidence) -> Finding:
    """company: the cables of nodes on its switch."""
    # No second switch shows that the uplink is in.
    alone = known.relearn is None and len(known.colors) == 1
    instruction = Instruction.MOVE_SATELLITE_OR_UNPLUG if alone else Instruction.MOVE_SATELLITE
    action = Action(instruction, (cable,), values={"color": known.colors[str(cable.seen)]})
    source = "beacons" if known.relearn is None else "relearn probe"
    evidence = f"{source}: {cable.name} shares a switch with {name_some([each.name for each in company])}"
    return Finding("move", (cable,), action, evidence)
