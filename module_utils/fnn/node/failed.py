# SPDX-License-Identifier: GPL-3.0-or-later
"""How the programs of a node report what went wrong."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path


class Failed(Exception):
    """An error with its exit code and one message per line."""

    def __init__(self, code: int, messages: Iterable[str]) -> None:
        self.code = code
        self.messages = list(messages)
        super().__init__("\n".join(self.messages))


def explain(error: Exception) -> str:
    """One line: of an OSError the file, the reason and the way out, of any other its text."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    if not isinstance(error.filename, str):
        return error.strerror
    return f"{error.filename}: {error.strerror}; {find_way_out(error, Path(error.filename).parent)}"


def find_way_out(error: OSError, directory: Path) -> str:
    """What a person does about a disk that is full, or a directory that nothing can be written to."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free some space in {directory} (df -h {directory}), then run this again"
    if error.errno == errno.EROFS:
        return f"mount {directory} for writing (findmnt -T {directory}), then run this again"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"run this as a user who may write to {directory}"
    return f"see that {directory} can be written to, then run this again"
