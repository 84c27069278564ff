# SPDX-License-Identifier: GPL-3.0-or-later
"""How many nodes can a network have, compared with the FNN authors' own table of 2001?"""

from __future__ import annotations

import csv
import io
import math
import random
import subprocess
import time
from pathlib import Path

from bench import measure
from bench.report import Table, seconds

TABLE_2001 = measure.ROOT / "data" / "fnntab-2001.csv"
GAINS = {2: 0.0, 3: 0.0, 4: 8.0, 5: 25.0, 6: 40.0}  # percent more nodes, on average
SAMPLED = 60  # entries whose designs are made and checked here
QUICK_LIMIT = 20.0  # seconds for the quick form to reach an entry


def capacity(place: Path) -> Table:
    table = Table(
        "capacity",
        "Most nodes for 2 to 1024 ports and 2 to 6 NICs, against the authors' table of 2001",
        ["NICs", "2001, mean", "ours, mean", "more nodes on average", "entries below 2001"],
    )
    started = time.monotonic()
    ours = compute_capacities("2..1024")
    took = time.monotonic() - started
    theirs = _read(TABLE_2001.read_text())
    for nics, promised in GAINS.items():
        gains = [100 * (ours[p][nics] / theirs[p][nics] - 1) for p in sorted(theirs)]
        below = sum(gain < 0 for gain in gains)
        mean = sum(gains) / len(gains)
        table.add(
            str(nics),
            f"{sum(row[nics] for row in theirs.values()) / len(theirs):.1f}",
            f"{sum(ours[p][nics] for p in theirs) / len(theirs):.1f}",
            f"{mean:+.1f} %",
            str(below),
        )
        table.expect(
            f"{nics} NICs: no entry below, on average at least {promised:g} % more", below == 0 and mean >= promised
        )
    table.expect(f"the whole table in at most 60 s (took {seconds(took)})", took <= 60)
    chance = random.Random(1)
    drawn = [(chance.choice(sorted(ours)), chance.randint(2, 6)) for _ in range(SAMPLED)] + [(max(ours), max(GAINS))]
    table.expect(
        f"{len(drawn)} witnesses, a random sample and the largest, are accepted by check",
        all(_is_backed(place, "capacity", "--witness", f"{ports},{nics}") for ports, nics in drawn),
    )
    slowest = max(_reach(place, ours[ports][nics], nics, ports) for ports, nics in drawn)
    table.expect(
        f"the quick form reaches the same in at most {QUICK_LIMIT:g} s (took {seconds(slowest)})",
        slowest <= QUICK_LIMIT,
    )
    table.values["seconds"] = took
    return table


def compute_capacities(ports: str) -> dict[int, dict[int, int]]:
    """Ports -> NICs -> the most nodes, for a range of ports, as 2..128, and 2 to 6 NICs."""
    command: list[str | Path] = [measure.ENGINE, "capacity", "--ports", ports, "--nics", "2..6", "--format", "csv"]
    return _read(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _read(text: str) -> dict[int, dict[int, int]]:
    rows = csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#"))
    return {int(row["ports"]): {nics: int(row[f"n{nics}"]) for nics in range(2, 7)} for row in rows}


def _is_backed(place: Path, *command: str) -> bool:
    target = place / "design.json"
    target.unlink(missing_ok=True)
    measure.run([measure.ENGINE, *command, "-o", target])
    return target.exists() and measure.check(place)


def _reach(place: Path, nodes: int, nics: int, ports: int) -> float:
    """Seconds that the quick form takes; infinite when it fails."""
    started = time.monotonic()
    size = ("--nodes", str(nodes), "--nics", str(nics), "--ports", str(ports))
    backed = _is_backed(place, "design", *size)
    return time.monotonic() - started if backed else math.inf
