# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cables of a cluster with its design: what is right, what is wrong, what mends it.

    observe        macs.json + what each node heard -> cables; MACs that two NICs have
    match          which NICs share a switch, and which switch that is
    assign         which NIC of a node serves which of its switches
    fabric         what is wrong with switches: joined, looped, dead, uplinked wrongly, foreign, relabeled
    faults         what is wrong with cables, explained by as few moves as possible
    condition      links that do less than they should
    damage, order  the worst first; the moves in an order that finds free ports
    coverage       what the wiring is worth as it stands

A cable that cannot be judged is unknown, never wrong: its node did not answer, nobody is left on its switch to hear
it, or the probe could not settle it. When cables to an uplink switch join everything, beacons say nothing, and the
verdict is unmeasured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assign import assign_node, find_bindings
from .condition import find_poor_links
from .coverage import Pairs, judge_as_wired
from .damage import Damage
from .fabric import (
    find_dead,
    find_foreign,
    find_joined,
    find_loops,
    find_relabeled,
    find_unknown,
    find_unsettled,
    is_everything_joined,
    tell_uplinks_in,
)
from .faults import describe_crossed, find_faults
from .match import group_by_beacons, group_by_relearn, name_groups
from .model import Cable, Finding, Judgement, Wiring
from .observe import find_duplicates, find_shared_macs, keep_answers, read_cables
from .order import order_moves
from .words import Evidence

Served = dict[str, dict[int, Cable]]  # node -> NIC of the design -> cable


def judge(
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    observations: Mapping[str, Mapping[str, Any] | None],
    relearn: Mapping[str, Any] | None = None,
    pairs: Pairs | None = None,
) -> Judgement:
    """Raises FnnError when macs and design disagree.

    observations: node -> what `fnn_links state=collect` returned.
    relearn: what the relearn probe found with the uplinks in; None: they are out, and beacons tell all.
    pairs: those that must share switches; needed for the as-wired verdict unless all must.
    """
    wiring = Wiring.of(design)
    answers = keep_answers(wiring, observations)
    shared = find_shared_macs(answers)
    cables = read_cables(wiring, macs, answers, shared)
    one_way = group_by_beacons(cables) if relearn is None else []
    if relearn is not None:
        group_by_relearn(cables, relearn)
    hidden = name_groups(cables, wiring)
    own: dict[str, list[Cable]] = {node: [] for node in answers}
    for cable in cables:
        own[cable.node].append(cable)
    served = {node: assign_node(own[node], wiring.wants[node]) for node in answers}
    evidence = Evidence(cables, relearn is not None)
    judgement = Judgement(
        "unmeasured", evidence.source, list(own), [node for node in wiring.wants if node not in own], [], cables
    )
    everything_joined = relearn is None and is_everything_joined(wiring, cables, hidden)
    if everything_joined:
        judgement.findings = [tell_uplinks_in(wiring, cables, hidden)]
    else:
        findings = list(find_unknown(wiring, cables, one_way, evidence))
        findings += find_unsettled(cables, shared)
        findings += find_duplicates(shared, cables)
        findings += find_joined(wiring, cables, hidden, evidence)
        findings += find_loops(wiring, cables, relearn)
        dead = list(find_dead(wiring, cables))
        known = {nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
        known |= {link["mac"] for seen in answers.values() for link in seen["links"]}
        foreign = list(find_foreign(wiring, cables, known, relearn is not None))
        findings += [*dead, *foreign]
        findings += find_faults(wiring, cables, hidden, evidence, [*dead, *foreign])
        findings += find_poor_links(wiring, cables)
        findings += find_relabeled(wiring, cables)
        judgement.bindings = dict(find_crossed(own, served))
        findings += [describe_crossed(node, own[node], served[node], evidence) for node in judgement.bindings]
        judgement.findings = sort_by_damage(wiring, findings)
        judgement.moves = order_moves(wiring, cables, judgement.findings)
        if not hidden and own and (wiring.covers_all or pairs is not None):
            dark = {str(finding.cables[0].expected) for finding in dead}
            judgement.as_wired = judge_as_wired(wiring, cables, judgement.moves, dark, pairs)
    judgement.verdict = find_verdict(judgement)
    judgement.must_stop = judgement.verdict == "miswired" or (
        judgement.verdict == "unmeasured" and (everything_joined or not judgement.unreachable)
    )
    return judgement


def find_crossed(own: Mapping[str, list[Cable]], served: Served) -> Iterator[tuple[str, list[str]]]:
    """Nodes whose NICs serve other switches than planned, with their MACs in the order that makes it right."""
    for node, cables in own.items():
        bindings = find_bindings(served[node], cables)
        if bindings:
            yield node, bindings


def find_verdict(judgement: Judgement) -> str:
    if any(finding.breaks for finding in judgement.findings):
        return "miswired"
    if not judgement.scope or any(finding.kind == "unknown" for finding in judgement.findings):
        return "unmeasured"
    planned = [cable for cable in judgement.cables if cable.expected is not None]
    return "match" if any(cable.state == "ok" for cable in planned) else "unmeasured"


def sort_by_damage(wiring: Wiring, findings: list[Finding]) -> list[Finding]:
    damage = Damage(wiring)
    for finding in findings:
        if finding.breaks and finding.kind in HARMING and finding.cables:
            finding.pairs_broken = damage.count_broken_pairs(finding.cables)
    return sorted(findings, key=lambda finding: (not finding.breaks, -finding.pairs_broken))


#: Kinds whose cables do not carry what they should; a slow link still connects, and so does a joined switch.
HARMING = frozenset(
    {"swap", "cycle", "move", "missing", "extra", "same-switch", "dead-switch", "shifted-node", "foreign-network"}
)
