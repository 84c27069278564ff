# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes sources to a directory of the toolkit on a node and compiles programs from them.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...shared.bundle import BundledFile
from ..net.place import Place
from .changes import Change, Files, describe
from .compile import compile_file
from .directories import make_directory


@dataclass(frozen=True)
class Program:
    """argv: the compiler command without `-o`; its working directory is that of the program."""

    name: str
    argv: Sequence[str]


@dataclass(frozen=True)
class Build:
    """directory: absolute path on the node. sources: file name -> content.

    versions: pattern of the file names of all versions of the programs; "" for none. current: of those that stay.
    """

    directory: str
    sources: Mapping[str, str] = field(default_factory=dict)
    programs: Sequence[Program] = ()
    versions: str = ""
    current: str = ""


def describe_program(directory: str, name: str, source: str, compilers: Sequence[str]) -> Build:
    """One program in C, compiled with each compiler. A hash of the source in the names separates its versions."""
    stem = f"{name}-{hash_source(source)}"
    programs = [Program(f"{stem}.{compiler}", [compiler, "-O1", f"{stem}.c"]) for compiler in compilers]
    return Build(directory, {f"{stem}.c": source}, programs, versions=f"{name}-*", current=f"{stem}.*")


def hash_source(source: str) -> str:
    """The first twelve digits of its SHA-256."""
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def build(root: Path, wanted: Build, check: bool) -> dict[str, Any]:
    """Makes the directory and its files as wanted; returns changed, files and diff for Ansible.

    root: of the files of the node. check: report the changes and make none. Raises FnnError when a compiler fails, and
    OSError.
    """
    made = make_directory(Place(root), wanted.directory, check)
    sources = [(f"{wanted.directory}/{name}", content) for name, content in sorted(wanted.sources.items())]
    changes = write_files(root, sources, check)
    compiled = list(_compile(root, wanted, check))
    removed = list(_remove_obsolete(root, wanted, check))
    files = [*made, *(change.path for change in changes), *compiled, *removed]
    return {"changed": bool(files), "files": files, "diff": describe(changes)}


def write_files(root: Path, contents: Sequence[tuple[str, str]], check: bool) -> list[Change]:
    """Writes files that belong to the toolkit, given as path and content.

    Returns those that differed. Raises OSError.
    """
    files = Files(root)
    compared = (files.compare(BundledFile(path, "file", 0o644, content), True) for path, content in contents)
    changes = [change for change in compared if change]
    if not check:
        files.make(changes)
    return changes


def _compile(root: Path, wanted: Build, check: bool) -> Iterator[str]:
    directory = Place(root).locate(wanted.directory)
    for program in wanted.programs:
        if compile_file(program.argv, directory / program.name, directory, check):
            yield f"{wanted.directory}/{program.name}"


def _remove_obsolete(root: Path, wanted: Build, check: bool) -> Iterator[str]:
    directory = Place(root).locate(wanted.directory)
    names = sorted(each.name for each in directory.iterdir()) if directory.is_dir() else []
    for name in fnmatch.filter(names, wanted.versions):
        if not fnmatch.fnmatch(name, wanted.current):
            if not check:
                (directory / name).unlink()
            yield f"{wanted.directory}/{name}"
