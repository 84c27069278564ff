# SPDX-License-Identifier: GPL-3.0-or-later
"""From the observations to cables with a state, on which the findings rest.

observed    each NIC, as its node reports it                    observe.py
grouped     which NICs share a switch                           hearing.py
explained   which switch that is, and what is dead or split     explain.py
assigned    which NIC of a node serves which of its switches    assign.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..twins import list_second_macs
from .assign import assign_cables
from .cables import JudgedCable, with_state
from .explain import Explanation, explain
from .fabric import is_everything_joined
from .hearing import Pairs, group_cables
from .model import Wiring
from .observe import Owners, find_shared_macs, forget_senders, keep_answers, read_cables
from .one_way import find_faulty
from .words import Evidence


@dataclass(frozen=True)
class Assessment:
    """The cables of all nodes that answered.

    scope: these nodes. shared: MACs of several NICs.
    one_way: pairs of which only the first hears the second. is_joined: beacons cannot distinguish the switches.
    """

    wiring: Wiring
    relearn: Mapping[str, Any] | None
    scope: tuple[str, ...]
    shared: Owners
    cables: tuple[JudgedCable, ...]
    explanation: Explanation
    one_way: Pairs
    evidence: Evidence
    is_joined: bool


def assess(
    wiring: Wiring,
    macs: Mapping[str, Any],
    observations: Mapping[str, Mapping[str, Any] | None],
    relearn: Mapping[str, Any] | None,
) -> Iterator[Assessment]:
    """One for each explanation. Raises FnnError when macs and design disagree."""
    answers, relearn = forget_senders(keep_answers(wiring, observations), relearn, list_second_macs(macs))
    shared = find_shared_macs(answers, macs["nodes"])
    observed = read_cables(wiring, macs, answers, shared)
    grouping = group_cables(observed, relearn)
    for explanation in explain(observed, grouping, wiring):
        cables = assign_cables(observed, grouping, wiring, explanation)
        joined = relearn is None and is_everything_joined(wiring, cables, explanation.hidden)
        if joined:
            cables = with_state(cables, {cable.key for cable in cables if cable.carrier}, "unknown")
        else:
            cables = with_state(cables, find_faulty(cables, grouping.one_way), "faulty")
        evidence = Evidence(cables, relearn is not None)
        yield Assessment(
            wiring, relearn, tuple(answers), shared, cables, explanation, grouping.one_way, evidence, joined
        )
