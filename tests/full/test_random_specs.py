# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the spec: a design that the judge accepts, or an honest verdict that CP-SAT agrees with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from random_specs import draw

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "bin" / "fnn-designer"
FOUND, NOT_FOUND, INFEASIBLE = 0, 3, 4


def _run(*command: str | Path) -> tuple[int, dict[str, Any]]:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=300)
    lines = done.stdout.strip().splitlines()
    assert lines, done.stderr
    return done.returncode, json.loads(lines[-1])


@pytest.mark.parametrize("number", range(300))
def test_a_design_or_an_honest_verdict(number: int, tmp_path: Path) -> None:
    spec, design = tmp_path / "spec.json", tmp_path / "design.json"
    document = draw(number)
    spec.write_text(json.dumps(document))
    status, answer = _run(ENGINE, "design", spec, "-o", design, "--time-limit", "2", "--threads", "1")
    assert status in (FOUND, NOT_FOUND, INFEASIBLE), answer
    assert design.exists() == (status != INFEASIBLE)
    if status == FOUND:
        assert _run(ENGINE, "check", design)[0] == 0
        return
    truth = _run(sys.executable, "-m", "bench.cpsat", spec, "60")[1]["verdict"]
    assert truth == "infeasible", f"the engine said {answer['verdict']}, CP-SAT {truth}"


@pytest.mark.parametrize("number", range(40))
def test_same_seed_and_steps_give_the_same_bytes(number: int, tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(draw(1000 + number)))
    texts = []
    for threads in ("1", "1", "2"):
        design = tmp_path / f"design{len(texts)}.json"
        _run(ENGINE, "design", spec, "-o", design, "--steps", "5", "--time-limit", "600", "--threads", threads)
        texts.append(design.read_text() if design.exists() else None)
    assert texts[0] == texts[1] == texts[2]
