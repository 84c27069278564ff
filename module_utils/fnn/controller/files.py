# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files atomically: a reader finds the old content or the new. shared/atomic.py has the part for nodes."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..shared import atomic
from ..shared.errors import FnnError, Problem
from ..shared.failed import find_remedy

#: The designer's limit (designer/src/base/reading.h). No input of a cluster is larger; a device may have no end.
MOST_MEBIBYTES = 256


class WriteFailed(FnnError, OSError):
    """A file could not be written and is unchanged. One line names the file, the reason and the remedy."""


def write_atomic(path: str | Path, data: bytes | str, mode: int = 0o644, durable: bool = True) -> bool:
    """Make the file at `path` hold exactly `data`; True when anything changed (shared/atomic.py).

    For files of the controller: a symbolic link keeps its place, and the file it points to is replaced.
    Raises WriteFailed, an FnnError and an OSError.
    """
    with _report_failure(path):
        return atomic.write_atomic(os.path.realpath(path), data, mode, durable=durable)


def replace_file(path: Path, data: bytes, mode: int) -> None:
    """Writes one of thousands of files that can be made again, all by this process: not flushed, with little work.

    A reader finds the old content, the new one, or for a moment no file: ext4 flushes a file that replaces another
    (`auto_da_alloc`), which takes milliseconds. Raises WriteFailed, and leaves the old file.
    """
    if path.is_symlink():
        write_atomic(path, data, mode, durable=False)
        return
    new = path.with_name(f".{path.name}.new")
    with _report_failure(path):
        try:
            _write(new, data, mode)
            path.unlink(missing_ok=True)
            new.rename(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, mode)
        file.write(data)


def renew_time(path: str | Path) -> None:
    """Sets the modification time of a file to the present time. Raises WriteFailed."""
    with _report_failure(path):
        os.utime(path)


@contextlib.contextmanager
def _report_failure(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason, remedy = error.strerror or str(error), find_remedy(error, Path(path).parent)
        raise WriteFailed(
            [Problem(str(path), f"cannot be written: {reason}; the file is unchanged; {remedy}")]
        ) from None


def read_bounded(path: str | Path) -> bytes:
    """The content of a file. Raises OSError, also when it is larger than MOST_MEBIBYTES."""
    with Path(path).open("rb") as file:
        content = file.read((MOST_MEBIBYTES << 20) + 1)
    if len(content) > MOST_MEBIBYTES << 20:
        raise OSError(errno.EFBIG, f"larger than {MOST_MEBIBYTES} MiB", str(path))
    return content


def write_changed(directory: Path, files: Mapping[str, str], check: bool) -> list[str]:
    """Writes the files that differ from those in the directory, unless `check`; returns their names."""
    changed = [name for name, text in files.items() if _read(directory / name) != text.encode()]
    for name in () if check else changed:
        write_atomic(directory / name, files[name])
    return changed


def _read(path: Path) -> bytes | None:
    return read_bounded(path) if path.is_file() else None
