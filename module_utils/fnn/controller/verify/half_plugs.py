# SPDX-License-Identifier: GPL-3.0-or-later
"""Do both devices of a plug work, and are they on one port? Then each hears the same NICs, over the same cable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .cables import JudgedCable
from .instructions import Instruction
from .model import Finding
from .words import NOT_THERE

Observation = Mapping[str, Any]


def find_half_plugs(macs: Mapping[str, Any], observations: Mapping[str, Observation | None]) -> Iterator[Finding]:
    """One finding for each plug of which one device is missing, or whose devices are on two ports.

    observations: with what all devices heard. A plug whose first device has no carrier has a finding of its cable.
    """
    for node in macs["nodes"]:
        seen = observations.get(node["name"])
        for nic in node["nics"]:
            if "twin" in nic and seen and "heard" in seen:
                yield from _find_half_plug(node["name"], nic, seen)


def _find_half_plug(node: str, nic: Mapping[str, Any], seen: Observation) -> Iterator[Finding]:
    links = {link["mac"]: link for link in seen["links"]}
    first, second = links.get(nic["mac"]), links.get(nic["twin"]["mac"])
    if not (first and first["carrier"]):
        return
    cable = JudgedCable(node, nic["nic"], nic["twin"]["name"], nic["twin"]["mac"], present=second is not None)
    values = {"half": first["device"]}
    if second is None:
        yield Finding("half-plug", [cable], Instruction.HALF_GONE, NOT_THERE, values=values)
    elif not second["carrier"]:
        evidence = f"links: {cable.device} has no carrier, {first['device']} has"
        yield Finding("half-plug", [cable], Instruction.HALF_DOWN, evidence, values=values)
    else:
        own = {first["mac"], second["mac"]}
        heard = {each["mac"]: set(each["hears"]) - own for each in seen["heard"] if each["mac"] in own}
        if len(heard) == 2 and all(heard.values()) and not set.intersection(*heard.values()):
            evidence = f"beacons: {cable.device} hears none of the NICs that {first['device']} hears"
            yield Finding("half-plug", [cable], Instruction.HALVES_APART, evidence, values=values)
