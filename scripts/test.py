#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the suites one after another and ends with one line: N passed, N failed[, N skipped].

A suite with its own test count (pytest, ctest) leaves a JUnit file, from which its tests are added up. Any other
command counts as one test. Every failure and every skip is named with its reason above the last line.

    scripts/test.py [--full] [SUITE ...]

Suites with real daemons measure times and often wait. The others compile and compute. So two suites run at a time: one
that measures times, and one of the others, at the lowest priority until the former have ended, whose output is shown
when it has ended. A suite that mostly waits keeps its priority. With --full, suites run one by one.

SIGINT and SIGTERM end the suites that run, as Ctrl-C does at a terminal, and then all processes that they have left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
RESULTS = ROOT / "build" / "tests"
TIDYING = 120.0  # seconds for the suites that a signal interrupts
#: In the environment of all suites of this run.
MARK = f"FNN_TEST_RUN={os.getpid()}-{time.time_ns()}"


@dataclass(frozen=True)
class Suite:
    """One command; `{junit}` in it stands for the JUnit file that it writes.

    timed: whether it measures times. waits: whether it mostly waits; it then keeps its priority beside the others.
    cleanup: the command that removes what it leaves if it is interrupted.
    """

    name: str
    command: str
    timed: bool = False
    waits: bool = False
    cleanup: str = ""

    @property
    def stem(self) -> str:
        """The name of its files in RESULTS, without an ending."""
        return self.name.replace(" ", "-").replace(":", "").replace(",", "")


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
# Two more than the cores of a small machine, as some tests wait.
SIDE_BY_SIDE = f"{PYTEST} -n 4"
# The time limit only ends a hang: beside busy processes, a suite at the lowest priority hardly gets a processor.
CTEST = "ctest --test-dir {build} --parallel 2 --timeout 14400 --output-on-failure --no-tests=error"
CTEST += " --output-junit {{junit}}"
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


# Users get a g++ build, so the tests are built with clang++. With assertions, the search recomputes every value that it
# claims.
CHECKED_BUILD = _build("test", f"{TESTS}Checked {NEWEST} {STRICT}")

SUITES = (
    Suite("lab", f"{PYTEST} tests/lab", waits=True),
    Suite("lint: ruff", "ruff check . && ruff format --check ."),
    # fnn and fnn-net are scripts, so mypy takes each for the module __main__.
    Suite("lint: mypy", "mypy && mypy roles/fnn_network/files/fnn-net"),
    Suite("lint: yamllint", "yamllint --strict ."),
    Suite("lint: ansible-lint", "python scripts/lint_playbooks.py --offline -q"),
    Suite("lint: shellcheck", "shellcheck --severity=warning scripts/*.sh .ci/run"),
    Suite("designer: newest clang++ and JSON library, with assertions", CHECKED_BUILD),
    Suite("designer: tests", CTEST.format(build="build/designer-test")),
    # Files stay whole, as their tests share what takes long to make. The longest file comes first.
    Suite(
        "unit: documents, plan, golden files, bad documents",
        f"{SIDE_BY_SIDE} --dist loadfile --no-loadscope-reorder tests/errors tests/unit tests/golden",
    ),
    Suite("playbooks without nodes", f"{SIDE_BY_SIDE} tests/playbooks"),
    Suite("node programs on this kernel", f"{PYTEST} -n 4 --dist worksteal tests/kernel", timed=True),
    Suite(
        "molecule: default",
        "molecule test --scenario-name default",
        timed=True,
        cleanup="molecule destroy --scenario-name default",
    ),
)

# Linux schedules sessions as groups, each with a nice value of its own (sched(7), autogroup).
LOWEST_PRIORITY = "{ echo 19 > /proc/self/autogroup; } 2> /dev/null; renice -n 19 $$ > /dev/null"

# These suites take too long to run after every change.
FUZZED = {
    "documents": "cp designer/tests/data/*.json prices/*.json {corpus}",
    "networks": "for each in ib-small ib-mid; do (cd designer/tests/data; cat $each.ibnetdiscover; printf '\\n=\\n';"
    " cat $each.lfts) > {corpus}/$each; done",
}
FUZZING_SECONDS = 600


def _fuzz(what: str) -> str:
    """Fuzzes for ten minutes. Inputs that reach new code stay in build/fuzz-corpus, for the next run.

    The examples of the tests and the committed inputs, which reach most of the code, are its seeds.
    """
    log, corpus = f"build/designer-fuzz/{what}.log", f"build/fuzz-corpus/{what}"
    options = f"-max_total_time={FUZZING_SECONDS} -max_len=16384 -timeout=60"
    fuzz = f"build/designer-fuzz/fuzz/fuzz-{what} {options} {corpus} designer/fuzz/corpus/{what}"
    build = _build("fuzz", f"{CLANG} -DFNN_FUZZ=ON -DFNN_SANITIZE=ON -DCMAKE_BUILD_TYPE=Checked")
    seed = f"mkdir -p {corpus} && {FUZZED[what].format(corpus=corpus)}"
    return f"{build} && {seed} && {fuzz} > {log} 2>&1 && tail -n 1 {log} || (tail -n 40 {log}; exit 1)"


LONGER = (
    # Each file alone, which shows missing includes.
    Suite(
        "full: g++ with sanitizers",
        _build("sanitized", f"{TESTS}Checked -DFNN_SANITIZE=ON -DCMAKE_UNITY_BUILD=OFF"),
    ),
    Suite("full: tests with sanitizers", CTEST.format(build="build/designer-sanitized")),
    Suite(
        "full: proofs of the most nodes",
        f"{CHECKED_BUILD} && FNN_LONG_PROOFS=1 build/designer-test/tests/designer-tests"
        " --gtest_filter=*.ProvesTheMost*Nodes* --gtest_output=xml:{junit}",
    ),
    Suite("full: random specs and rivals", f"{PYTEST} tests/full/test_growth.py tests/full/test_random_specs.py"),
    Suite("full: the quick form finds the fewest switches known", f"{PYTEST} tests/full/test_quick_form.py"),
    Suite("full: permutations of cables", f"{SIDE_BY_SIDE} tests/full/test_permutations.py"),
    Suite("full: permutations of cables in a lab", f"{PYTEST} tests/full/test_lab_permutations.py"),
    Suite("full: exports and their readers", f"{PYTEST} tests/full/test_exports.py"),
    Suite("full: every fault of the table", f"{PYTEST} tests/full/test_fault_table.py"),
    Suite("full: faults of other topologies", f"{PYTEST} tests/full/test_topology_faults.py"),
    Suite("full: failed parts and their replacement", f"{PYTEST} tests/full/test_repairs.py"),
    Suite("full: the tutorial", f"{PYTEST} tests/full/test_tutorial.py"),
    Suite("full: sixteen nodes from ring to torus", f"{PYTEST} tests/full/test_rewiring.py"),
    Suite("full: from other topologies to neighborhoods", f"{PYTEST} tests/full/test_rewiring_growth.py"),
    Suite("full: KLAT2 as 64 containers", f"{PYTEST} tests/full/test_sixtyfour.py"),
    Suite("full: every mode of the fabric", f"{PYTEST} tests/full/test_modes.py"),
    Suite("full: weights in an all-to-all exchange", f"{PYTEST} tests/full/test_weights.py"),
    Suite("full: a lab with slow cables", f"{PYTEST} tests/full/test_lab_speeds.py"),
    Suite("full: safe changes and network managers", f"{PYTEST} tests/full/test_managers.py"),
    Suite("full: owners of NICs and their remedies", f"{PYTEST} tests/full/test_other_owners.py"),
    Suite("full: a gateway", f"{PYTEST} tests/full/test_gateway.py"),
    Suite("full: heads and spares on the uplink", f"{PYTEST} tests/full/test_uplink.py"),
    Suite("full: a tree on the same wiring", f"{PYTEST} tests/full/test_tree.py"),
    Suite("full: clusters of other topologies", f"{PYTEST} tests/full/test_topologies.py"),
    Suite("full: a maintenance network", f"{PYTEST} tests/full/test_maintenance.py"),
    Suite("full: live cabling in a browser", f"{PYTEST} tests/full/test_wire_page.py"),
    Suite("full: the documentation as a site", f"{PYTEST} tests/full/test_documentation_site.py"),
    Suite("full: alerts and dashboard in Prometheus", f"{PYTEST} tests/full/test_monitoring_prometheus.py"),
    Suite("full: reports in a browser", f"{PYTEST} tests/full/test_reports.py tests/full/test_report_script.py"),
    Suite("full: nodes without a management NIC", f"{PYTEST} tests/full/test_access.py"),
    Suite("full: a bad day for controllers", f"{PYTEST} tests/full/test_bad_day_controller.py"),
    Suite("full: a bad day for nodes", f"{PYTEST} tests/full/test_bad_day_nodes.py"),
    Suite("full: a bad day for documents", f"{PYTEST} tests/full/test_bad_day_documents.py"),
    Suite("full: a bad day for inventories", f"{PYTEST} tests/full/test_bad_day_inventory.py"),
    Suite("full: the kernel of a distribution", f"{PYTEST} tests/full/test_distribution_kernel.py"),
    Suite("full: fuzzing the parsers of received frames", f"{SIDE_BY_SIDE} tests/full/test_wire_fuzz.py"),
    Suite("full: an evening on virtual machines", f"{PYTEST} -s tests/full/test_machines.py"),
    Suite("full: mistakes on virtual machines", f"{PYTEST} -s tests/full/test_machine_mistakes.py"),
    Suite("full: Debian 12 and 13 in one cluster", f"{PYTEST} tests/full/test_mixed.py"),
    Suite("full: MPICH under Slurm", f"{PYTEST} tests/full/test_slurm.py"),
    Suite("full: daemons that send to groups", f"{PYTEST} tests/full/test_daemons.py"),
    Suite("full: the collection", f"{PYTEST} tests/full/test_collection.py"),
    Suite("full: packages of a lab", f"{PYTEST} tests/full/test_packages.py"),
    Suite("full: versions of Python and Ansible", f"{SIDE_BY_SIDE} tests/full/test_versions.py"),
    *(Suite(f"full: the README on {suite}", f"scripts/try-suite.sh {suite}") for suite in ("bookworm", "trixie")),
    *(Suite(f"full: fuzzing {what} for ten minutes", _fuzz(what)) for what in FUZZED),
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
    picked = [suite for suite in suites if not chosen.suites or any(word in suite.name for word in chosen.suites)]
    receive_interrupts()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    try:
        total = run_one_by_one(picked, full=True) if chosen.full else run_two_at_a_time(picked)
    except KeyboardInterrupt:
        end_leftovers()
        return 130
    print()
    for each in total.skipped:
        print(f"skipped: {each}")
    for each in total.failed:
        print(f"FAILED: {each}")
    print(total, flush=True)
    return 1 if total.failed or not total.passed else 0


def receive_interrupts() -> None:
    """Makes SIGINT effective, also if the shell that started this in the background ignores it; SIGTERM does the same.

    Programs inherit ignored signals (execve(2)), and some tests interrupt such a program. SIGHUP stays as it is: nohup
    ignores it so that the run outlives its terminal.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def run_one_by_one(suites: Sequence[Suite], full: bool = False) -> Tally:
    total = Tally()
    for suite in suites:
        print(f"\n==> {suite.name}", flush=True)
        started = time.monotonic()
        process = start(suite, format_command(suite), full)
        try:
            status = process.wait()
        except KeyboardInterrupt:
            end(suite, process)
            raise
        tally = count(suite, status)
        print(f"==> {suite.name}: {tally} in {time.monotonic() - started:.0f} s", flush=True)
        total.add(tally)
    return total


def run_two_at_a_time(suites: Sequence[Suite]) -> Tally:
    timed, others = ([suite for suite in suites if suite.timed is measured] for measured in (True, False))
    if not (timed and others):
        return run_one_by_one(suites)
    total = Tally()
    background = Background(others)
    background.start()
    try:
        for suite in timed:
            total.add(run_one_by_one([suite]))
            background.show()
        print("\n==> the suites in the background", flush=True)
        background.raise_priority()
        background.join()
        background.show()
    finally:
        background.stop()
    total.add(background.total)
    return total


class Background(threading.Thread):
    """Runs suites one by one, with their output in files: first at the lowest priority, except those that mostly wait.

    total: of the suites shown so far.
    """

    def __init__(self, suites: Sequence[Suite]) -> None:
        super().__init__(daemon=True)
        self.total = Tally()
        self._suites = suites
        self._ended: queue.SimpleQueue[tuple[Suite, int, float]] = queue.SimpleQueue()
        self._running: tuple[Suite, subprocess.Popen[bytes]] | None = None
        self._stopped = False
        self._starting = threading.Lock()
        self._priority = f"{LOWEST_PRIORITY}; "

    def run(self) -> None:
        for suite in self._suites:
            started = time.monotonic()
            with self._output(suite).open("wb") as output:
                with self._starting:
                    if self._stopped:
                        return
                    command = f"{'' if suite.waits else self._priority}{format_command(suite)}"
                    self._running = suite, start(suite, command, stdout=output, stderr=subprocess.STDOUT)
                status = self._running[1].wait()
            self._ended.put((suite, status, time.monotonic() - started))

    def raise_priority(self) -> None:
        """Gives the suites the priority of others, as far as this user may."""
        with self._starting:
            self._priority = ""
            if self._running and self._running[1].poll() is None:
                process = self._running[1].pid
                with contextlib.suppress(OSError):
                    Path(f"/proc/{process}/autogroup").write_text("0")
                with contextlib.suppress(OSError):
                    os.setpriority(os.PRIO_PGRP, process, os.nice(0))

    def show(self) -> None:
        """Prints and counts the suites that ended since the last call."""
        while not self._ended.empty():
            suite, status, seconds = self._ended.get()
            print(f"\n==> {suite.name}", flush=True)
            sys.stdout.write(self._output(suite).read_text(errors="replace"))
            tally = count(suite, status)
            print(f"==> {suite.name}: {tally} in {seconds:.0f} s, in the background", flush=True)
            self.total.add(tally)

    def stop(self) -> None:
        """Ends the suite that runs, if there is one, with all its processes."""
        with self._starting:
            self._stopped = True
        if self._running and self._running[1].poll() is None:
            end(*self._running)
            self.join()

    @staticmethod
    def _output(suite: Suite) -> Path:
        return RESULTS / f"{suite.stem}.log"


def start(suite: Suite, command: str, full: bool = False, **streams: Any) -> subprocess.Popen[bytes]:
    """Starts a suite in a session of its own, which a terminal does not interrupt: end() does."""
    return subprocess.Popen(
        ["sh", "-c", command],
        cwd=ROOT,
        env=_environment(full),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        **streams,
    )


def end(suite: Suite, process: subprocess.Popen[bytes]) -> None:
    """Interrupts a suite, which then tidies up, and ends what is left of it."""
    print(f"\n==> {suite.name}: interrupted", flush=True)
    until = time.monotonic() + TIDYING
    with contextlib.suppress(ProcessLookupError):  # of the whole group
        os.killpg(process.pid, signal.SIGINT)
        while time.monotonic() < until:
            process.poll()
            time.sleep(0.1)
            os.killpg(process.pid, 0)
        os.killpg(process.pid, signal.SIGKILL)
    if suite.cleanup:
        subprocess.run(suite.cleanup, shell=True, cwd=ROOT, env=_environment(full=False), check=False)


def end_leftovers() -> None:
    """Ends all processes that inherited the environment of a suite, whatever session they are in."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if MARK.encode() in path.read_bytes().split(b"\0"):
                os.kill(int(path.parent.name), signal.SIGKILL)


def format_command(suite: Suite) -> str:
    return suite.command.format(junit=shlex.quote(str(RESULTS / f"{suite.stem}.xml")))


def count(suite: Suite, status: int) -> Tally:
    """The tests of a suite that ended with this exit status."""
    junit = RESULTS / f"{suite.stem}.xml"
    if not junit.exists():
        return Tally(passed=1) if status == 0 else Tally(failed=[f"{suite.name}: exit status {status}"])
    tally = _read_junit(junit)
    if status and not tally.failed:
        tally.failed.append(f"{suite.name}: exit status {status}")
    return tally


def _environment(full: bool) -> dict[str, str]:
    """The environment of the suites: commands of the virtual environment, the directory for JUnit files of Molecule's
    verifier. With `full` the lab injects every fault."""
    return os.environ | {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "FNN_TEST_RESULTS": str(RESULTS),
        **dict([MARK.split("=")]),
        "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"FNN_TEST_FULL": "1"} if full else {}),
    }


def _read_junit(junit: Path) -> Tally:
    tally = Tally()
    for case in ElementTree.parse(junit).iter("testcase"):
        name = f"{case.get('classname')}: {case.get('name')}"
        problems, skips = list(_list_reasons(case, "failure", "error")), list(_list_reasons(case, "skipped"))
        if problems:
            tally.failed.append(f"{name}: {problems[0]}")
        elif skips:
            tally.skipped.append(f"{name}: {skips[0]}")
        else:
            tally.passed += 1
    return tally


def _list_reasons(case: ElementTree.Element, *tags: str) -> Iterator[str]:
    """The first line of each reason. CTest gives none, but has the output of GoogleTest, where it follows "Failure"."""
    printed = re.search(r": Failure\n\s*(\S.*)", case.findtext("system-out") or "")
    for tag in tags:
        for child in case.findall(tag):
            reason = child.get("message") or child.text or (printed and printed[1]) or "no reason given"
            yield reason.strip().splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
