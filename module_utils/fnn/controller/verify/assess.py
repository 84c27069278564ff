# SPDX-License-Identifier: GPL-3.0-or-later
"""From the observations to cables with a state, on which the findings rest.

observed   each NIC, as its node reports it                    observe.py
matched    which NICs share a switch, and which that is        match.py
assigned   which NIC of a node serves which of its switches    assign.py
judged     states that follow from several cables              here
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .assign import assign_cables
from .cables import JudgedCable, with_state
from .fabric import find_alone, find_dead, find_foreign, is_everything_joined
from .hearing import Pairs
from .match import match_cables
from .model import Wiring, list_cables
from .observe import Observations, Owners, find_shared_macs, keep_answers, read_cables
from .one_way import find_faulty
from .words import Evidence


@dataclass(frozen=True)
class Assessment:
    """The cables of all nodes that answered.

    scope: these nodes. shared: MACs of several NICs. known: MACs that are no strangers.
    hidden: switch -> the switch whose group contains it. one_way: pairs of which only the first hears the second.
    is_joined: beacons cannot distinguish the switches.
    """

    wiring: Wiring
    relearn: Mapping[str, Any] | None
    scope: tuple[str, ...]
    shared: Owners
    known: frozenset[str]
    cables: tuple[JudgedCable, ...]
    hidden: Mapping[str, str]
    one_way: Pairs
    evidence: Evidence
    is_joined: bool


def assess(
    wiring: Wiring,
    macs: Mapping[str, Any],
    observations: Mapping[str, Mapping[str, Any] | None],
    relearn: Mapping[str, Any] | None,
) -> Assessment:
    """Raises FnnError when macs and design disagree."""
    answers = keep_answers(wiring, observations)
    shared = find_shared_macs(answers, macs["nodes"])
    matching = match_cables(read_cables(wiring, macs, answers, shared), wiring, relearn)
    assigned = assign_cables(matching.cables, wiring)
    return judge_states(
        Assessment(
            wiring=wiring,
            relearn=relearn,
            scope=tuple(answers),
            shared=shared,
            known=list_known(macs, answers),
            cables=assigned,
            hidden=matching.hidden,
            one_way=matching.one_way,
            evidence=Evidence(assigned, relearn is not None),
            is_joined=relearn is None and is_everything_joined(wiring, assigned, matching.hidden),
        )
    )


def list_known(macs: Mapping[str, Any], answers: Observations) -> frozenset[str]:
    """The MACs of the fabric NICs, of all links of the nodes, and of their bridges and bonds."""
    links = [link for seen in answers.values() for link in seen["links"]]
    masters = [link["master"] for link in links if link.get("master")]
    bound = [nic for node in macs["nodes"] for nic in node["nics"]]
    return frozenset(each["mac"] for each in (*bound, *links, *masters))


def judge_states(assessment: Assessment) -> Assessment:
    """States that follow from several cables; the later ones rest on the earlier ones."""
    wiring, cables = assessment.wiring, assessment.cables
    if assessment.is_joined:
        return replace(
            assessment, cables=with_state(cables, {cable.key for cable in cables if cable.carrier}, "unknown")
        )
    cables = with_state(cables, set(find_alone(wiring, cables, assessment.evidence)), "unknown")
    cables = with_state(cables, find_faulty(cables, assessment.one_way), "faulty")
    dead = list_cables(find_dead(wiring, cables))
    foreign = list_cables(find_foreign(wiring, cables, assessment.known, assessment.relearn is not None))
    explained = {cable.key for cable in (*dead, *foreign)}
    silent = {
        cable.key
        for cable in cables
        if cable.state == "wrong" and cable.expected and cable.passes == "none" and cable.key not in explained
    }
    cables = with_state(cables, {cable.key for cable in dead if cable.carrier}, "unknown")
    return replace(assessment, cables=with_state(cables, silent, "faulty"))
