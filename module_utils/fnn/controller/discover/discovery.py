# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a discovery over management: macs.json, and findings for MACs that are duplicate, gone or new, and for
names that have changed.

    duplicate-mac   several NICs have it; it gets no new binding, and the play fails
    vanished-mac    its NIC is gone; until another NIC takes its place the entry stays, and the play fails
    new-mac         a NIC that its node did not have at the previous discovery
    renamed-nic     a NIC that kept its MAC and its place, and has another name

The first discovery of a node reports no new MACs. Findings have the shape of those of verify, and its wording where it
has one: a NIC's `expected` is the switch its cable belongs to, and `seen` is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import FnnError, Problem, count
from ..segments import name_joints
from ..verify.cables import JudgedCable
from ..verify.damage import sort_by_damage
from ..verify.document import format_finding
from ..verify.instructions import Instruction
from ..verify.model import Finding, Notice, Wiring
from ..verify.observe import find_duplicates
from ..verify.show import describe_finding
from ..verify.words import NOT_THERE, name_some
from .bind import NICS, Binding, Observation, Place, bind_macs
from .renamed import list_renamed, write_names


@dataclass(frozen=True)
class Discovery:
    """macs, document: macs.json and discovery.json. report: the findings as text, and how many MACs are bound."""

    macs: dict[str, Any]
    document: dict[str, Any]
    report: list[str]

    @property
    def must_stop(self) -> bool:
        return any(finding["breaks"] for finding in self.document["findings"])


def discover(
    design: Mapping[str, Any],
    old: Mapping[str, Any] | None,
    observations: Mapping[str, Observation | None],
    variable: str = NICS,
) -> Discovery:
    """old: the earlier macs.json. variable: that of the inventory which describes the NICs.

    Raises FnnError for problems that must be solved first, as in the inventory.
    """
    binding = bind_macs(design, old, observations, variable)
    wiring = Wiring.from_design(design)
    known = DiscoveryEvidence(wiring, binding, old)
    findings = sort_by_damage(wiring, [*find_all(known), *find_renamed(design, known, variable)])
    if binding.problems:
        breaking = [Problem(finding.kind, finding.describe(wiring.colors)) for finding in findings if finding.breaks]
        raise FnnError([*binding.problems, *breaking])
    document = {
        "format": "fnn-discovery",
        "version": 1,
        "cluster": design["cluster"],
        "unreachable": binding.silent,
        "findings": [format_finding(finding, wiring.colors) for finding in findings],
    }
    joints = name_joints(design["spec"])
    lines = [line for finding in document["findings"] for line in describe_finding(finding, joints)]
    return Discovery(binding.macs, document, [*lines, count_bound(design, binding.macs)])


def count_bound(design: Mapping[str, Any], macs: Mapping[str, Any]) -> str:
    bound = sum(len(node["nics"]) for node in macs["nodes"])
    return f"macs.json: has the MACs of {bound} of {count(sum(len(n['nics']) for n in design['spec']['nodes']), 'NIC')}"


class DiscoveryEvidence:
    """The evidence of the findings. at_home: MAC -> "node device" of the NIC that has it now. was_known: nodes that
    were discovered before."""

    def __init__(self, wiring: Wiring, binding: Binding, old: Mapping[str, Any] | None) -> None:
        self.wiring, self.binding = wiring, binding
        self.was_known = {node["name"] for node in (old or {"nodes": []})["nodes"]}
        self.expected = {(node, nic): switch for node, wants in wiring.wants.items() for nic, switch in wants}
        self.at_home = {
            place.link["mac"]: f"{node} {place.link['device']}"
            for node, places in binding.places.items()
            for place in places
            if place.link and not place.shared
        }

    def make_cable(self, node: str, nic: int, device: str, mac: str) -> JudgedCable:
        return JudgedCable(node, nic, device, mac, expected=self.expected.get((node, nic)))

    def list_cables(self) -> list[JudgedCable]:
        """Every NIC that has a place; those of silent nodes are from macs.json."""
        known = [
            self.make_cable(node["name"], nic["nic"], nic["name"], nic["mac"])
            for node in self.binding.macs["nodes"]
            for nic in node["nics"]
            if node["name"] in self.binding.silent
        ]
        here = [
            self.make_cable(node, place.index, place.link["device"], place.link["mac"])
            for node, places in self.binding.places.items()
            for place in places
            if place.link
        ]
        return [*known, *here]


def find_all(known: DiscoveryEvidence) -> Iterator[Finding]:
    cables, shared = known.list_cables(), dict(known.binding.shared)
    for names in find_names_of_one_machine(known.binding):
        yield report_one_machine(names, cables)
        for cable in cables:
            if cable.node in names:
                shared.pop(cable.mac, None)
    for mac, owners in sorted(shared.items()):
        if len(owners) == 2 and owners[0][0] in known.binding.silent:
            yield report_moved(mac, owners, cables)
            del shared[mac]
    yield from find_duplicates(shared, cables)
    for node, places in known.binding.places.items():
        for place in places:
            yield from find_changes(known, node, place)


# --- One MAC, several NICs ---


def find_names_of_one_machine(binding: Binding) -> list[list[str]]:
    """Groups of nodes that report the same MACs, two or more: their names reach one machine."""
    nodes: dict[frozenset[str], list[str]] = {}
    for node, places in binding.places.items():
        macs = frozenset(place.link["mac"] for place in places if place.link)
        if len(macs) > 1:
            nodes.setdefault(macs, []).append(node)
    return [names for names in nodes.values() if len(names) > 1]


def report_one_machine(names: list[str], cables: list[JudgedCable]) -> Finding:
    concerned = tuple(cable for cable in cables if cable.node in names)
    macs = sorted({cable.mac for cable in concerned})
    evidence = f"links: {name_some(names)} report the same MACs, {name_some(macs)}"
    values = {"nodes": tuple(names)}
    return Finding("duplicate-mac", concerned, Instruction.SEPARATE_NAMES, evidence, values=values)


def report_moved(mac: str, owners: list[tuple[str, str]], cables: list[JudgedCable]) -> Finding:
    """A MAC that a silent node had before: perhaps no duplicate, but a NIC that was moved from there."""
    (silent, before), (node, device) = owners
    values = {"mac": mac, "silent": silent, "before": before, "node": node, "device": device}
    concerned = tuple(cable for owner in owners for cable in cables if (cable.node, cable.device) == owner)
    evidence = f"links: {mac} is the address of {node} {device}; macs.json: of {silent} {before}"
    return Finding("duplicate-mac", concerned, Instruction.WAKE_OWNER, evidence, values=values)


# --- Gone and new ---


def find_changes(known: DiscoveryEvidence, node: str, place: Place) -> Iterator[Finding]:
    """The findings for one NIC of the design: vanished, new, or both."""
    link, before = place.link, place.before
    if before and not place.has_stayed and not place.shared:
        cable = known.make_cable(node, place.index, before["name"], before["mac"])
        now = known.at_home.get(before["mac"])
        evidence = NOT_THERE + (f", {now} has it" if now else "")
        if place.second and link is None:
            evidence += f"; {place.second['device']}, the other half of its plug, is there"
        if link is None:
            yield Finding("vanished-mac", (cable,), Instruction.PUT_BACK, evidence)
        else:
            values = {"device": link["device"], "mac": link["mac"]}
            keep = Instruction.KEEP_REPLACEMENT
            yield Notice("vanished-mac", (cable,), keep, evidence, values=values)
    if link and place.second is None and before and "twin" in before:
        gone = before["twin"]
        cable = known.make_cable(node, place.index, gone["name"], gone["mac"])
        values = {"half": link["device"]}
        yield Finding("vanished-mac", (cable,), Instruction.HALF_GONE, NOT_THERE, values=values)
    if link and place.is_new and node in known.was_known:
        cable = known.make_cable(node, place.index, link["device"], link["mac"])
        instruction = Instruction.PLUG_NEW if cable.expected else Instruction.LEAVE_NEW
        evidence = f"links: macs.json has no NIC with this MAC in {node}"
        yield Notice("new-mac", (cable,), instruction, evidence)


def find_renamed(design: Mapping[str, Any], known: DiscoveryEvidence, variable: str) -> Iterator[Finding]:
    """One finding for each node whose NICs have other names than before, or than in the inventory."""
    for node in design["spec"]["nodes"]:
        places = known.binding.places.get(node["name"], ())
        line, moved = write_names(node, places, variable), list_renamed(places)
        named = [place for place in places if place.link and place.has_stayed] if line else moved
        cables = tuple(
            known.make_cable(node["name"], place.index, place.link["device"], place.link["mac"])
            for place in named
            if place.link
        )
        if not cables:
            continue
        names = [f"NIC {place.index} was {place.before['name']}" for place in moved if place.before]
        evidence = f"links: {', '.join(names) or 'the names of the inventory are those of other NICs, or of none'}"
        instruction = Instruction.CORRECT_NAMES if line else Instruction.KEEP_PLACES
        yield Notice("renamed-nic", cables, instruction, evidence, values={"line": line})
