# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles a program with each MPI of a node, for the proof and for the benchmark.

Standard library only, Python 3.9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..apply.build import build, describe_program
from .mpi import FLAVOR, LAUNCHERS, read_version

#: The option `mpi` of modules; the fragment MPI of doc_fragments/fnn.py documents it.
MPI: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {"flavor": FLAVOR, "compiler": {"type": "str", "required": True}},
}


@dataclass(frozen=True)
class MpiProgram:
    """directory: of its source and programs on the node. source: in C. mpis: (flavor, compiler command)."""

    directory: str
    name: str
    source: str
    mpis: Sequence[tuple[str, str]]


def list_mpis(option: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    """Flavor and compiler command of each MPI of the option `mpi`."""
    return [(each["flavor"], each["compiler"]) for each in option]


def build_mpi_programs(root: Path, program: MpiProgram, check: bool) -> dict[str, Any]:
    """Returns changed, files and diff for Ansible, versions by flavor, and programs: the path by compiler command.

    root: of the files of the node. A missing MPI is no error of this node alone, because the controller compares all
    nodes: its version is None, and it has no program. Raises FnnError when a compiler fails, and OSError.
    """
    versions = {flavor: read_version(LAUNCHERS[flavor][0]) for flavor, _ in program.mpis}
    compilers = [compiler for flavor, compiler in program.mpis if versions[flavor]]
    wanted = describe_program(program.directory, program.name, program.source, compilers)
    programs = dict(zip(compilers, (f"{wanted.directory}/{each.name}" for each in wanted.programs)))
    return {**build(root, wanted, check), "versions": versions, "programs": programs}
