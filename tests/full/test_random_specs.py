# SPDX-License-Identifier: GPL-3.0-or-later
"""For any spec: a design that the judge accepts, or a verdict that CP-SAT confirms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engine import CPSAT, ENGINE, FOUND, INFEASIBLE, NOT_FOUND, run
from random_specs import draw


@pytest.mark.parametrize("number", range(300))
def test_a_design_or_an_honest_verdict(number: int, tmp_path: Path) -> None:
    spec, design = tmp_path / "spec.json", tmp_path / "design.json"
    document = draw(number)
    spec.write_text(json.dumps(document))
    status, answer = run(ENGINE, "design", spec, "-o", design, "--time-limit", "2", "--threads", "1")
    assert status in (FOUND, NOT_FOUND, INFEASIBLE), answer
    assert design.exists() == (status != INFEASIBLE)
    if status == FOUND:
        assert run(ENGINE, "check", design)[0] == 0
        return
    truth = run(*CPSAT, spec, "60")[1]["verdict"]
    assert truth == "infeasible", f"the engine said {answer['verdict']}, CP-SAT {truth}"


@pytest.mark.parametrize("number", range(40))
def test_same_seed_and_steps_give_the_same_bytes(number: int, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(draw(1000 + number)))
    texts = []
    for threads in ("1", "1", "2"):
        design = tmp_path / f"design{len(texts)}.json"
        run(ENGINE, "design", spec, "-o", design, "--steps", "5", "--time-limit", "600", "--threads", threads)
        texts.append(design.read_text() if design.exists() else None)
    assert texts[0] == texts[1] == texts[2]
