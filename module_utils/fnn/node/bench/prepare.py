# SPDX-License-Identifier: GPL-3.0-or-later
"""Prepares one node for a benchmark: its program, compiled with each MPI; and removes it afterwards.

The program is in a directory of its own, which exists only during a benchmark: without it, a benchmark ends (watch.py).
Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..mpi.setup import find_missing
from ..net.backup import remove_if_empty
from ..net.place import Place
from ..reach.mpi_programs import MpiProgram, build_mpi_programs

PROGRAM = "fnn_bench"


@dataclass(frozen=True)
class Request:
    """directory: of the programs on the node. source: fnn_bench.c. mpis: (flavor, compiler command).

    packages: that the benchmark uses, by their names in Debian.
    """

    root: Path
    directory: str
    source: str = ""
    mpis: Sequence[tuple[str, str]] = ()
    packages: Sequence[str] = ()
    check: bool = False


def prepare(request: Request) -> dict[str, Any]:
    """Returns changed, files, diff, missing, versions and programs for Ansible.

    Raises FnnError when a compiler fails, and OSError.
    """
    program = MpiProgram(request.directory, PROGRAM, request.source, request.mpis)
    built = build_mpi_programs(request.root, program, request.check)
    versions, paths = built["versions"], built["programs"]
    programs = {flavor: paths[compiler] if versions[flavor] else None for flavor, compiler in request.mpis}
    return {**built, "missing": find_missing(request.packages), "programs": programs}


def collect(request: Request) -> dict[str, Any]:
    """Removes the programs. Returns changed and files. Raises OSError."""
    directory = Place(request.root).locate(request.directory)
    found = sorted(directory.iterdir()) if directory.is_dir() else []
    changed = directory.is_dir()
    if not request.check:
        for path in found:
            path.unlink()
        remove_if_empty(directory)
    return {"changed": changed, "files": [f"{request.directory}/{path.name}" for path in found]}
