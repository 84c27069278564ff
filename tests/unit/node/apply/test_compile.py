# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/apply/compile.py: a compiled file is complete or absent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.compile import compile_file
from ansible.module_utils.fnn.shared import atomic
from ansible.module_utils.fnn.shared.errors import FnnError

#: Compilers: "whole" writes all of its output; "half" writes half of it and waits; "none" fails.
COMPILER = """
import pathlib, sys, time
output = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
if "none" in sys.argv:
    sys.exit("no such header")
output.write_bytes(b"half")
if "half" in sys.argv:
    (pathlib.Path(sys.argv[0]).parent / "started").touch()
    time.sleep(60)
output.write_bytes(b"half and half")
"""


@pytest.fixture
def compiler(tmp_path: Path) -> list[str]:
    program = tmp_path / "compiler.py"
    program.write_text(COMPILER)
    return [sys.executable, str(program)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "lib" / "libmpich.so.12"
    path.parent.mkdir()
    return path


def test_a_missing_file_is_compiled_once(compiler: list[str], path: Path) -> None:
    whole = [*compiler, "whole"]
    assert compile_file(whole, path, check=True)
    assert not path.exists()
    assert [compile_file(whole, path) for _ in range(2)] == [True, False]
    assert not compile_file(whole, path, check=True)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"half and half", 0o755)
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_file_counts_as_missing(compiler: list[str], path: Path) -> None:
    path.touch()
    assert compile_file([*compiler, "whole"], path)
    assert path.read_bytes() == b"half and half"


def test_a_compiler_that_is_killed_leaves_no_half_of_a_file(
    compiler: list[str], path: Path, root: Path, tmp_path: Path
) -> None:
    program = "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
    program += "from fnn.node.apply.compile import compile_file; compile_file(sys.argv[3:], Path(sys.argv[2]))"
    command = [sys.executable, "-c", program, str(root / "module_utils"), str(path), *compiler, "half"]
    run = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp_path)}, start_new_session=True)
    while not (tmp_path / "started").exists():
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert not path.exists()
    assert compile_file([*compiler, "whole"], path)
    assert path.read_bytes() == b"half and half"


def test_a_former_run_that_was_cut_off_leaves_nothing(compiler: list[str], path: Path) -> None:
    left = path.parent / f".{path.name}.abcdefgh"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    atomic._list_hidden.cache_clear()
    assert compile_file([*compiler, "whole"], path)
    assert list(path.parent.iterdir()) == [path]


def test_a_compiler_that_fails_or_is_missing_is_named(compiler: list[str], path: Path) -> None:
    with pytest.raises(FnnError) as failed:
        compile_file([*compiler, "none"], path)
    assert str(failed.value) == f"{path}: {sys.executable} ended with 1: no such header"
    with pytest.raises(FileNotFoundError, match="fnn-no-compiler"):
        compile_file(["fnn-no-compiler"], path)
    assert not path.exists()
