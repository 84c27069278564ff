# SPDX-License-Identifier: GPL-3.0-or-later
"""How many switches do the pairs that talk share, after five seconds on one core?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench import measure
from bench.instances import HYPERCUBE, LINES, RING, TORUS2, TORUS3, Pattern, tuned
from bench.report import Table
from bench.traffic import pairs_of

# None of these seeds was used when the temperatures of the search and its function were chosen.
SEEDS = range(201, 206)
LIMIT = 5.0
TARGETS: tuple[tuple[str, Pattern, float], ...] = (
    ("ring", RING, 3.8),
    ("2D torus, nearest (8x8)", TORUS2, 3.25),
    ("3D torus, nearest (4x4x4)", TORUS3, 2.98),
    ("hypercube", HYPERCUBE, 2.98),
    ("rows and columns (8x8 lines)", LINES, 2.7),
)


def shared(place: Path) -> Table:
    table = Table(
        "shared",
        "KLAT2's size, every pair covered: mean shared switches over the pairs of a pattern, in 5 s on one core",
        ["pattern", "pairs", "ours, without the goal", "ours (median of 5 seeds)", "CP-SAT"],
    )
    for name, pattern, target in TARGETS:
        spec = tuned(pattern)
        pairs = pairs_of(spec)
        plain = {**spec, "goals": {}}
        measure.design(plain, place)
        untuned = _mean_shared(place, pairs)
        means = []
        for seed in SEEDS:
            done = measure.design(spec, place, "--seed", str(seed), "--time-limit", str(LIMIT))
            means.append(_mean_shared(place, pairs) if done.status == 0 and measure.check(place) else 0.0)
        document = place / "spec.json"
        rival = measure.run(["python", "-m", "bench.cpsat", document, str(LIMIT)]).answer
        theirs = None if rival.get("objective") is None else rival["objective"] / len(pairs)
        ours = measure.median(means)
        words = f"{theirs:.3f}" if theirs is not None else "nothing found"
        table.add(name, str(len(pairs)), f"{untuned:.3f}", f"{ours:.3f}", words)
        table.values[name] = {"ours": means, "untuned": untuned, "cp-sat": theirs}
        table.expect(f"{name}: at least {target}", ours >= target)
    return table


WEIGHTS = (0.08, 0.11, 0.14, 0.18)
FORESIGHT = 0.05  # weight of the torus in a ring design that foresees it
GOOD_TORUS, FEW_CABLES = 3.23, 27


def redesign(place: Path) -> Table:
    """From ring-tuned to torus-tuned: how many of 256 cables move, and how many switches the torus pairs share."""
    table = Table(
        "redesign",
        "A ring-tuned KLAT2 becomes torus-tuned: moved cables of 256 and mean shared switches over the torus",
        ["ring design", "ring", "as it stands", "from scratch", *(f"--near, weight {weight:g}" for weight in WEIGHTS)],
    )
    alone = tuned(RING)
    rings = {
        "ring alone": alone,
        "torus foreseen": {**alone, "patterns": [*alone["patterns"], {**TORUS2, "weight": FORESIGHT}]},
    }
    medians = {}
    for name, ring in rings.items():
        fewest = []
        for seed in SEEDS:
            cells, reached = _from_ring(place, ring, seed)
            table.add(f"{name}, seed {seed}", *cells)
            table.values[f"{name}, seed {seed}"] = reached
            fewest.append(min((moved for moved, mean in reached if mean >= GOOD_TORUS), default=256))
        medians[name] = measure.median(fewest)
        print(f"  {name}: {medians[name]:g} cables for {GOOD_TORUS} (median)", flush=True)
    table.values["medians"] = medians
    words = f"torus foreseen: at most {FEW_CABLES} of 256 cables for {GOOD_TORUS} (median)"
    table.expect(words, medians["torus foreseen"] <= FEW_CABLES)
    return table


def _from_ring(place: Path, ring: dict[str, Any], seed: int) -> tuple[list[str], list[tuple[int, float]]]:
    """The cells of a row, and (moved cables, quality) for every weight."""
    torus = tuned(TORUS2)
    pairs = pairs_of(torus)
    measure.design(ring, place, "--seed", str(seed), "--time-limit", str(LIMIT))
    old = place / "old.json"
    old.write_text((place / "design.json").read_text())
    cells = [f"{_mean_shared(place, pairs_of(tuned(RING))):.3f}", f"0: {_mean_shared(place, pairs):.3f}"]
    reached = []
    ways: list[tuple[str | Path, ...]] = [(), *(("--near", old, "--near-weight", str(weight)) for weight in WEIGHTS)]
    for near in ways:
        measure.design(torus, place, *near, "--time-limit", str(LIMIT))
        moved, mean = _moved(json.loads(old.read_text()), place), _mean_shared(place, pairs)
        cells.append(f"{moved}: {mean:.3f}")
        if near:
            reached.append((moved, mean))
    return cells, reached


def _cables(design: dict[str, Any]) -> set[tuple[str, str]]:
    return {(node["name"], link["switch"]) for node in design["nodes"] for link in node["links"]}


def _moved(old: dict[str, Any], place: Path) -> int:
    return len(_cables(old) - _cables(json.loads((place / "design.json").read_text())))


def _mean_shared(place: Path, pairs: set[tuple[int, int]]) -> float:
    """Counted from the links of the document alone."""
    design = json.loads((place / "design.json").read_text())
    on = [{link["switch"] for link in node["links"]} for node in design["nodes"]]
    return sum(len(on[a] & on[b]) for a, b in pairs) / len(pairs)
