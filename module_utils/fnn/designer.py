# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the design engine and turns its exit codes into answers and errors (controller only).

`fnn-designer` is a program with documents as its interface; its manual is `fnn-designer --help`. Here it is started,
built first if need be, and its verdict is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import FnnError, Problem, count, problem

#: Starts a command and returns its exit code, standard output and standard error.
Runner = Callable[[Sequence[str]], tuple[int, str, str]]

_NOT_FOUND = 3
_INFEASIBLE = 4
_INTERRUPTED = (130, 143)  # by Ctrl-C or SIGTERM; the best so far is written
_VERDICTS = {2: "bad-input", _NOT_FOUND: "not-found", _INFEASIBLE: "infeasible"} | dict.fromkeys(
    _INTERRUPTED, "interrupted"
)


class DesignFailed(FnnError):
    """No design. `report` is what the engine said: its problems, or its certificate and suggestions."""

    def __init__(self, verdict: str, problems: Iterable[Problem], report: Mapping[str, Any]) -> None:
        super().__init__(problems)
        self.verdict = verdict
        self.report = report


class Designer:
    """The engine at `program`."""

    def __init__(self, program: Path, run: Runner) -> None:
        self._program = program
        self._run = run

    def build(self, root: Path) -> bool:
        """Compile the engine into `root`/bin unless the program is there; True when it was built. Raises FnnError."""
        if self._program.exists():
            return False
        build = str(root / "build" / "designer")
        for command in (
            ["cmake", "-S", str(root / "designer"), "-B", build, "-DCMAKE_BUILD_TYPE=Release"],
            ["cmake", "--build", build, "--parallel", "2", "--target", "fnn-designer"],
            ["cmake", "--install", build, "--prefix", str(root)],
        ):
            code, out, error = self._run(command)
            if code:
                tail = "\n".join((out + error).splitlines()[-20:])
                raise problem(str(self._program), f"could not be built, {' '.join(command)} said:\n{tail}")
        return True

    def design(self, spec: Path, design: Path, options: Mapping[str, Any]) -> dict[str, Any]:
        """Search for a design for the file `spec` and write it to the file `design`.

        options: the engine's, with _ for -: "seed", "time_limit" (seconds), "near" (a design); None: not given.
        Returns the engine's report {"verdict", "seconds", ...}. Raises DesignFailed; when its verdict is "not-found",
        the best design found has been written.
        """
        command = [str(self._program), "design", str(spec), "-o", str(design)]
        for name, value in options.items():
            flag = f"--{name.replace('_', '-')}"
            if value is True:
                command.append(flag)
            elif value is not None and value is not False:
                command += [flag, str(value)]
        code, out, error = self._run(command)
        report = _read_report(out)
        if code:
            raise DesignFailed(_VERDICTS.get(code, "failed"), _tell_failure(code, report, error, spec.name), report)
        return report

    def check(self, design: Path) -> None:
        """Let the engine's independent checker look at a design. Raises FnnError with every violation."""
        code, out, error = self._run([str(self._program), "check", str(design)])
        if code:
            report = _read_report(out)
            found = report.get("violations") or report.get("problems")
            raise FnnError(_locate(found, design.name) if found else [Problem(design.name, error.strip())])


def _read_report(out: str) -> dict[str, Any]:
    try:
        report = json.loads(out)
    except json.JSONDecodeError:
        return {}
    return report if isinstance(report, dict) else {}


def _tell_failure(code: int, report: Mapping[str, Any], error: str, spec: str) -> list[Problem]:
    if "problems" in report:
        return _locate(report["problems"], spec)
    if code == _NOT_FOUND:
        pairs = count(report.get("uncovered", 0), "pair")
        text = f"no design found; the best leaves {pairs} without a shared switch"
        return [Problem("", text), Problem("", "search longer (fnn_time_limit) or from another start (fnn_seed)")]
    if code in _INTERRUPTED and "uncovered" in report:
        pairs = count(report["uncovered"], "pair")
        return [Problem("", f"the search was interrupted; its best so far leaves {pairs} without a shared switch")]
    if code == _INFEASIBLE and "certificate" in report:
        certificate, suggestions = report["certificate"], report.get("suggestions", [])
        told = [Problem(spec, f"no design can exist ({certificate['bound']} bound): {certificate['message']}")]
        told += _tell_suggestions("any one of these changes makes it feasible:", suggestions, designed=True)
        told += _tell_suggestions("any one of these changes would satisfy every bound:", suggestions, designed=False)
        return told
    lines = error.splitlines() or [f"fnn-designer ended with exit code {code} and said nothing"]
    return [Problem("", line) for line in lines]


def _tell_suggestions(words: str, suggestions: Iterable[Mapping[str, Any]], *, designed: bool) -> list[Problem]:
    """Those the engine has found a design for, or those that it only could not rule out."""
    lines = [
        f"  {each['message']}" + (f", for {each['price']:g}" if "price" in each else "")
        for each in suggestions
        if each.get("designed", False) == designed
    ]
    return [Problem("", line) for line in ([words, *lines] if lines else [])]


def _locate(found: Iterable[Mapping[str, str]], name: str) -> list[Problem]:
    """The engine's problems; a bare pointer gets the name of the file it points into."""
    problems = (Problem(each["at"], each["message"]) for each in found)
    return [Problem(f"{name}#{each.at}", each.message) if each.at[:1] == "/" else each for each in problems]
