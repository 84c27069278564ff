# SPDX-License-Identifier: GPL-3.0-or-later
"""How quickly does the engine prove that there is no wiring, and which rivals prove it?"""

from __future__ import annotations

import json
from pathlib import Path

from bench import measure
from bench.instances import spec
from bench.report import Table, ratio, seconds

LIMIT = 30.0
INSTANCES = (
    (64, 4, 31, 6),
    (64, 3, 27, 7),
    (64, 4, 27, 7),
    (64, 4, 26, 8),
    (128, 4, 52, 8),
    (10, 5, 4, 8),
    (6, 2, 3, 4),
    (8, 3, 4, 5),
)


def infeasible(place: Path) -> Table:
    """No instance here has a design; a rival that only finds none has proved nothing."""
    table = Table(
        "infeasible",
        "There is no wiring: which program proves it, and how soon?",
        ["nodes / NICs / ports / switches", "ours", "certificate", "CP-SAT", "CP-SAT / ours"],
    )
    for numbers in INSTANCES:
        case = spec(*numbers)
        done = measure.design(case, place, "--time-limit", str(LIMIT))
        ours = done.cpu if done.status == 4 else None
        document = place / "spec.json"
        document.write_text(json.dumps(case))
        rival = measure.run(["python", "-m", "bench.cpsat", document, str(LIMIT)]).answer
        theirs = rival.get("seconds") if rival.get("verdict") == "infeasible" else None
        name = "/".join(map(str, numbers))
        unproved = f"not proved in {LIMIT:g} s"
        table.add(
            name,
            seconds(ours) if ours is not None else unproved,
            str(done.answer.get("certificate", {}).get("bound", "-")),
            seconds(theirs) if theirs is not None else unproved,
            ratio(theirs, ours) if theirs is not None and ours is not None else "-",
        )
        table.values[name] = {"ours": ours, "cp-sat": theirs, "answer": done.answer}
        table.expect(f"{name} proved infeasible", ours is not None)
    return table
