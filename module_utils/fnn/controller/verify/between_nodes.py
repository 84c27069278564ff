# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between two nodes: a fault of one is one finding, which names both ends and no port of a switch.

Both ends of such a cable show its fault. Example, with a filter that drops all frames of cable1:

    k01 nic1 has carrier and hears nothing, k02 nic0 has carrier and hears nothing: one silent cable, not two

A node without power takes the carrier from its neighbors. If it does not answer, and no cable to it has carrier, that
is one finding about the node, not one about each cable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from .cables import JudgedCable, group_by_node
from .instructions import Instruction
from .model import Finding, Notice, Wiring, list_cables
from .words import name_cables

#: Kinds of findings that each end of a cable gets by itself.
_OF_ENDS = frozenset({"slow", "half-duplex", "flapping", "errors", "silent"})


def join_ends(findings: Iterable[Finding], cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """The findings with instructions for cables between nodes, those of both ends of a cable as one."""
    joined: dict[object, list[Finding]] = {}
    for finding in findings:
        alone = finding.kind not in _OF_ENDS or finding.cables[0].expected is None
        key = id(finding) if alone else (finding.kind, finding.cables[0].expected)
        joined.setdefault(key, []).append(finding)
    for group in joined.values():
        ends = _list_silent(group[0], cables) or list_cables(group)
        evidence = "; ".join(finding.evidence for finding in group)
        yield replace(group[0], cables=ends, evidence=evidence, is_between=True)


def _list_silent(finding: Finding, cables: Sequence[JudgedCable]) -> list[JudgedCable]:
    """Both ends of a silent cable: where two NICs hear nothing, either alone would prove nothing about the other."""
    place = finding.cables[0].expected if finding.kind == "silent" else None
    silent = [cable for cable in cables if cable.carrier and not cable.hears]
    return [cable for cable in silent if place is not None and cable.expected == place]


def find_nodes_off(wiring: Wiring, cables: Sequence[JudgedCable], unanswered: Collection[str]) -> Iterator[Finding]:
    """Nodes that gave no answer, and to which no cable has carrier. Other nodes are not at fault, so none breaks."""
    for node in (each for each in wiring.wants if wiring.direct and each in unanswered):
        places = {switch for _, switch in wiring.wants[node]}
        ends = tuple(cable for cable in cables if cable.expected in places)
        if ends and all(cable.state == "missing" and cable.present for cable in ends):
            evidence = f"links: {name_cables(ends)} have no carrier; {node} gave no answer"
            yield Notice("missing", ends, Instruction.SWITCH_ON, evidence, values={"node": node})


def list_far_ends(wiring: Wiring, cables: Iterable[JudgedCable], ends: Collection[JudgedCable]) -> list[JudgedCable]:
    """The NICs without carrier at the other ends of these cables; none where cables lead into switches."""
    places = {cable.expected for cable in ends if wiring.direct and cable.expected is not None}
    return [cable for cable in cables if cable not in ends and cable.expected in places and cable.state == "missing"]


def find_forwarded(wiring: Wiring, hearing: Sequence[JudgedCable]) -> set[str]:
    """Cables over which foreign frames arrive only because a node at one end bridges them, from another of its cables.

    hearing: the NICs that hear foreign frames.
    """
    heard = {node: {cable.seen for cable in own} for node, own in group_by_node(hearing).items()}
    return {
        str(cable.seen)
        for cable in (hearing if wiring.bridged else ())
        for other in wiring.members[str(cable.seen)]
        if other != cable.node and heard.get(other, set()) - {cable.seen}
    }
