# SPDX-License-Identifier: GPL-3.0-or-later
"""All pairs of kinds of faults on the committed designs: no innocent is accused, and no cause stays unnamed.

Pairs of faults are drawn by lot where there are very many; the seed is in the message of a failure. FNN_FAULT_SEED sets
another, FNN_FAULT_PAIRS how many pairs of faults are tried of each pair of kinds.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from physical_faults import KINDS, Explanations, Faults, Tally, cause_all, is_possible, list_faults_of_answer
from wirings import Cluster

SEED = int(os.environ.get("FNN_FAULT_SEED", "1"))
PAIRS = os.environ.get("FNN_FAULT_PAIRS")
#: Design -> pairs of faults of each pair of kinds.
DESIGNS = {"lab": 2, "eight": 1, "machines": 1}


def make_faults(root: Path, name: str) -> Faults:
    design: dict[str, Any] = read_json(root / "inventory" / name / "design.json")
    return Faults(design, random.Random(SEED))


def check(tally: Tally) -> None:
    wrong = [each for group in tally.wrong.values() for each in group]
    listed = "\n".join(wrong[:20])
    assert not wrong, f"seed {SEED}, {len(wrong)} of {sum(tally.tried.values())}:\n{tally.format_table()}\n{listed}"
    assert sum(tally.tried.values()) > len(KINDS)


def test_faults_that_look_the_same_have_one_sign_and_others_another(root: Path) -> None:
    """A pulled plug and no power look the same on one cable only."""
    faults = make_faults(root, "lab")
    known = Explanations(faults, ("unplugged", "switch without power", "hung switch"))
    off, hung = (faults.list(kind)[0] for kind in ("switch without power", "hung switch"))
    out = faults.list("unplugged")[0]
    assert known.find(cause_all(faults.design, [off, out])) == [(off,)]
    assert [set(each) for each in known.find(cause_all(faults.design, [hung, out]))] == [{hung, out}]
    assert known.find(Cluster(faults.design)) == [()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_fault_is_named_and_no_innocent_is_accused(root: Path, kind: str) -> None:
    faults = make_faults(root, "eight")
    for fault in faults.list(kind)[:40]:
        cluster = cause_all(faults.design, [fault])
        if is_possible(faults, cluster):
            assert list_faults_of_answer([fault], cluster.judge(), faults.on) == [], str(fault)


@pytest.mark.parametrize("name", DESIGNS)
def test_drawn_pairs_of_faults_are_named_and_no_innocent_is_accused(root: Path, name: str) -> None:
    tally = Tally()
    tally.try_kinds(make_faults(root, name), int(PAIRS or DESIGNS[name]))
    check(tally)
