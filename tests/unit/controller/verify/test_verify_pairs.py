# SPDX-License-Identifier: GPL-3.0-or-later
"""All pairs of kinds of faults on the committed designs: no innocent is accused, and no cause stays unnamed.

Pairs of faults are drawn by lot where there are very many; the seed is in the message of a failure. FNN_FAULT_SEED sets
another, FNN_FAULT_PAIRS how many pairs of faults are tried of each pair of kinds.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.segments import show_cables
from ansible.module_utils.fnn.controller.verify.model import Verification
from physical_faults import KINDS, Explanations, Fault, Faults, Tally, cause_all, is_possible, list_faults_of_answer
from wirings import Cluster, Key, names

SEED = int(os.environ.get("FNN_FAULT_SEED", "1"))
PAIRS = os.environ.get("FNN_FAULT_PAIRS")
#: Design -> pairs of faults of each pair of kinds.
DESIGNS = {"lab": 2, "eight": 1, "machines": 1}


def make_faults(root: Path, name: str) -> Faults:
    design: dict[str, Any] = read_json(root / "inventory" / name / "design.json")
    return Faults(show_cables(design), random.Random(SEED))


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


@pytest.mark.parametrize("name", ["lab", "eight"])
def test_a_cable_that_receives_nothing_and_was_moved_in_the_run_stays(root: Path, name: str) -> None:
    """NICs of two switches heard it, so it is in neither group, and no cable has to move."""
    faults, tally = make_faults(root, name), Tally()
    receives_nothing = {fault.cables: fault for fault in faults.list("carries nothing to the node")}
    for moved in faults.list("moved meanwhile"):
        tally.try_pair(faults, (receives_nothing[moved.cables], moved))
    check(tally)


def test_a_cable_that_sends_nothing_shows_that_another_was_moved_away(root: Path) -> None:
    """Where two NICs are on a switch, it hears one that is not there any more, and that never heard it."""
    faults, tally = make_faults(root, "machines"), Tally()
    for mute, moved in product(faults.list("carries nothing to the switch"), faults.list("moved meanwhile")):
        if mute.cables != moved.cables:
            tally.try_pair(faults, (mute, moved))
    check(tally)


# --- Cables between nodes ---

#: Kinds that a cable between two nodes can have, but swaps and cycles: those may also be renamed NICs of a node.
BETWEEN = (
    *("unplugged", "silent port", "carries nothing to the switch", "carries nothing to the node", "node off"),
    *("foreign network", "renamed NICs", "echoing device", "tagged port"),
)


def list_ends(faults: Faults, fault: Fault) -> set[Key]:
    """Both ends of the cables of a fault, or of its node."""
    keys = [*fault.cables, *(key for key in faults.cables if fault.kind == "node off" and key[0] in fault.nodes)]
    return {end for key in keys for end in faults.on[faults.cables[key]]}


def pull_far_ends(cluster: Cluster) -> None:
    """A NIC has carrier only if there is a device at the other end of its cable."""
    ends = Counter(place for key, place in cluster.plugs.items() if key[0] not in cluster.silent)
    for key, place in cluster.plugs.items():
        if ends[place] == 1 and place not in cluster.houses | cluster.echoing:
            cluster.plugs[key] = None


def list_unnamed(faults: Faults, pair: Iterable[Fault], verification: Verification) -> list[str]:
    """Faults of which no finding names an end."""
    unnamed = []
    for fault in pair:
        found = [each for each in verification.findings if each.kind in (*fault.names, "either")]
        # A cable that carries nothing in one direction, and whose other NIC sends nothing, is silent.
        found += [each for each in verification.findings if each.kind == "silent" and "one-way" in fault.names]
        if fault.names and not any(names(each) & list_ends(faults, fault) for each in found):
            unnamed.append(f"{fault} is not named")
    return unnamed


@pytest.mark.parametrize("name", ["ring", "mesh", "star"])
def test_drawn_pairs_of_faults_of_cables_between_nodes_are_named(root: Path, name: str) -> None:
    faults = make_faults(root, name)
    tried = 0
    for kinds in combinations_with_replacement(BETWEEN, 2):
        for pair in faults.draw(*kinds, int(PAIRS or 3)) if all(map(faults.list, kinds)) else ():
            cluster = cause_all(faults.design, pair)
            if not is_possible(faults, cluster) or list_ends(faults, pair[0]) & list_ends(faults, pair[1]):
                continue  # one fault hides the other
            pull_far_ends(cluster)
            verification = cluster.judge()
            both = [(each, list_ends(faults, each)) for each in pair]
            whole = [
                replace(each, cables=(*ends,), moves=frozenset(ends if each.moves else ()), names=frozenset())
                for each, ends in both
            ]
            problems = list_faults_of_answer(whole, verification, faults.on) + list_unnamed(faults, pair, verification)
            assert not problems, f"seed {SEED}: {pair[0]} + {pair[1]}: {problems}"
            tried += 1
    assert tried > len(BETWEEN)
