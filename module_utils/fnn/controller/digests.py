# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests by which a run recognizes files that have not changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def compute_sha256(content: bytes) -> str:
    """ "sha256:" and 64 hex digits, as documents have them."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def describe_status(status: os.stat_result) -> str:
    """A text that differs after each change of a file, as the index of git has it, without reading the file.

    A file that is edited has a new time of change (st_ctime), which no program can set.
    """
    return f"{status.st_mode:o} {status.st_size} {status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}"


def list_files(directory: Path) -> Iterator[Path]:
    """All files below a directory, in a fixed order, without the caches of Python."""
    for base, folders, names in os.walk(directory):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        yield from (Path(base, name) for name in sorted(names))
