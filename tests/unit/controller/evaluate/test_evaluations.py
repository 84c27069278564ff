# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/evaluate/evaluations.py: the evaluation of a design, whatever its topology."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps, identify_design, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation, read_evaluation
from ansible.module_utils.fnn.shared.errors import FnnError

SITES = {
    "lab": ("evaluation.json", "fnn-evaluation"),
    "one-switch": ("evaluation.json", "fnn-evaluation"),
    "two-switches": ("network.json", "fnn-network"),
    "ring": ("network.json", "fnn-network"),
}


@pytest.mark.parametrize("site", SITES)
def test_the_topology_decides_the_document(
    root: Path, documents: Documents, engine: Designer, tmp_path: Path, site: str
) -> None:
    path, (name, format) = root / "inventory" / site / "design.json", SITES[site]
    design = documents.read(path, "fnn-design")
    assert name_evaluation(design) == (name, format)
    engine.evaluate(path, tmp_path / name, {"patterns": 2, "alternatives": "none"})
    found = read_evaluation(documents, tmp_path, design)
    assert (found["format"], found["design_digest"]) == (format, identify_design(design))


def test_the_evaluation_of_another_design_and_one_of_a_former_version_are_refused(
    root: Path, documents: Documents, engine: Designer, tmp_path: Path
) -> None:
    path = root / "inventory/ring/design.json"
    engine.evaluate(path, tmp_path / "network.json", {"patterns": 2, "alternatives": "none"})
    star = documents.read(root / "inventory/star/design.json", "fnn-design")
    with pytest.raises(FnnError, match=r"network\.json#/design_digest: another design was evaluated"):
        read_evaluation(documents, tmp_path, star)
    former = {key: value for key, value in read_json(tmp_path / "network.json").items() if key != "alternatives"}
    (tmp_path / "network.json").write_text(dumps(former))
    with pytest.raises(FnnError, match=r"network\.json#/alternatives: missing"):
        read_evaluation(documents, tmp_path, documents.read(path, "fnn-design"))
