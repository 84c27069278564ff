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


#: Errors of the disk, for which find_remedy has a remedy.
_REMEDIED = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


def explain(error: Exception) -> str:
    """One line: of an OSError the file, the reason and the remedy if there is one, of any other its text."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    if not isinstance(error.filename, str):
        return error.strerror
    where = Path(error.filename)
    remedy = f"; {find_remedy(error, where.parent)}" if error.errno in _REMEDIED and where.is_absolute() else ""
    return f"{error.filename}: {error.strerror}{remedy}"


def find_remedy(error: OSError, directory: Path) -> str:
    """The remedy for a disk that is full, or for a directory that cannot be written to."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free some space in {directory} (df -h {directory}), then run this again"
    if error.errno == errno.EROFS:
        return f"mount {directory} for writing (findmnt -T {directory}), then run this again"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"run this as a user who may write to {directory}"
    return f"make {directory} writable, then run this again"
