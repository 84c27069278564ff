# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast is the evaluation? Random patterns against a loop that only shuffles, and whole documents."""

from __future__ import annotations

import json
from pathlib import Path

from bench import instances, measure
from bench.report import Table, seconds

MICRO = measure.ROOT / "build" / "designer-bench" / "bench" / "fnn-evaluate-bench"
RATES = ("shuffle", "advanced", "all_routings", "routed_basic", "routed_all", "fat_tree", "fat_tree_flows")
LEAST_SHARE = 0.5  # of the rate of shuffling alone, at 1024 nodes
FLOOR, GOAL = 15_000, 100_000  # patterns a second over any network, at 1024 nodes
WHOLE_LIMITS = {64: 5.0, 1024: 60.0}  # seconds of one core for a whole evaluation, with all alternatives
WHOLE = {64: (4, 31, 9), 1024: (5, 244, 21)}  # nodes: NICs, ports, switches


def evaluate(place: Path) -> Table:
    table = Table(
        "evaluate",
        "Random patterns a second on one core",
        [
            "nodes",
            "shuffle alone",
            "advanced",
            "all routings",
            "by loads, basic",
            "by loads, all",
            "fat tree",
            "by flows",
        ],
    )
    answer = measure.run([MICRO]).answer
    for row in answer["rates"]:
        table.add(str(row["nodes"]), *(f"{row[name]:.2e}" for name in RATES))
    widest = answer["rates"][-1]
    share = widest["all_routings"] / widest["shuffle"]
    table.expect(f"1024 nodes: at least {LEAST_SHARE:.0%} of the rate of shuffling ({share:.0%})", share >= LEAST_SHARE)
    routed = widest["routed_basic"]
    table.expect(f"1024 nodes: at least {FLOOR} patterns/s by loads ({routed:.0f})", routed >= FLOOR)
    table.expect(f"1024 nodes: the goal of {GOAL} patterns/s by loads ({routed:.0f})", routed >= GOAL)
    tree = widest["fat_tree"]
    table.expect(f"1024 nodes: at least {FLOOR} patterns/s over a fat tree ({tree:.0f})", tree >= FLOOR)
    table.expect(f"1024 nodes: the goal of {GOAL} patterns/s over a fat tree ({tree:.0f})", tree >= GOAL)
    for nodes, (nics, ports, switches) in WHOLE.items():
        took = _evaluate_whole(place, instances.spec(nodes, nics, ports, switches))
        table.expect(
            f"{nodes} nodes evaluated in at most {WHOLE_LIMITS[nodes]:g} s ({seconds(took)})",
            took <= WHOLE_LIMITS[nodes],
        )
    table.values = answer
    return table


def _evaluate_whole(place: Path, spec: instances.Spec) -> float:
    """Seconds of one core for a whole evaluation document."""
    measure.design(spec, place)
    target = place / "evaluation.json"
    done = measure.run([measure.ENGINE, "evaluate", place / "design.json", "-o", target, "--threads", "1"])
    assert json.loads(target.read_text())["nodes"] == len(spec["nodes"])
    return done.cpu
