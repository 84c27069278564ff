# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/rewire_consistency.py: rewirings of other topologies that contradict themselves."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.rewire import steps
from ansible.module_utils.fnn.shared.errors import FnnError
from growing import FOUR, Grower, list_switches, make_spec
from pointers import GONE, set_values

pytestmark = pytest.mark.usefixtures("designer")

MOVE = "/batches/0/moves/0"
#: What is wrong -> the rewiring, its changes, and messages among others.
WRONG: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "a move of a cable without its other end": ("ring", {f"{MOVE}/peer": GONE}, [f"{MOVE}/peer: missing"]),
    "a kept cable of a move to a new place": (
        "ring",
        {f"{MOVE}/from": None},
        [
            f"{MOVE}/cable: a kept cable has both a place before and after the move",
            f"{MOVE}/peer: only for a cable between nodes",
        ],
    ),
    "a cable of an unknown node": (
        "ring",
        {"/between/0/ends/1/node": "k9"},
        ['/between/0/ends/1/node: "k9" is not the name of a node'],
    ),
    "an unknown cable": ("ring", {"/between/0/name": "cable9"}, [f'{MOVE}/from: "cable0" is not the name of a switch']),
    "a move from nothing to nothing": ("tree", {f"{MOVE}/to": None}, [f"{MOVE}: neither from nor to a switch"]),
    "a switch to buy without ports": ("ring", {"/buy/0/ports": GONE}, ["/buy/0/ports: missing"]),
    "a trunk of an unknown switch": (
        "tree",
        {"/trunks/0/b": "green"},
        ['/trunks/0/b: "green" is not the name of a present switch'],
    ),
    "trunks to plug in without a design with trunks": (
        "tree",
        {"/batches/1/trunks": "plug"},
        ['/batches/1/trunks: "plug", but no such cables are listed'],
    ),
    "an end that is not the goal": ("back", {"/goal/redundancy": 2}, ["/end/spec: not the same as /goal"]),
}


@pytest.fixture
def jobs(engine: Designer, documents: Documents, tmp_path: Path) -> dict[str, dict[str, Any]]:
    grower, options = Grower(engine, documents, tmp_path), steps.Options(8)
    found = {}
    for topology, nics, switches in (("ring", 2, []), ("tree", 2, list_switches("red", "blue"))):
        start = grower.design(make_spec(topology, 4, nics, switches=switches))
        goal = grower.wire(make_spec("fnn", 4, 2, switches=list_switches("red", "blue", "green")), FOUR)
        found[topology], _ = steps.plan(engine, start, goal, options)
        found["back"], _ = steps.go_back(engine, start, found[topology], options)
    return {name: json.loads(json.dumps(job)) for name, job in found.items()}


@pytest.mark.parametrize("name", ["ring", "tree", "back"])
def test_a_rewiring_is_read_as_it_was_written(jobs: Any, name: str, documents: Documents, tmp_path: Path) -> None:
    documents.write(tmp_path / "rewire.json", jobs[name])
    assert documents.read(tmp_path / "rewire.json", "fnn-rewire") == jobs[name]


@pytest.mark.parametrize("case", WRONG)
def test_contradictions_are_reported_with_their_places(
    jobs: Any, case: str, documents: Documents, tmp_path: Path
) -> None:
    name, changes, expected = WRONG[case]
    job = copy.deepcopy(jobs[name])
    set_values(job, changes)
    (tmp_path / "rewire.json").write_text(json.dumps(job))
    with pytest.raises(FnnError) as caught:
        documents.read(tmp_path / "rewire.json", "fnn-rewire")
    assert {f"rewire.json#{line}" for line in expected} <= set(str(caught.value).splitlines())
