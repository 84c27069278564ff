# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/causes.py: which suspects the messages of a cell pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.bench.causes import Causes
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.groups import LEG, NODE, SWITCH, TRUNK, Part
from ansible.module_utils.fnn.controller.bench.paths import Paths
from ansible.module_utils.fnn.controller.bench.suspects import SLOW_NODE, Suspect
from ansible.module_utils.fnn.controller.documents import Documents

#: Ranks 0 and 1 alone.
CELL = {"kind": "pingpong", "group": 2, "together": "one"}
ALL = {"kind": "alltoall", "group": 30, "together": "one"}


def explain(root: Path, documents: Documents, part: Part, cell: dict[str, object], ratio: float = 0.5) -> str:
    design = documents.read(root / "inventory/two-switches-30/design.json", "fnn-design")
    suspect = Suspect(SLOW_NODE, part, (), 0.01, 9, 0.5, 0.9, 50.0, None, None, None, None, {})
    paths = Paths(Fabric(design), [node["name"] for node in design["nodes"]])
    return Causes(paths, [suspect]).find(cell, {"settled": True, "ratio": ratio})


@pytest.mark.parametrize("kind", [NODE, LEG, SWITCH, TRUNK])
def test_a_suspect_is_a_cause_where_messages_pass_it(root: Path, documents: Documents, kind: str) -> None:
    fabric = Fabric(documents.read(root / "inventory/two-switches-30/design.json", "fnn-design"))
    near, far = fabric.all_legs[0], fabric.all_legs[-1]
    assert near.switch != far.switch
    parts = {
        NODE: Part(NODE, far.node),
        LEG: Part(LEG, far.node, device=far.device, segment=far.segment),
        SWITCH: Part(SWITCH, far.switch),
        TRUNK: Part(TRUNK, "-".join(sorted((near.switch, far.switch)))),
    }
    assert explain(root, documents, parts[kind], ALL).startswith("its messages pass a suspect: ")
    assert explain(root, documents, parts[kind], CELL) == "unknown"


def test_a_cell_may_be_faster_than_a_single_flow(root: Path, documents: Documents) -> None:
    assert explain(root, documents, Part(NODE, "none"), CELL, 1.2) == "faster than a single flow predicts"
