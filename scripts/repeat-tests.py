#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `make test` several times, some runs beside busy processes, and prints what failed how often and why.

    scripts/repeat-tests.py [--runs N] [--busy M] [--processes K] [SUITE ...]

The output of each run is in build/repeated/. The exit status is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
OUTPUTS = ROOT / "build" / "repeated"
#: The lines of scripts/test.py on failures: "FAILED: tests.unit.test_a: test_b[case]: reason"; and its last line.
FAILED = re.compile(r"^FAILED: (.*?: (?:\w+\[.*?\](?=:)|.*?))(?:: (.*))?$", re.MULTILINE)
TOTAL = re.compile(r"^\d+ passed, (\d+) failed.*$", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10, help="number of runs (10)")
    parser.add_argument("--busy", type=int, default=5, help="how many, the last ones, run beside busy processes (5)")
    parser.add_argument("--processes", type=int, default=2, help="number of busy processes (2)")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="only suites whose name contains one of these")
    chosen = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    OUTPUTS.mkdir(parents=True, exist_ok=True)
    outputs = {}
    for run in range(1, chosen.runs + 1):
        busy = chosen.processes if run > chosen.runs - chosen.busy else 0
        file = OUTPUTS / f"{run}.log"
        status = run_tests(chosen.suites, busy, file)
        outputs[run] = file.read_text(errors="replace")
        beside = f" beside {busy} busy processes" if busy else ""
        print(f"run {run}{beside}: {describe_run(outputs[run], status)}; {file.relative_to(ROOT)}", flush=True)
    failures = count_failures(outputs)
    print("\n".join(["", *format_failures(failures, chosen.runs)]))
    return 1 if failures else 0


def stop(number: int, _: FrameType | None) -> None:
    """Ends the run, and with it what run_tests has started."""
    sys.exit(128 + number)


def run_tests(suites: Sequence[str], busy: int, output: Path) -> int:
    """Runs the suites beside busy processes, with the output in a file; returns the exit status."""
    loops = [[sys.executable, "-IS", "-c", "while True: pass"]] * busy
    make = ["make", "--no-print-directory", "test", f"ONLY={' '.join(suites)}"]
    with output.open("wb") as log:
        try:
            for command in (*loops, make):
                last = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
            return last.wait()
        finally:
            end_children()


def end_children() -> None:
    """Ends all children of this process with their sessions; scripts/test.py then ends all that it has started."""
    for child in map(int, Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()):
        try:
            os.killpg(child, signal.SIGTERM)
        except ProcessLookupError:  # a signal has ended us before the child had its session
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def describe_run(output: str, status: int) -> str:
    totals = list(TOTAL.finditer(output))
    return totals[-1][0] if totals else f"no result, exit status {status}"


def count_failures(outputs: Mapping[int, str]) -> dict[str, dict[int, str]]:
    """Test -> run -> reason. A run without a result is a failure, too. outputs: of each run."""
    failures: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for run, output in outputs.items():
        if not TOTAL.search(output):
            failures["the run itself"][run] = (output.strip().splitlines() or ["no output"])[-1]
        for found in FAILED.finditer(output):
            failures[found[1]][run] = found[2] or "no reason given"
    return dict(failures)


def format_failures(failures: Mapping[str, Mapping[int, str]], runs: int) -> Iterable[str]:
    """A line for each test that failed, the most frequent first, and one for each of its reasons."""
    if not failures:
        yield f"{runs} runs, 0 failed"
        return
    for test, reasons in sorted(failures.items(), key=lambda item: (-len(item[1]), item[0])):
        yield f"{test}: failed in {len(reasons)} of {runs} runs"
        for reason in dict.fromkeys(reasons.values()):
            among = ", ".join(str(run) for run, each in reasons.items() if each == reason)
            yield f"  run {among}: {reason}"


if __name__ == "__main__":
    sys.exit(main())
