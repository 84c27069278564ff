# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the design engine and turns its exit codes into results and errors (controller only).

`fnn-designer` reads and writes documents; `fnn-designer --help` is its manual. This module runs it and parses its
report; engine_program.py finds or compiles it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..shared.errors import FnnError, Problem, count, problem
from .engine_program import REMEDY, Runner, compile_program, describe_missing, find_program

_INTERRUPTED = (130, 143)  # by Ctrl-C or SIGTERM; the best design so far is written
_VERDICTS = {2: "bad-input", 3: "not-found", 4: "infeasible"} | dict.fromkeys(_INTERRUPTED, "interrupted")


class DesignFailed(FnnError):
    """The engine returned no design. `report` has its problems, or its certificate and suggestions."""

    def __init__(self, verdict: str, problems: Iterable[Problem], report: Mapping[str, Any]) -> None:
        super().__init__(problems)
        self.verdict = verdict
        self.report = report


def open_designer(root: Path, run: Runner) -> Designer:
    """The engine of the toolkit at `root`. Raises FnnError, with all places where it may be, when it is missing."""
    program = find_program(root, run)
    if program is None:
        raise describe_missing(root, run)
    return Designer(program, run)


def provide_designer(root: Path, run: Runner, named: str | None, build: bool, launcher: Sequence[str] = ()) -> Designer:
    """The engine `named`, else the one that open_designer finds. Raises FnnError.

    build: compile the latter if it is missing. launcher: the words that start a search as several processes, as
    ["mpirun", "-np", "4"].
    """
    if named:
        if not Path(named).exists():
            raise problem(named, f"missing; {REMEDY}")
        return Designer(Path(named), run, launcher)
    program = find_program(root, run)
    if program is None:
        if not build:
            raise describe_missing(root, run)
        program = compile_program(root, run)
    return Designer(program, run, launcher)


class Designer:
    """The engine at `program`."""

    def __init__(self, program: Path, run: Runner, launcher: Sequence[str] = ()) -> None:
        """launcher: the words that start a search as several processes, as ["mpirun", "-np", "4"]."""
        self._program = program
        self._run = run
        self._launcher = launcher

    @property
    def program(self) -> Path:
        """The path of the engine."""
        return self._program

    def normalize(self, spec: Mapping[str, Any], directory: Path, maintenance: bool = False) -> dict[str, Any]:
        """The normal form of a spec: every default and all pairs of files written out.

        directory: of the files that the spec names. maintenance: that of its maintenance network alone, which is a spec
        of its own. Raises FnnError with every problem, as pointers into the given spec.
        """
        with TemporaryDirectory() as place:
            document = Path(place) / "spec.json"
            document.write_text(_format_json(spec), encoding="utf-8")
            words = ["spec", str(document), "--directory", str(directory), *(["--maintenance"] if maintenance else [])]
            code, out, error = self._run([str(self._program), *words])
        report = _read_report(out)
        if code == 0:
            return report
        if "problems" in report:
            raise FnnError(Problem(each["at"], each["message"]) for each in report["problems"])
        found = error.strip() or _describe_exit(code)
        raise problem("", f"{self._program} cannot read a spec; {REMEDY}. It printed:\n{found}")

    def design(self, spec: Path, design: Path, options: Mapping[str, Any], redundancy: int = 1) -> dict[str, Any]:
        """Search for a design for the file `spec` and write it to the file `design`.

        options: the engine's, with _ for -: "seed", "time_limit" (seconds), "near" (a design); None: not given.
        redundancy: how many switches a pair of the spec must share.
        Returns the engine's report {"verdict", "seconds", ...}, with "progress" {"generation", ...} if that option is
        set, and "warnings", the other lines of its standard error. Raises DesignFailed; when its verdict is
        "not-found", the best design found has been written.
        """
        command = [*self._launcher, str(self._program), "design", str(spec), "-o", str(design)]
        code, out, error = self._run([*command, *_format_options(options)])
        report = _read_report(out)
        if code:
            verdict = "interrupted" if report.get("interrupted") else _VERDICTS.get(code, "failed")
            search = Search(spec.name, redundancy, options.get("headroom") or 0)
            raise DesignFailed(verdict, _report_failure(verdict, report, error or _describe_exit(code), search), report)
        progress, warnings = _split_progress(error)
        return {**report, **({"progress": progress} if options.get("progress") else {}), "warnings": warnings}

    def check(self, design: Path) -> None:
        """Run the engine's independent checker on a design. Raises FnnError with every violation."""
        code, out, error = self._run([str(self._program), "check", str(design)])
        if code:
            raise _report_problems(out, error, design.name)

    def choose_routes(self, design: Path, routes: Path) -> None:
        """Write the routes document of a design. Raises FnnError with every violation that the design has."""
        code, out, error = self._run([str(self._program), "routes", str(design), "-o", str(routes)])
        if code:
            raise _report_problems(out, error, design.name)

    def evaluate(self, design: Path, evaluation: Path, options: Mapping[str, Any]) -> None:
        """Write the evaluation document of a design. Raises FnnError with every violation that the design has.

        options: the engine's: "seed", "patterns" (random ones per estimate), "threads", "alternatives" (names with
        commas between, "all" or "none"), "prices" (a file); None: not given.
        """
        command = [str(self._program), "evaluate", str(design), "-o", str(evaluation)]
        code, out, error = self._run([*command, *_format_options(options)])
        if code:
            raise _report_problems(out, error, design.name)

    def list_capacities(self, ports: str = "2..1024", nics: str = "2..5") -> str:
        """The most nodes that can be joined, as CSV: ports,n2,n3 and so on. Raises FnnError."""
        code, out, error = self._run(
            [str(self._program), "capacity", "--ports", ports, "--nics", nics, "--format", "csv"]
        )
        if code:
            raise _report_problems(out, error, "fnn-designer capacity")
        return out

    def measure(self, spec: Mapping[str, Any], cables: Iterable[tuple[str, int, str]]) -> dict[str, Any]:
        """The design document of a given wiring, complete or not.

        cables: (node, NIC, switch). Raises FnnError for cables that do not fit the spec, each by its node and NIC.
        """
        rows = list(cables)
        with TemporaryDirectory() as directory:
            document, table, target = (Path(directory) / name for name in ("spec.json", "cables.csv", "design.json"))
            document.write_text(json.dumps(spec), encoding="utf-8")
            lines = [f"{node},{nic},{switch}\n" for node, nic, switch in rows]
            table.write_text("".join(["node,nic,switch\n", *lines]), encoding="ascii")
            words = ["import", "--format", "cables", "--spec", str(document), str(table), "-o", str(target)]
            _, out, error = self._run([str(self._program), *words])
            if not target.exists():
                failure = _report_problems(out, error, document.name)
                raise FnnError(_name_cable(each, rows) for each in failure.problems)
            design: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
            return design

    def count_switches(self, nodes: int, nics: int, ports: int) -> int:
        """The fewest switches of so many ports for which the quick form finds a design. Raises FnnError for none."""
        with TemporaryDirectory() as directory:
            path = Path(directory) / "design.json"
            options = {"nodes": nodes, "nics": nics, "ports": ports, "quiet": True, "output": path}
            code, out, error = self._run([str(self._program), "design", *_format_options(options)])
            if code == 0:
                return len(json.loads(path.read_text(encoding="utf-8"))["spec"]["switches"])
        report = _read_report(out)
        if not report:
            raise problem("", error.strip() or _describe_exit(code))
        reason = report.get("certificate", {}).get("message", "no design was found")
        remedies = [f"; it is feasible with {each['message']}" for each in report.get("suggestions", ())]
        raise problem("", f"no number of switches is enough: {reason}{''.join(remedies[:1])}")

    def show(self, design: Path) -> str:
        """The wiring of a design as text for people. Raises FnnError with every violation of the design."""
        code, out, error = self._run([str(self._program), "show", str(design)])
        if code:
            raise _report_problems(out, error, design.name)
        return out

    def list_pairs(self, design: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The pairs of nodes that must share switches.

        Only the engine expands patterns into pairs. Its checker lists every pair of a design without cables.
        """
        uncabled = {
            **design,
            "nodes": [{**node, "links": []} for node in design["nodes"]],
            "switches": [{**switch, "nodes": []} for switch in design["switches"]],
            "uncovered": [],
        }
        with TemporaryDirectory() as directory:
            path = Path(directory) / "design.json"
            path.write_text(json.dumps(uncabled), encoding="utf-8")
            _, out, _ = self._run([str(self._program), "check", str(path)])
        uncovered = (
            each["message"].split() for each in _read_report(out).get("violations", []) if each["at"] == "/uncovered"
        )
        return [(words[0], words[2]) for words in uncovered if words[1] == "and"]


def _format_json(document: Mapping[str, Any]) -> str:
    """Raises FnnError for each key whose value JSON cannot represent."""
    wrong = [key for key, value in document.items() if not _is_json(value)]
    if wrong:
        raise FnnError(Problem(f"/{key}", "has a number that is not finite, or half of a character") for key in wrong)
    return json.dumps(document)


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:  # NaN, infinity, or an unpaired surrogate
        return False
    return True


def _read_report(out: str) -> dict[str, Any]:
    try:
        report = json.loads(out)
    except json.JSONDecodeError:
        return {}
    return report if isinstance(report, dict) else {}


def _format_options(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        if value is None or value is False:
            continue
        yield f"--{name.replace('_', '-')}"
        if value is not True:
            yield str(value)


def _split_progress(error: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Splits the standard error of a successful search into progress reports and warnings."""
    progress, others = [], []
    for line in error.splitlines():
        report = _read_report(line)
        if report:
            progress.append(report)
        elif line.strip():
            others.append(line)
    return progress, others


@dataclass(frozen=True)
class Search:
    """The target of a search: the spec's name, the switches that pairs must share, the room for later nodes."""

    spec: str
    redundancy: int
    headroom: int


def _report_failure(verdict: str, report: Mapping[str, Any], error: str, search: Search) -> list[Problem]:
    if "problems" in report:
        return _locate(report["problems"], search.spec)
    if verdict == "not-found":
        text = f"no design found; the best {_describe_best(report, search)}"
        return [Problem("", text), Problem("", "search longer (fnn_time_limit) or from another start (fnn_seed)")]
    if verdict == "interrupted" and "uncovered" in report:
        return [Problem("", f"the search was interrupted; its best so far {_describe_best(report, search)}")]
    if verdict == "infeasible" and "certificate" in report:
        certificate, suggestions = report["certificate"], report.get("suggestions", [])
        problems = [
            Problem(search.spec, f"no design can exist ({certificate['bound']} bound): {certificate['message']}")
        ]
        problems += _report_suggestions("any one of these changes makes it feasible:", suggestions, designed=True)
        problems += _report_suggestions(
            "any one of these changes would satisfy every bound:", suggestions, designed=False
        )
        return problems
    return [Problem("", line) for line in error.splitlines()]


def _describe_exit(code: int) -> str:
    return f"fnn-designer ended with exit code {code} and printed nothing"


def _describe_best(report: Mapping[str, Any], search: Search) -> str:
    """What the best design lacks, as a verb phrase for a message."""
    pairs = report.get("uncovered", 0)
    if pairs and search.redundancy > 1:
        return f"leaves {count(pairs, 'pair')} with fewer than {search.redundancy} shared switches"
    if pairs:
        return f"leaves {count(pairs, 'pair')} without a shared switch"
    room = report.get("headroom", search.headroom)
    if room < search.headroom:
        return f"has room for {count(room, 'more node')}, not for {search.headroom} (fnn_headroom)"
    return "covers every pair"


def _report_suggestions(words: str, suggestions: Iterable[Mapping[str, Any]], *, designed: bool) -> list[Problem]:
    """The suggestions for which the engine has found a design (`designed`), or those that it could not rule out."""
    lines = [
        f"  {each['message']}" + (f", for {_format_price(each)}" if "price" in each else "")
        for each in suggestions
        if each.get("designed", False) == designed
    ]
    return [Problem("", line) for line in ([words, *lines] if lines else [])]


def _format_price(suggestion: Mapping[str, Any]) -> str:
    """The price with the currency of the spec, if it has one: 12.5 EUR."""
    return f"{suggestion['price']:g} {suggestion.get('currency', '')}".rstrip()


def _report_problems(out: str, error: str, name: str) -> FnnError:
    """The problems that the engine reports in the document `name`, or its standard error when it reports none."""
    report = _read_report(out)
    found = report.get("violations") or report.get("problems")
    return FnnError(_locate(found, name) if found else [Problem(name, error.strip())])


def _name_cable(problem: Problem, rows: Sequence[tuple[str, int, str]]) -> Problem:
    """A problem of a line of our temporary table, with the node and the NIC instead of the line."""
    line = re.fullmatch(r"cables[.]csv line ([0-9]+)", problem.at)
    if line is None:
        return problem
    node, nic, _ = rows[int(line[1]) - 2]  # the first line is the head
    return Problem(f"{node} NIC {nic}", problem.message)


def _locate(found: Iterable[Mapping[str, str]], name: str) -> list[Problem]:
    """The engine's problems; a bare pointer gets the name of the file it points into."""
    problems = (Problem(each["at"], each["message"]) for each in found)
    return [Problem(f"{name}#{each.at}", each.message) if each.at[:1] == "/" else each for each in problems]
