# SPDX-License-Identifier: GPL-3.0-or-later
"""The package of programs on a node: it is complete, and its launchers find it wherever both are installed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from ansible.module_utils.fnn.shared.node_paths import PACKAGE
from programs import PROGRAMS, install_fnn_net

DELIVERED = {PurePosixPath(path).relative_to(PACKAGE) for path in PROGRAMS if path.startswith(PACKAGE)}
FOLDERS = {path.parent for path in DELIVERED}


def list_own_imports(module: PurePosixPath) -> Iterator[PurePosixPath]:
    """The modules that a module of the package imports by relative names."""
    for node in ast.walk(ast.parse(Path(PROGRAMS[f"{PACKAGE}/{module}"]).read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = module.parents[node.level - 1]
            at = base.joinpath(*(node.module or "").split("."))
            yield from (at / f"{each.name}.py" for each in node.names) if at in FOLDERS else [at.with_suffix(".py")]


@pytest.mark.parametrize("module", sorted(DELIVERED), ids=str)
def test_a_node_has_every_module_that_its_programs_import(module: PurePosixPath) -> None:
    assert set(list_own_imports(module)) <= DELIVERED


def run(program: Path, *arguments: str) -> str:
    """The output of the program, with Python's bytecode cache on, as on a node."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, str(program), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def test_the_program_starts_and_leaves_only_what_python_compiled(tmp_path: Path) -> None:
    program = install_fnn_net(tmp_path)
    before = {*tmp_path.rglob("*")}
    assert run(program, "--help").startswith("usage: fnn-net")
    left = {*tmp_path.rglob("*")} - before
    assert left, "each start would compile all modules again"
    assert all("__pycache__" in each.parts and PACKAGE.strip("/") in str(each) for each in left)


def test_each_program_uses_the_package_beside_it(tmp_path: Path) -> None:
    """A node has two packages while the next plan is previewed; a link to a program uses the package of its target."""
    programs = {name: install_fnn_net(tmp_path / name) for name in ("old", "new")}
    for name, program in programs.items():
        (program.parents[1] / "lib/fnn/fnn/node/net/command.py").write_text(f"def main():\n    print({name!r})\n")
        (tmp_path / f"link-{name}").symlink_to(program)
        assert run(program) == run(tmp_path / f"link-{name}") == f"{name}\n"
