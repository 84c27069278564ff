# SPDX-License-Identifier: GPL-3.0-or-later
"""How quickly does the engine find a wiring that covers every wanted pair, and which rivals find one?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bench import measure
from bench.instances import Spec, sparse, spec
from bench.report import Table, ratio, seconds

SEEDS = range(1, 6)


@dataclass(frozen=True)
class Case:
    """One instance; `target` in seconds, for the whole process on one core."""

    name: str
    spec: Spec
    target: float | None
    options: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ("ga-classic", "cp-sat")
    limit: float = 10.0  # seconds that each program gets


UNIVERSAL = (
    Case("6 nodes, 2 NICs, 3 switches x 4 ports", spec(6, 2, 4, 3), None),
    Case("8 nodes, 3 NICs, 6 switches x 4 ports", spec(8, 3, 4, 6), None),
    Case("KLAT2: 64 nodes, 4 NICs, 9 switches x 31 ports", spec(64, 4, 31, 9), 0.05),
    Case("64 nodes, 4 NICs, 7 switches x 28 ports", spec(64, 4, 28, 7), 0.05),
    Case("64 nodes, 4 NICs, 13 switches x 20 ports", spec(64, 4, 20, 13), 0.05),
    Case("128 nodes, 4 NICs, 11 switches x 48 ports", spec(128, 4, 48, 11), None),
    Case("128 nodes, 4 NICs, 12 switches x 43 ports", spec(128, 4, 43, 12), None),
    Case("1024 nodes, 5 NICs, 21 switches x 244 ports", spec(1024, 5, 244, 21), 1.0, rivals=("ga-classic",)),
    Case(
        "the same from random starts only",
        spec(1024, 5, 244, 21),
        60.0,
        ("--method", "random-start"),
        rivals=(),
        limit=120.0,
    ),
)
SPARSE = (
    Case("KASY0: 128 nodes, 3 NICs, 17 switches x 23 ports", sparse(128, 3, 23, 17), 10.0, limit=60.0),
    Case("the same, 24 switches x 16 ports", sparse(128, 3, 16, 24), 60.0, limit=120.0, rivals=()),
    Case("the same, 25 switches x 16 ports", sparse(128, 3, 16, 25), None, limit=120.0, rivals=()),
    Case("the same, 26 switches x 15 ports", sparse(128, 3, 15, 26), None, limit=120.0, rivals=()),
)


def universal(place: Path) -> Table:
    return _compare(
        "universal",
        "Every pair of nodes shares a switch: which program finds a wiring, and how soon?",
        UNIVERSAL,
        place,
    )


def patterns(place: Path) -> Table:
    return _compare("sparse", "Only the pairs that talk share a switch: KASY0's patterns", SPARSE, place)


def _compare(name: str, question: str, cases: tuple[Case, ...], place: Path) -> Table:
    columns = ["instance", "ours (median of 5 seeds)", "found by stage", "plain GA", "CP-SAT", "rival / ours"]
    table = Table(name, question, columns)
    for case in cases:
        ours, stage = _measure_engine(case, place)
        classic = _classic(case, place) if "ga-classic" in case.rivals else None
        cpsat = _cpsat(case, place) if "cp-sat" in case.rivals else None
        best = min((value for value in (classic, cpsat) if value is not None), default=None)
        table.add(
            case.name,
            seconds(ours) if ours is not None else f"not found in {case.limit:g} s",
            stage,
            _words(case, "ga-classic", classic),
            _words(case, "cp-sat", cpsat),
            ratio(best, ours) if best is not None and ours is not None else "-",
        )
        table.values[case.name] = {"ours": ours, "ga-classic": classic, "cp-sat": cpsat, "limit": case.limit}
        if case.target is not None:
            words = f"{case.name}: at most {seconds(case.target)} on one core"
            table.expect(words, ours is not None and ours <= case.target)
    return table


def _words(case: Case, rival: str, value: float | None) -> str:
    if rival not in case.rivals:
        return "not run"
    return seconds(value) if value is not None else f"not found in {case.limit:g} s"


def _measure_engine(case: Case, place: Path) -> tuple[float | None, str]:
    """Median of processor seconds over the seeds; None when fewer than half of them found a design."""
    found, stages = [], set()
    for seed in SEEDS:
        done = measure.design(case.spec, place, "--seed", str(seed), "--time-limit", str(case.limit), *case.options)
        if done.status == 0 and measure.check(place):
            found.append(done.cpu)
            stages.add(str(done.answer.get("stage")))
        if done.cpu > 20:
            break  # one long run is enough
    enough = 2 * len(found) > len(SEEDS) or (found and max(found) > 20)
    return (measure.median(found) if enough else None), ", ".join(sorted(stages)) or "-"


def _classic(case: Case, place: Path) -> float | None:
    limit = ("--time-limit", str(case.limit))
    done = measure.design(case.spec, place, "--method", "ga-classic", *limit)
    return done.cpu if done.status == 0 else None


def _cpsat(case: Case, place: Path) -> float | None:
    document = place / "spec.json"
    document.write_text(json.dumps(case.spec))
    done = measure.run(["python", "-m", "bench.cpsat", document, str(case.limit)])
    return float(done.answer["seconds"]) if done.answer.get("verdict") == "found" else None
