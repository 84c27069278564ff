# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles programs and libraries on a node atomically: a file is complete or absent.

A compiler writes its output in place. A node that loses power meanwhile keeps an incomplete file, which later runs
take for a complete one. So the compiler writes to a temporary directory, and the result is written as any other file
of a node: flushed and renamed (shared/atomic.py).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...shared.atomic import write_atomic
from ...shared.errors import problem

_MODE = 0o755


def compile_file(argv: Sequence[str], path: Path, directory: Path | None = None, check: bool = False) -> bool:
    """Compiles `path` unless it is there; True when it was missing.

    argv: the compiler command without `-o`; directory: its working directory. An empty file counts as missing. Raises
    FnnError when the compiler fails, and OSError.
    """
    if path.is_file() and path.stat().st_size:
        return False
    if check:
        return True
    with tempfile.TemporaryDirectory(prefix="fnn-") as temporary:
        output = Path(temporary) / path.name
        done = subprocess.run([*argv, "-o", str(output)], cwd=directory, capture_output=True, text=True, check=False)
        if done.returncode:
            raise problem(str(path), f"{argv[0]} ended with {done.returncode}: {done.stderr.strip()}")
        return write_atomic(path, output.read_bytes(), _MODE)
