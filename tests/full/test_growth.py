# SPDX-License-Identifier: GPL-3.0-or-later
"""Growing a small cluster moves the fewest cables, as CP-SAT confirms, and CP-SAT refutes no claimed bound."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from engine import CPSAT, ENGINE, FOUND, run


def _spec(nodes: int, nics: int, ports: list[int]) -> dict[str, Any]:
    return {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "growing",
        "topology": "fnn",
        "nodes": [{"name": f"n{i}", "nics": nics} for i in range(nodes)],
        "switches": [{"name": f"s{j}", "ports": count} for j, count in enumerate(ports)],
    }


@pytest.mark.parametrize("number", range(40))
def test_growth_moves_as_few_cables_as_cp_sat(number: int, tmp_path: Path) -> None:
    dice = random.Random(number)
    nodes, nics, more = dice.randint(5, 8), dice.randint(2, 3), dice.randint(1, 2)
    ports = [dice.randint(3, 7) for _ in range(dice.randint(3, 5))]
    old_spec, new_spec, old, new = (tmp_path / name for name in ("a.json", "b.json", "old.json", "new.json"))
    old_spec.write_text(json.dumps(_spec(nodes, nics, ports)))
    new_spec.write_text(json.dumps(_spec(nodes + more, nics, [count + dice.randint(0, 2) for count in ports])))
    if run(ENGINE, "design", old_spec, "-o", old, "--time-limit", "2", "--threads", "1")[0] != FOUND:
        pytest.skip("there is no design to grow from")
    status, answer = run(ENGINE, "design", new_spec, "--grow", old, "-o", new, "--time-limit", "5", "--threads", "1")
    truth = run(*CPSAT, new_spec, "120", "--old", old)[1]
    if status != FOUND:
        assert truth["verdict"] == "infeasible", f"the engine said {answer['verdict']}, CP-SAT {truth['verdict']}"
        return
    assert run(ENGINE, "check", new)[0] == 0
    cables = sum(len(node["links"]) for node in json.loads(old.read_text())["nodes"])
    fewest = cables - truth["objective"]
    assert answer["moved_at_least"] <= fewest, "a bound was claimed that does not hold"
    assert answer["moved_links"] == fewest
