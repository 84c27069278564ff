# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs that read a node's files: fnn-net, systemd and the resident network manager.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...shared.bundle import Bundle
from ...shared.errors import FnnError, Problem
from ...shared.failed import Failed
from ...shared.node_paths import PACKAGE
from ...shared.node_paths import PROGRAM as FNN_NET
from ..net import managers
from ..net.gateway import UNITS as GATEWAY_UNITS
from ..net.originals import list_formerly_managed
from ..net.place import Place
from ..net.rollback import WATCHER

SYSCTL = "/etc/sysctl.d/90-fnn.conf"
PLAN = "/etc/fnn"
UNIT = "fnn-net.service"
#: Links that `systemctl enable` makes.
LINKS = tuple(f"/etc/systemd/system/multi-user.target.wants/{unit}" for unit in (UNIT, WATCHER, *GATEWAY_UNITS))


def run_fnn_net(root: Path, command: str, program_root: Path | None = None) -> dict[str, Any]:
    """The answer of `fnn-net` for the files below `root`. Raises FnnError with each line of its errors.

    program_root: the root of the program, if not the same.
    """
    # A program in a temporary directory starts once, so its bytecode would be of no use.
    flags = ["-B"] if program_root is None and command == "diff" else []
    program = [sys.executable, *flags, str((program_root or root) / FNN_NET.lstrip("/")), command, "--root", str(root)]
    files = ["--etc", str(root / PLAN.lstrip("/")), "--sysctl", str(root / SYSCTL.lstrip("/"))]
    done = subprocess.run(program + files, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"fnn-net {command}: exit code {done.returncode}"]
        raise FnnError(Problem("", line.replace(f"{root}/", "/") if root != Path("/") else line) for line in lines)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def is_program(path: str) -> bool:
    """Whether a file is fnn-net or a part of it."""
    return path == FNN_NET or path.startswith(f"{PACKAGE}/")


@contextmanager
def place_files(bundle: Bundle, kept: Mapping[str, str], programs: bool = False) -> Iterator[Path]:
    """A temporary directory with the plan of a bundle, which the node does not have yet.

    kept: path -> text of further files of the node, its former plan in a cutover. programs: whether it has the programs
    of the bundle as well.
    """
    bundle.find(FNN_NET)
    wanted = {
        file.path: file.content
        for file in bundle.files
        if file.path == SYSCTL or file.path.startswith(f"{PLAN}/") or (programs and is_program(file.path))
    }
    with tempfile.TemporaryDirectory(prefix="fnn-") as directory:
        for path, text in {**wanted, **kept}.items():
            place = Path(directory, path.lstrip("/"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        yield Path(directory)


def preview(bundle: Bundle, kept: Mapping[str, str], installed: Path | None) -> dict[str, Any]:
    """The changes that fnn-net would make with a bundle. kept: as for `place_files`. Raises FnnError.

    installed: the root of a node that has the same fnn-net, which is compiled there; None if it differs.
    """
    with place_files(bundle, kept, programs=installed is None) as directory:
        return run_fnn_net(directory, "diff", installed)


def is_active(unit: str) -> bool:
    return managers.is_active(unit)


def is_enabled(unit: str = UNIT) -> bool:
    return managers.is_enabled(unit)


def enable(unit: str = UNIT) -> None:
    """Enables a unit at boot. Raises FnnError."""
    run("systemctl", "--quiet", "enable", unit)


def disable() -> None:
    """Disables and stops fnn-net.service; the network stays as it is. Raises FnnError."""
    run("systemctl", "--quiet", "disable", UNIT)
    run("systemctl", "stop", UNIT)


def reload_readers(paths: Iterable[str]) -> list[str]:
    """Reloads the programs that read the changed files; returns one message per reload. Raises FnnError."""
    try:
        return managers.reload_readers(paths, list_formerly_managed(Place()))
    except Failed as failure:
        raise FnnError(Problem("", message) for message in failure.messages) from None


def run(*command: str) -> None:
    try:
        managers.run(*command)
    except Failed as failure:
        raise FnnError(Problem("", message) for message in failure.messages) from None
