# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the program of the engine on this machine, and compiles it where it is missing.

An engine outside the toolkit may be of another version, which reads other documents. It counts only if its version is
that of the toolkit.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..shared.errors import FnnError, Problem, problem
from .places import find_generated, find_state, is_collection

#: Starts a command and returns its exit code, standard output and standard error.
Runner = Callable[[Sequence[str]], tuple[int, str, str]]
#: What to do about a missing or old engine.
REMEDY = "build it with make bin/fnn-designer"

_REMEDY_OF_COLLECTION = "the design stage compiles it"
_NAME = "fnn-designer"


def run_command(command: Sequence[str]) -> tuple[int, str, str]:
    """A Runner for processes without an AnsibleModule. Raises OSError if the program cannot be started."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def find_program(root: Path, run: Runner) -> Path | None:
    """The engine of the toolkit at `root`; None if no place has it."""
    return next((place for place in _list_places(root) if not _explain_refusal(place, root, run)), None)


def describe_missing(root: Path, run: Runner) -> FnnError:
    """The error for a missing engine: each place where it was looked for, and what is wrong there."""
    remedy = _REMEDY_OF_COLLECTION if is_collection(root) else REMEDY
    places = [Problem(str(place), f"{_explain_refusal(place, root, run)}; {remedy}") for place in _list_places(root)]
    return FnnError([*places, *([] if shutil.which(_NAME) else [Problem(_NAME, "not on PATH")])])


def compile_program(root: Path, run: Runner) -> Path:
    """Compile the engine: into bin/ of a checkout, or for a collection into the state directory. Raises FnnError."""
    prefix = find_state() if is_collection(root) else root
    program = prefix / "bin" / _NAME
    build = str(find_generated(root) / "designer")
    for command in (
        ["cmake", "-S", str(root / "designer"), "-B", build, "-DCMAKE_BUILD_TYPE=Release"],
        ["cmake", "--build", build, "--parallel", "2", "--target", _NAME],
        ["cmake", "--install", build, "--prefix", str(prefix)],
    ):
        code, out, error = run(command)
        if code:
            tail = "\n".join((out + error).splitlines()[-20:])
            raise problem(str(program), f"could not be built; {' '.join(command)} printed:\n{tail}")
    return program


def read_version(root: Path) -> str:
    """The version of the toolkit, from its single source; empty if this is not there."""
    try:
        text = (root / "designer" / "CMakeLists.txt").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(r"^project\(\S+ VERSION (\S+)", text, re.MULTILINE)
    return found[1] if found else ""


def _list_places(root: Path) -> Iterator[Path]:
    if not is_collection(root):
        yield root / "bin" / _NAME
    yield find_state() / "bin" / _NAME
    found = shutil.which(_NAME)
    if found:
        yield Path(found)


def _explain_refusal(program: Path, root: Path, run: Runner) -> str:
    """Why this program is not the engine of the toolkit at `root`; empty if it is."""
    if not program.exists():
        return "missing"
    wanted = read_version(root)
    if program.parent == root / "bin" or not wanted:
        return ""
    version = run([str(program), "--version"])[1].split()[-1:]
    return "" if version == [wanted] else f"has version {' '.join(version) or 'unknown'} instead of {wanted}"
