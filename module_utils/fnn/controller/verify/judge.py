# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cables of a cluster with its design: correct cables, faults and repairs.

    observe        macs.json + observations of each node -> cables; duplicate MACs
    match          which NICs share a switch, and which switch that is
    assign         which NIC of a node serves which of its switches
    bridged        NICs in a bridge or bond of their node
    isolated       ports of one switch that are kept apart
    one_way        cables that pass frames in one direction only, or in none
    fabric, loops  faults of switches: joined, looped, dead, wrongly uplinked, foreign, relabeled
    faults         wrong cables, explained by as few moves as possible
    loss           cables that lose frames or their carrier
    condition, mtu links with low speed, half duplex or a small MTU
    unknown_frames forged and recorded frames, which are no evidence
    damage, order  findings, the worst first; moves, in an order that finds free ports

From the judgement, coverage.py computes whether the wiring as it stands still covers all pairs.

A cable that cannot be checked is unknown, never wrong: its node did not answer, no other NIC on its switch hears it, or
the probe could not place it. If cables to an uplink switch join all switches, beacons prove nothing, and the verdict is
unmeasured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assign import assign_node, find_bindings
from .bridged import closes_loop_over_uplinks, drop_explained, find_bridged
from .condition import find_poor_links
from .damage import sort_by_damage
from .fabric import (
    find_dead,
    find_foreign,
    find_joined,
    find_relabeled,
    find_unsettled,
    is_everything_joined,
    mark_unknown,
    report_uplinks_in,
)
from .faults import describe_swapped_nics, find_faults
from .isolated import find_isolated
from .loops import find_loops, report_loop_over_uplink
from .loss import find_lossy, find_unsteady, list_cables
from .match import find_uplinked, group_by_beacons, group_by_relearn, name_groups
from .model import Cable, Finding, Judgement, Wiring
from .mtu import is_proved
from .observe import find_duplicates, find_shared_macs, keep_answers, read_cables
from .one_way import find_one_way
from .order import order_moves
from .unknown_frames import find_unknown_frames
from .words import Evidence

Served = dict[str, dict[int, Cable]]  # node -> NIC of the design -> cable


def compare_with_design(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Mapping[str, Mapping[str, Any] | None],
    relearn: Mapping[str, Any] | None = None,
) -> Judgement:
    """Raises FnnError when macs and design disagree.

    observations: node -> result of `fnn_links state=collect`.
    relearn: result of the relearn probe with the uplinks in; None: they are out, and beacons are the only evidence.
    """
    assessment = Assessment(Wiring.of(design), macs, observations, relearn)
    judgement = Judgement(
        verdict="unmeasured",
        evidence=assessment.evidence.source,
        scope=list(assessment.own),
        unreachable=[node for node in assessment.wiring.wants if node not in assessment.own],
        findings=[],
        cables=assessment.cables,
    )
    judgement.is_joined = assessment.is_joined
    if assessment.is_joined:
        looped = [cable for cable in assessment.cables if cable.loop]
        if looped and not closes_loop_over_uplinks(assessment.wiring, assessment.cables):
            judgement.findings = [report_loop_over_uplink(assessment.wiring, looped, [])]
        judgement.findings += find_bridged(assessment.wiring, assessment.cables)
        judgement.findings.append(report_uplinks_in(assessment.wiring, assessment.cables, assessment.hidden))
    else:
        found = list(drop_explained(find_all(assessment), assessment.cables))
        # A node in the place of another one gets another name, under which its NICs are not swapped.
        shifted = {cable.node for finding in found if finding.kind == "shifted-node" for cable in finding.cables}
        swapped = find_swapped_nics(assessment.own, assessment.served)
        judgement.bindings = {node: macs for node, macs in swapped if node not in shifted}
        found += report_swapped_nics(assessment, judgement.bindings)
        judgement.findings = sort_by_damage(assessment.wiring, found)
        judgement.moves = order_moves(assessment.wiring, assessment.cables, judgement.findings)
    if assessment.wiring.mtu is not None:
        judgement.mtu_proved = not assessment.is_joined and is_proved(assessment.wiring, assessment.cables)
    judgement.verdict = find_verdict(judgement)
    return judgement


class Assessment:
    """Observations, matched and assigned; the findings follow from them.

    own: node -> its cables. hidden: switch -> the switch whose group contains it. is_joined: beacons cannot
    distinguish the switches. known: MACs that are no strangers.
    """

    def __init__(
        self,
        wiring: Wiring,
        macs: Mapping[str, Any],
        observations: Mapping[str, Mapping[str, Any] | None],
        relearn: Mapping[str, Any] | None,
    ) -> None:
        answers = keep_answers(wiring, observations)
        self.wiring, self.relearn = wiring, relearn
        self.shared = find_shared_macs(answers, macs["nodes"])
        self.cables = read_cables(wiring, macs, answers, self.shared)
        self.one_way = group_by_beacons(self.cables) if relearn is None else group_by_relearn(self.cables, relearn)
        self.hidden = name_groups(self.cables, wiring, find_uplinked(self.cables, relearn))
        self.own: dict[str, list[Cable]] = {node: [] for node in answers}
        for cable in self.cables:
            self.own[cable.node].append(cable)
        self.served: Served = {node: assign_node(self.own[node], wiring, node) for node in answers}
        self.evidence = Evidence(self.cables, relearn is not None)
        self.is_joined = relearn is None and is_everything_joined(wiring, self.cables, self.hidden)
        self.known = {nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
        self.known |= {link["mac"] for seen in answers.values() for link in seen["links"]}
        self.known |= {
            link["master"]["mac"] for seen in answers.values() for link in seen["links"] if link.get("master")
        }


def find_all(assessment: Assessment) -> Iterator[Finding]:
    """All findings but swapped NICs of a node. Findings that explain several cables precede those on single cables."""
    wiring, cables, evidence = assessment.wiring, assessment.cables, assessment.evidence
    # A loop saturates the links, so beacons are lost without any fault of a cable.
    looped = any(cable.loop for cable in cables)
    lossy = [*([] if looped else find_lossy(wiring, cables)), *find_unsteady(wiring, cables)]
    unsteady = list_cables(lossy)
    isolated = [] if looped else list(find_isolated(wiring, cables, unsteady))
    mark_unknown(wiring, cables, evidence)
    for finding in find_one_way(wiring, cables, assessment.one_way):
        # If a cable loses most frames, some NICs may hear it and others not.
        if finding.kind != "unknown" or not any(cable in unsteady for cable in finding.cables):
            yield finding
    yield from find_unsettled(cables, assessment.shared, [*unsteady, *list_cables(isolated)])
    yield from find_bridged(wiring, cables)
    yield from find_duplicates(assessment.shared, cables)
    yield from find_joined(wiring, cables, assessment.hidden, evidence)
    yield from find_loops(wiring, cables, assessment.relearn)
    yield from lossy
    yield from isolated
    explained = [
        *find_dead(wiring, cables),
        *find_foreign(wiring, cables, assessment.known, assessment.relearn is not None),
    ]
    yield from explained
    yield from find_faults(wiring, cables, assessment.hidden, evidence, explained)
    yield from find_poor_links(wiring, cables, unsteady)
    yield from find_unknown_frames(wiring, cables)
    yield from find_relabeled(wiring, cables)


def report_swapped_nics(assessment: Assessment, bindings: Mapping[str, list[str]]) -> Iterator[Finding]:
    for node in bindings:
        yield describe_swapped_nics(node, assessment.own[node], assessment.served[node], assessment.evidence)


def find_swapped_nics(own: Mapping[str, list[Cable]], served: Served) -> Iterator[tuple[str, list[str]]]:
    """Nodes whose NICs serve other switches than planned, with their MACs in the order that corrects it."""
    for node, cables in own.items():
        bindings = find_bindings(served[node], cables)
        if bindings:
            yield node, bindings


def add_findings(judgement: Judgement, findings: list[Finding]) -> None:
    """Appends findings that break no pair of nodes, and updates the verdict."""
    if findings and not judgement.is_joined:
        judgement.findings += findings
        judgement.verdict = find_verdict(judgement)


def find_verdict(judgement: Judgement) -> str:
    if any(finding.breaks for finding in judgement.findings):
        return "miswired"
    if not judgement.scope or judgement.has_unknown:
        return "unmeasured"
    planned = [cable for cable in judgement.cables if cable.expected is not None]
    return "match" if any(cable.state == "ok" for cable in planned) else "unmeasured"
