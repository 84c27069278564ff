# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cables of a cluster with its design: correct cables, faults and repairs.

    assess         the cables, each with the switch it leads to, the switch it should lead to, and its state
    bridged        NICs in a bridge or bond of their node
    one_way        cables that pass frames in one direction only, or in none; ports of one switch that are kept apart
    fabric, loops  faults of switches: joined, looped, dead, wrongly uplinked, foreign, relabeled; forged or
                   recorded frames, which are no evidence
    faults         wrong cables, explained by as few moves as possible
    between_nodes  cables that lead from node to node: one finding for both ends
    loss           cables that lose frames
    condition      links whose NIC reports low speed, half duplex, an unsteady carrier or errors
    mtu            links with a small MTU
    damage, order  findings, the worst first; moves, in an order that finds free ports

From the result, coverage.py computes whether the wiring as it stands still covers all pairs.

A cable that cannot be checked is unknown, never wrong: its node did not answer, no other NIC on its switch hears it, or
the probe could not place it. If cables to an uplink switch join all switches, beacons prove nothing, and the verdict is
unmeasured.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import bridged, condition, fabric, loops, loss, mtu, observe, one_way
from .assess import Assessment, assess
from .assign import find_bindings
from .between_nodes import find_nodes_off, join_ends
from .cables import JudgedCable, group_by_node, with_state
from .damage import sort_by_damage
from .faults import find_faults, report_swapped_nics
from .instructions import Instruction
from .model import Finding, Verification, Wiring, list_cables
from .order import order_moves


def compare_with_design(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Mapping[str, Mapping[str, Any] | None],
    relearn: Mapping[str, Any] | None = None,
    unanswered: Collection[str] = (),
) -> Verification:
    """Raises FnnError when macs and design disagree.

    observations: node -> result of `fnn_links state=collect`.
    relearn: result of the relearn probe with the uplinks in; None: they are out, and beacons are the only evidence.
    unanswered: nodes that were asked and gave no answer. Others without observations were not asked.
    """
    assessment, *others = assess(Wiring.from_design(design), macs, observations, relearn)
    wiring, cables, is_joined = assessment.wiring, assessment.cables, assessment.is_joined
    verification = Verification(
        evidence=assessment.evidence.source,
        scope=assessment.scope,
        unreachable=tuple(node for node in wiring.wants if node not in assessment.scope),
        cables=cables,
        is_joined=is_joined,
        mtu_proved=None if wiring.mtu is None else not is_joined and mtu.is_proved(wiring, cables),
    )
    if is_joined:
        return replace(verification, findings=tuple(find_on_joined_switches(assessment)))
    found, bindings = find_all(assessment, unanswered)
    moves, findings = order_moves(wiring, cables, sort_by_damage(wiring, found))
    for other in others:
        findings, open_cables = join_alternatives(findings, find_all(other, unanswered)[0])
        cables = with_state(cables, {cable.key for cable in open_cables}, "unknown")
        bindings = {node: macs for node, macs in bindings.items() if node not in {each.node for each in open_cables}}
    return replace(verification, findings=findings, moves=moves, bindings=bindings, cables=cables)


def find_all(assessment: Assessment, unanswered: Collection[str]) -> tuple[list[Finding], dict[str, list[str]]]:
    """All findings, and the MACs of nodes with swapped NICs."""
    cables = assessment.cables
    found = list(bridged.drop_explained(find_on_separate_switches(assessment, unanswered), cables))
    found = list(join_ends(found, cables)) if assessment.wiring.direct else found
    bindings = find_swapped_nics(cables, found)
    return [*found, *(report_swapped_nics(node, cables, assessment.evidence) for node in bindings)], bindings


def join_alternatives(
    findings: tuple[Finding, ...], others: Sequence[Finding]
) -> tuple[tuple[Finding, ...], tuple[JudgedCable, ...]]:
    """The findings of two explanations that cost the same: what only one of them says is one finding, which accuses no
    cable alone. Also returns the cables of that finding."""
    mine = [each for each in findings if identify(each) not in map(identify, others)]
    theirs = [each for each in others if identify(each) not in map(identify, findings)]
    if not mine or not theirs or not any(each.breaks for each in (*mine, *theirs)):
        return findings, ()
    cables = {cable.key: cable for each in (*theirs, *mine) for cable in each.cables}
    choices = tuple(tuple(each.action for each in side) for side in (mine, theirs))
    evidence = "; ".join(dict.fromkeys(each.evidence for each in (*mine, *theirs)))
    either = Finding("either", tuple(cables.values()), Instruction.EITHER, evidence, choices=choices)
    return (either, *(each for each in findings if each not in mine)), tuple(cables.values())


def identify(finding: Finding) -> Hashable:
    return finding.kind, frozenset(cable.key for cable in finding.cables)


def find_on_joined_switches(assessment: Assessment) -> Iterator[Finding]:
    wiring, cables = assessment.wiring, assessment.cables
    looped = [cable for cable in cables if cable.loop]
    if looped and not bridged.closes_loop_over_uplinks(wiring, cables):
        yield loops.report_loop_over_uplink(wiring, looped, [])
    yield from bridged.find_bridged(wiring, cables)
    yield from fabric.find_dead(assessment.explanation, cables)
    yield fabric.report_uplinks_in(wiring, cables, assessment.explanation.hidden)


def find_on_separate_switches(assessment: Assessment, unanswered: Collection[str]) -> Iterator[Finding]:
    """All findings but swapped NICs of a node. Findings that explain several cables precede those on single cables."""
    wiring, cables, evidence = assessment.wiring, assessment.cables, assessment.evidence
    # A loop saturates the links, so beacons are lost without any fault of a cable.
    looped = any(cable.loop for cable in cables)
    lossy = [
        *([] if looped else loss.find_lossy(cables)),
        *condition.find_unsteady(cables),
        *fabric.find_moved_meanwhile(cables),
    ]
    unsteady = list_cables(lossy)
    kept_apart = [] if looped else list(one_way.find_isolated(cables, unsteady))
    for finding in one_way.find_one_way(cables, assessment.one_way):
        # If a cable loses most frames, some NICs may hear it and others not.
        if finding.kind != "unknown" or not any(cable in unsteady for cable in finding.cables):
            yield finding
    if not looped:  # a loop stops the probe
        yield from fabric.find_unsettled(cables, [*unsteady, *list_cables(kept_apart)])
    yield from bridged.find_bridged(wiring, cables)
    yield from observe.find_duplicates(assessment.shared, cables)
    yield from fabric.find_joined(wiring, cables, assessment.explanation.hidden, evidence)
    yield from loops.find_loops(wiring, cables, assessment.relearn)
    yield from lossy
    yield from kept_apart
    explained = [
        *fabric.find_dead(assessment.explanation, cables),
        *fabric.find_split(wiring, cables),
        *fabric.find_echoes(cables),
        *find_nodes_off(wiring, cables, unanswered),
        *fabric.find_foreign(wiring, cables, assessment.relearn is not None),
    ]
    yield from explained
    yield from find_faults(wiring, cables, assessment.explanation.hidden, evidence, explained)
    yield from fabric.find_tagged(cables)
    yield from condition.find_slow(wiring, cables)
    yield from mtu.find_mtu_faults(wiring, cables, unsteady)
    yield from fabric.find_unknown_frames(cables)
    yield from fabric.find_relabeled(wiring, cables)


def find_swapped_nics(cables: Iterable[JudgedCable], found: Iterable[Finding]) -> dict[str, list[str]]:
    """Nodes whose NICs serve other switches than planned, with their MACs in the order that corrects it.

    found: all other findings. A node in the place of another one gets another name, under which its NICs are not
    swapped.
    """
    shifted = {cable.node for finding in found if finding.kind == "shifted-node" for cable in finding.cables}
    bindings = {node: find_bindings(own) for node, own in group_by_node(cables).items() if node not in shifted}
    return {node: macs for node, macs in bindings.items() if macs}
