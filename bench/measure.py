# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs for a benchmark on one core and measures their processor time."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "bin" / "fnn-designer"
FOUND, NOT_FOUND, INFEASIBLE = 0, 3, 4  # exit statuses of `fnn-designer design`
HANG = 900  # seconds after which a program counts as hanging


@dataclass(frozen=True)
class Run:
    """The result of one process: exit status, seconds of processor and of wall clock, its JSON answer."""

    status: int
    cpu: float
    wall: float
    answer: dict[str, Any]


def run(command: Sequence[str | Path], cores: int = 1) -> Run:
    """Runs a program that answers with one JSON object on its last line of standard output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(
        [*map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores]),
    )
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(done.returncode, cpu, wall, _last_json(done.stdout, done.stderr))


def _last_json(out: str, err: str) -> dict[str, Any]:
    lines = out.strip().splitlines()
    try:
        answer = json.loads(lines[-1] if lines else "null")
    except ValueError:
        answer = None
    return answer if isinstance(answer, dict) else {"error": (err or out).strip()[-400:]}


class EngineError(Exception):
    """The engine did not search at all: a bug of the benchmark, never a result."""


def design(spec: dict[str, Any], place: Path, *options: str | Path, cores: int = 1) -> Run:
    """One whole run of the engine; the design is left in `place`/design.json. Raises EngineError."""
    document = place / "spec.json"
    document.write_text(json.dumps(spec))
    done = run([ENGINE, "design", document, "-o", place / "design.json", "--threads", str(cores), *options], cores)
    if done.status not in (FOUND, NOT_FOUND, INFEASIBLE):
        raise EngineError(f"exit status {done.status}: {done.answer}")
    return done


def check(place: Path) -> bool:
    """Whether `fnn-designer check`, which is independent of the search, accepts the design."""
    return run([ENGINE, "check", place / "design.json"]).status == 0


def median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else float("nan")


def machine() -> str:
    """Processor, cores and system on which the numbers are measured."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "Model")):
            model = line.split(":", 1)[1].strip()
            break
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {system}, Linux {platform.release().partition('-')[0]}"
