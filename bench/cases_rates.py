# SPDX-License-Identifier: GPL-3.0-or-later
"""How many moves per second does the search evaluate? The engine's own micro-benchmark measures it."""

from __future__ import annotations

from pathlib import Path

from bench import measure
from bench.report import Table

MICRO = measure.ROOT / "build" / "designer-bench" / "bench" / "fnn-bench"
TARGETS = {64: 2e8, 1024: 5e7}  # swap deltas per second and core


def rates(_place: Path) -> Table:
    table = Table("rates", "Rates on one core", ["nodes", "swap deltas / s", "annealing steps / s", "full checks / s"])
    answer = measure.run([MICRO]).answer
    for row in answer["rates"]:
        numbers = (f"{row[key]:.2e}" for key in ("swap_deltas", "annealing_steps", "full_checks"))
        table.add(str(row["nodes"]), *numbers)
        if row["nodes"] in TARGETS:
            target = TARGETS[row["nodes"]]
            table.expect(f"{row['nodes']} nodes: at least {target:.0e} swap deltas/s", row["swap_deltas"] >= target)
    table.values = answer
    return table
