# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms of module_utils/fnn: which may import from which. A path says on which machine a line of code runs."""

from __future__ import annotations

import ast
import functools
import sys
from pathlib import Path

import pytest
from programs import ROOT

PACKAGE = ROOT / "module_utils/fnn"
#: room -> rooms that it may import from, besides itself
ROOMS: dict[str, set[str]] = {
    "shared": set(),
    "node": {"shared"},
    "head": {"shared"},
    "controller": {"shared"},
    "lab": {"shared", "controller"},
}
#: Rooms whose code runs on machines that have nothing but Python.
BARE = ("shared", "node", "head")
MODULES = sorted(PACKAGE.rglob("*.py"))


@functools.cache
def list_imports(path: Path) -> list[tuple[str, ...]]:
    """The names that a file imports, from the package `fnn` down for its own modules: ("fnn", "shared", "errors")."""
    here = ("fnn", *path.relative_to(PACKAGE).parts[:-1]) if path.is_relative_to(PACKAGE) else ()
    names: list[tuple[str, ...]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            names += ((*module, alias.name) for alias in node.names)
    return names


def test_every_module_is_in_a_room() -> None:
    assert {path.relative_to(PACKAGE).parts[0] for path in MODULES} == {*ROOMS, "__init__.py"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_below_it(room: str) -> None:
    allowed = {room, *ROOMS[room]}
    wrong = [
        f"{path.relative_to(PACKAGE)}: {'.'.join(name)}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for name in list_imports(path)
        if name[0] == "fnn" and name[1] not in allowed
    ]
    assert wrong == []


@pytest.mark.parametrize("room", BARE)
def test_code_for_bare_machines_imports_nothing_but_the_standard_library(room: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}: {'.'.join(name)}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for name in list_imports(path)
        if name[0] != "fnn" and name[0] not in sys.stdlib_module_names
    ]
    assert wrong == []


@pytest.mark.parametrize("room", BARE)
def test_tests_of_code_for_bare_machines_need_pytest_alone(room: str) -> None:
    """tests/full/test_versions.py runs them on each Python of a node; `ansible` there is this package alone."""
    helpers = {path.stem for folder in (f"unit/{room}", "", "full") for path in (ROOT / "tests" / folder).rglob("*.py")}
    allowed = {*sys.stdlib_module_names, *helpers, "ansible", "pytest"}
    wrong = [
        f"{path.relative_to(ROOT)}: {'.'.join(name)}"
        for path in sorted((ROOT / "tests/unit" / room).rglob("test_*.py"))
        for name in list_imports(path)
        if name[0] not in allowed
    ]
    assert wrong == []


def test_nothing_imports_ansible() -> None:
    assert [path.name for path in MODULES for name in list_imports(path) if name[0] == "ansible"] == []


def test_ansible_is_imported_only_by_the_file_beside_the_package() -> None:
    assert [path.name for path in PACKAGE.parent.glob("*.py")] == ["fnn_module.py"]
    importers = [path for path in MODULES if any("fnn_module" in name for name in list_imports(path))]
    assert importers == []
