#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the suites one after another and ends with one line: N passed, N failed[, N skipped].

A suite with its own test count (pytest, ctest) leaves a JUnit file, from which its tests are added up. Any other
command counts as one test. Every failure and every skip is named with its reason above the last line.

    scripts/test.py [--full] [SUITE ...]
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
RESULTS = ROOT / "build" / "tests"


@dataclass(frozen=True)
class Suite:
    """One command; `{junit}` in it stands for the JUnit file that it writes."""

    name: str
    command: str


@dataclass
class Tally:
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        return f"{self.passed} passed, {len(self.failed)} failed{skipped}"


PYTEST = "python -m pytest -q --junitxml={junit}"
SIDE_BY_SIDE = f"{PYTEST} -n 2"
CTEST = "ctest --test-dir {build} --parallel 2 --output-on-failure --no-tests=error --output-junit {{junit}}"
CONFIGURE = "cmake -S designer -B {build} {more} > {build}.log"
BUILD = "cmake --build {build} --parallel 2 >> {build}.log || (tail -n 40 {build}.log; exit 1)"


TESTS = "-DFNN_TESTS=ON -DCMAKE_BUILD_TYPE="
CLANG = "-DCMAKE_CXX_COMPILER=clang++"
# Distributions newer than this one have newer compilers and another JSON library. This clang rejects what g++ 14 does:
# with nlohmann-json 3.11.3 or newer, `std::string == Json` has no operator. The warning is about a header of g++ 12.
NEWEST = (
    "-DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_FLAGS=-Wno-deprecated-declarations"
    f" -DFNN_JSON_INCLUDE={sysconfig.get_path('purelib')}/nlohmann_json/include"
)
STRICT = "-DFNN_WARNINGS_AS_ERRORS=ON"


def _build(name: str, more: str) -> str:
    place = f"build/designer-{name}"
    return f"{CONFIGURE.format(build=place, more=more)} && {BUILD.format(build=place)}"


SUITES = (
    Suite("lint: ruff", "ruff check . && ruff format --check ."),
    # fnn and fnn-net are scripts, so mypy takes each for the module __main__.
    Suite("lint: mypy", "mypy && mypy roles/fnn_network/files/fnn-net"),
    Suite("lint: yamllint", "yamllint --strict ."),
    Suite("lint: ansible-lint", "ansible-lint --offline -q"),
    Suite("lint: shellcheck", "shellcheck --severity=warning scripts/*.sh .ci/run"),
    # Users get a g++ build, so the tests are built with clang++. With assertions, the search recomputes every value
    # that it claims.
    Suite(
        "designer: newest clang++ and JSON library, with assertions",
        _build("test", f"{TESTS}Checked {NEWEST} {STRICT}"),
    ),
    Suite("designer: tests", CTEST.format(build="build/designer-test")),
    Suite("unit: documents, plan, golden files, bad input", f"{SIDE_BY_SIDE} tests/unit tests/golden tests/errors"),
    Suite("node programs on this kernel", f"{SIDE_BY_SIDE} --dist loadfile tests/kernel"),
    Suite("lab", f"{PYTEST} tests/lab"),
    Suite("molecule: default", "molecule test --scenario-name default"),
)

# These suites take too long to run after every change.
FUZZED = {
    "documents": "cp designer/tests/data/*.json prices/*.json {corpus}",
    "networks": "for each in ib-small ib-mid; do (cd designer/tests/data; cat $each.ibnetdiscover; printf '\\n=\\n';"
    " cat $each.lfts) > {corpus}/$each; done",
}


def _fuzz(what: str) -> str:
    """Fuzzes for five minutes, with the examples of the tests as seeds."""
    log, corpus = f"build/designer-fuzz/{what}.log", f"build/fuzz-corpus/{what}"
    fuzz = f"build/designer-fuzz/fuzz/fuzz-{what} -max_total_time=300 -max_len=16384 {corpus}"
    build = _build("fuzz", f"{CLANG} -DFNN_FUZZ=ON -DFNN_SANITIZE=ON")
    seed = f"mkdir -p {corpus} && {FUZZED[what].format(corpus=corpus)}"
    return f"{build} && {seed} && {fuzz} > {log} 2>&1 || (tail -n 40 {log}; exit 1)"


LONGER = (
    Suite("full: g++ with sanitizers", _build("sanitized", f"{TESTS}Checked -DFNN_SANITIZE=ON")),
    Suite("full: tests with sanitizers", CTEST.format(build="build/designer-sanitized")),
    Suite("full: random specs and rivals", f"{PYTEST} tests/full/test_growth.py tests/full/test_random_specs.py"),
    Suite("full: permutations of cables", f"{SIDE_BY_SIDE} tests/full/test_permutations.py"),
    Suite("full: permutations of cables in a lab", f"{PYTEST} tests/full/test_lab_permutations.py"),
    Suite("full: exports and their readers", f"{PYTEST} tests/full/test_exports.py"),
    Suite("full: every fault of the table", f"{PYTEST} tests/full/test_fault_table.py"),
    Suite("full: failed parts and their replacement", f"{PYTEST} tests/full/test_repairs.py"),
    Suite("full: sixteen nodes from ring to torus", f"{PYTEST} tests/full/test_rewiring.py"),
    Suite("full: KLAT2 as 64 containers", f"{PYTEST} tests/full/test_sixtyfour.py"),
    Suite("full: every mode of the fabric", f"{PYTEST} tests/full/test_modes.py"),
    Suite("full: safe changes and network managers", f"{PYTEST} tests/full/test_managers.py"),
    Suite("full: heads and spares on the uplink", f"{PYTEST} tests/full/test_uplink.py"),
    Suite("full: reports in a browser", f"{PYTEST} tests/full/test_reports.py"),
    Suite("full: nodes without a management NIC", f"{PYTEST} tests/full/test_access.py"),
    Suite("full: a bad day for controllers", f"{PYTEST} tests/full/test_bad_day_controller.py"),
    Suite("full: a bad day for nodes", f"{PYTEST} tests/full/test_bad_day_nodes.py"),
    Suite("full: a bad day for documents", f"{PYTEST} tests/full/test_bad_day_documents.py"),
    Suite("full: a bad day for inventories", f"{PYTEST} tests/full/test_bad_day_inventory.py"),
    Suite("full: the kernel of a distribution", f"{PYTEST} tests/full/test_distribution_kernel.py"),
    Suite("full: fuzzing the parsers of received frames", f"{SIDE_BY_SIDE} tests/full/test_wire_fuzz.py"),
    Suite("full: Debian 12 and 13 in one cluster", f"{PYTEST} tests/full/test_mixed.py"),
    Suite("full: MPICH under Slurm", f"{PYTEST} tests/full/test_slurm.py"),
    Suite("full: daemons that send to groups", f"{PYTEST} tests/full/test_daemons.py"),
    Suite("full: packages of a lab", f"{PYTEST} tests/full/test_packages.py"),
    *(Suite(f"full: the README on {suite}", f"scripts/try-suite.sh {suite}") for suite in ("bookworm", "trixie")),
    *(Suite(f"full: fuzzing {what} for five minutes", _fuzz(what)) for what in FUZZED),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="only suites whose name contains one of these")
    parser.add_argument("--full", action="store_true", help="also the suites that take long")
    chosen = parser.parse_args()
    suites = SUITES + (LONGER if chosen.full else ())
    for word in chosen.suites:
        if not any(word in suite.name for suite in suites):
            names = ", ".join(f'"{suite.name}"' for suite in suites)
            parser.error(f"{word}: no suite has this in its name; expected part of: {names}")
    receive_interrupts()
    total = Tally()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for suite in suites:
        if not chosen.suites or any(word in suite.name for word in chosen.suites):
            total.add(run(suite, chosen.full))
    print()
    for each in total.skipped:
        print(f"skipped: {each}")
    for each in total.failed:
        print(f"FAILED: {each}")
    print(total, flush=True)
    return 1 if total.failed or not total.passed else 0


def receive_interrupts() -> None:
    """Makes SIGINT effective, also if the shell that started this in the background ignores it.

    Programs inherit ignored signals (execve(2)), and some tests interrupt such a program. SIGHUP stays as it is: nohup
    ignores it so that the run outlives its terminal.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


def run(suite: Suite, full: bool) -> Tally:
    """Runs one suite. Molecule's verifier may also write JUnit files, which count as tests of the suite."""
    print(f"\n==> {suite.name}", flush=True)
    before = set(RESULTS.glob("*.xml"))
    junit = RESULTS / f"{suite.name.replace(' ', '-').replace(':', '').replace(',', '')}.xml"
    started = time.monotonic()
    status = subprocess.run(
        suite.command.format(junit=shlex.quote(str(junit))), shell=True, cwd=ROOT, env=_environment(full), check=False
    ).returncode
    tally = Tally()
    for file in sorted(set(RESULTS.glob("*.xml")) - before):
        tally.add(_count(file))
    if not junit.exists():
        tally.add(Tally(passed=1) if status == 0 else Tally(failed=[f"{suite.name}: exit status {status}"]))
    elif status and not tally.failed:
        tally.failed.append(f"{suite.name}: exit status {status}")
    print(f"==> {suite.name}: {tally} in {time.monotonic() - started:.0f} s", flush=True)
    return tally


def _environment(full: bool) -> dict[str, str]:
    """The environment of the suites: commands of the virtual environment, the directory for JUnit files of Molecule's
    verifier. With `full` the lab injects every fault."""
    return os.environ | {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "FNN_TEST_RESULTS": str(RESULTS),
        "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"FNN_TEST_FULL": "1"} if full else {}),
    }


def _count(junit: Path) -> Tally:
    tally = Tally()
    for case in ElementTree.parse(junit).iter("testcase"):
        name = f"{case.get('classname')}: {case.get('name')}"
        problems, skips = list(_children(case, "failure", "error")), list(_children(case, "skipped"))
        if problems:
            tally.failed.append(f"{name}: {problems[0]}")
        elif skips:
            tally.skipped.append(f"{name}: {skips[0]}")
        else:
            tally.passed += 1
    return tally


def _children(case: ElementTree.Element, *tags: str) -> Iterator[str]:
    for tag in tags:
        for child in case.findall(tag):
            yield (child.get("message") or child.text or "no reason given").strip().splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
