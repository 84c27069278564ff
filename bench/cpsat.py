# SPDX-License-Identifier: GPL-3.0-or-later
"""The rival: OR-tools CP-SAT on the very same spec, with one worker and the same time.

    python -m bench.cpsat SPEC SECONDS [--old DESIGN]

One Boolean per node and switch (`x`), one per wanted pair and switch (`both`, true only when both ends are on it),
and at least `redundancy` of the latter per pair. With traffic the sum of weighted shared switches is maximized; with
an old design the number of cables kept. Answers with one JSON object.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path
from typing import Any

from ortools.sat.python import cp_model

from bench.traffic import pairs_of


def build(spec: dict[str, Any], old: dict[str, Any] | None) -> tuple[cp_model.CpModel, dict[tuple[int, int], Any]]:
    model = cp_model.CpModel()
    nodes, switches = spec["nodes"], spec["switches"]
    x = {(i, s): model.new_bool_var(f"x{i}.{s}") for i in range(len(nodes)) for s in range(len(switches))}
    for i, node in enumerate(nodes):
        model.add(sum(x[i, s] for s in range(len(switches))) <= node["nics"])
    for s, switch in enumerate(switches):
        model.add(sum(x[i, s] for i in range(len(nodes))) <= switch["ports"] - switch.get("reserved", 0))

    traffic = pairs_of(spec)
    wanted = set(traffic) if spec.get("coverage") == "patterns" else set(itertools.combinations(range(len(nodes)), 2))
    objective = []
    for a, b in sorted(wanted | set(traffic)):
        both = []
        for s in range(len(switches)):
            shared = model.new_bool_var(f"b{a}.{b}.{s}")
            model.add_implication(shared, x[a, s])
            model.add_implication(shared, x[b, s])
            both.append(shared)
        if (a, b) in wanted:
            model.add(sum(both) >= spec.get("redundancy", 1))
        if spec.get("goals") and (a, b) in traffic:
            objective += both
    if old is not None:
        rank = {node["name"]: i for i, node in enumerate(nodes)}
        index = {switch["name"]: s for s, switch in enumerate(switches)}
        objective = [x[rank[n["name"]], index[link["switch"]]] for n in old["nodes"] for link in n["links"]]
    if objective:
        model.maximize(sum(objective))
    return model, x


def solve(spec: dict[str, Any], limit: float, old: dict[str, Any] | None = None) -> dict[str, Any]:
    """Verdict, seconds (model building included) and the objective, if a solution was found in `limit` seconds."""
    started = time.monotonic()
    model, _ = build(spec, old)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = max(0.1, limit - (time.monotonic() - started))
    status = solver.solve(model)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    verdict = "found" if found else "infeasible" if status == cp_model.INFEASIBLE else "not-found"
    return {
        "verdict": verdict,
        "optimal": status == cp_model.OPTIMAL,
        "seconds": time.monotonic() - started,
        "objective": solver.objective_value if found else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--old", type=Path)
    chosen = parser.parse_args()
    old = json.loads(chosen.old.read_text()) if chosen.old else None
    print(json.dumps(solve(json.loads(chosen.spec.read_text()), chosen.seconds, old)))


if __name__ == "__main__":
    main()
