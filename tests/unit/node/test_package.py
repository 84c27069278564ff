# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node as a whole: it needs nothing but Python, and its launcher finds it wherever both lie."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.plan.files import NODE_PACKAGE
from programs import ROOT, install_fnn_net

HOME = ROOT / "module_utils/fnn/node"


def test_every_module_reaches_the_nodes() -> None:
    assert sorted(NODE_PACKAGE) == sorted(path.stem for path in HOME.glob("*.py"))


def imported_by(path: Path) -> Iterator[str]:
    """What a file imports by an absolute name, and by a relative one that leaves the package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level != 1:
            yield "." * node.level + (node.module or "")


@pytest.mark.parametrize("path", sorted(HOME.glob("*.py")), ids=lambda path: path.stem)
def test_a_module_imports_only_its_siblings_and_the_standard_library(path: Path) -> None:
    assert {name.partition(".")[0] for name in imported_by(path)} <= sys.stdlib_module_names


def run(program: Path, *arguments: str) -> str:
    """What it says, with the caches of Python as they are on a node: on."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, str(program), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def test_the_program_starts_and_leaves_nothing_behind(tmp_path: Path) -> None:
    program = install_fnn_net(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run(program, "--help").startswith("usage: fnn-net")
    assert sorted(tmp_path.rglob("*")) == before


def test_each_program_uses_the_package_beside_it(tmp_path: Path) -> None:
    """Two lie on a node while the next plan is previewed; a link to one of them is not another one."""
    programs = {name: install_fnn_net(tmp_path / name) for name in ("old", "new")}
    for name, program in programs.items():
        (program.parents[1] / "lib/fnn/fnn_node/net.py").write_text(f"def main():\n    print({name!r})\n")
        (tmp_path / f"link-{name}").symlink_to(program)
        assert run(program) == run(tmp_path / f"link-{name}") == f"{name}\n"
