# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the engine and the CP-SAT reference, which both print one JSON object on the last line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "bin" / "fnn-designer"
CPSAT = (sys.executable, "-m", "bench.cpsat")
FOUND, NOT_FOUND, INFEASIBLE = 0, 3, 4


def run(*command: str | Path) -> tuple[int, dict[str, Any]]:
    """Exit status and answer."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=ROOT, timeout=1500)
    lines = done.stdout.strip().splitlines()
    assert lines, done.stderr
    return done.returncode, json.loads(lines[-1])
