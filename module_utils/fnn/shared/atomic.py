# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files atomically: a reader finds the old content or the new one, never a part.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_RANDOM = 8  # characters that mkstemp adds
_NEW = 2.0  # seconds


def write_atomic(
    path: str | Path,
    data: bytes | str,
    mode: int = 0o644,
    owner: tuple[int, int] | None = None,
    durable: bool = True,
) -> bool:
    """Make `path` hold exactly `data` with `mode` (and `owner`, a uid and gid); True when anything changed.

    A file that is already right is not touched, so its mtime is that of its last change. Otherwise the new
    content is written beside it, flushed to the disk and renamed over it: a power cut leaves one of the two.
    Missing directories above are made. `durable=False` omits the flushes, for files that can be made again.
    A device or a pipe is written to in place; a symbolic link is replaced. Temporary files of a writer that was
    killed are removed. Raises OSError, with the name of the file.
    """
    path = Path(path)
    content = data.encode() if isinstance(data, str) else data
    with add_filename(path):
        return _replace(path, content, mode, owner, durable)


@contextlib.contextmanager
def add_filename(path: Path) -> Iterator[None]:
    """Adds the name of this file to an OSError. A full disk gives no name, a temporary file its own."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _replace(path: Path, content: bytes, mode: int, owner: tuple[int, int] | None, durable: bool) -> bool:
    if _is_special(path):
        path.write_bytes(content)
        return True
    _remove_leftovers(path)
    if _is_already(path, content, mode, owner):
        return False
    with _writing(path, content, mode, owner) as (new, temporary):
        if durable:
            os.fsync(new.fileno())
        temporary.rename(path)
    if durable:
        flush_directory(path.parent)
    return True


@contextlib.contextmanager
def _writing(path: Path, content: bytes, mode: int, owner: tuple[int, int] | None) -> Iterator[tuple[IO[bytes], Path]]:
    """A temporary file with that content, beside `path`; an error in the block removes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as new:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(new, fcntl.LOCK_EX | fcntl.LOCK_NB)  # see _remove_leftovers
            new.write(content)
            os.fchmod(new.fileno(), mode)
            if owner is not None:
                os.fchown(new.fileno(), *owner)
            new.flush()
            yield new, Path(temporary)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _remove_leftovers(path: Path) -> None:
    """Removes temporary files of `path` that no process writes any more.

    A writer holds a lock on its own; new files are kept, as their writer may not have the lock yet.
    """
    for temporary in _list_hidden(path.parent):
        if not (temporary.startswith(f".{path.name}.") and len(temporary) == len(path.name) + 2 + _RANDOM):
            continue
        try:
            with (path.parent / temporary).open("rb") as left:
                fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if abs(time.time() - os.fstat(left.fileno()).st_mtime) > _NEW:
                    (path.parent / temporary).unlink()
        except OSError:
            continue  # another writer has locked it, or has removed it


@functools.lru_cache(maxsize=256)
def _list_hidden(directory: Path) -> tuple[str, ...]:
    """Hidden files when this process first wrote to the directory: only older files are removed."""
    try:
        return tuple(each.name for each in os.scandir(directory) if each.name.startswith("."))
    except OSError:
        return ()


@dataclass(frozen=True)
class Wanted:
    """A file to write, or to remove if its content is None."""

    place: Path
    content: bytes | None
    mode: int
    owner: tuple[int, int]


def put_file(place: Path, content: bytes | None, mode: int, owner: tuple[int, int]) -> None:
    """Writes a file, or removes it (None). It may be mounted into a container, as /etc/hosts often is.

    Raises OSError.
    """
    put_files([Wanted(place, content, mode, owner)])


def put_files(files: Iterable[Wanted]) -> None:
    """Does what `put_file` does for each file, in their order, and flushes all of them together.

    Each flush waits for the disk, or for a commit of its journal. Here all contents are on their way to the disk before
    the first flush, which then waits for all. Raises OSError; until the last content is on the disk, no file changes.
    """
    with contextlib.ExitStack() as writing:
        prepared = [(each, _prepare(each, writing)) for each in files]
        written = [(each, ready[0]) for each, ready in prepared if ready]
        for _, new in written:
            os.posix_fadvise(new.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # Linux starts to write to the disk
        for each, new in written:
            with add_filename(each.place):
                os.fsync(new.fileno())
        changed: dict[Path, None] = {}
        for each, ready in prepared:
            with add_filename(each.place):
                if ready:
                    _rename_over(ready[1], each)
                elif not _put_at_once(each):
                    continue
            changed[each.place.parent] = None
        for directory in changed:
            flush_directory(directory)


def _prepare(wanted: Wanted, writing: contextlib.ExitStack) -> tuple[IO[bytes], Path] | None:
    """A temporary file with the content; None if there is nothing to flush before the change."""
    with add_filename(wanted.place):
        if wanted.content is None or _is_special(wanted.place):
            return None
        _remove_leftovers(wanted.place)
        if _is_already(wanted.place, wanted.content, wanted.mode, wanted.owner):
            return None
        return writing.enter_context(_writing(wanted.place, wanted.content, wanted.mode, wanted.owner))


def _put_at_once(wanted: Wanted) -> bool:
    """Removes a file, or writes to a device or a pipe in place. Whether its directory changed."""
    place = wanted.place
    if wanted.content is None:
        if not (place.is_symlink() or place.exists()):
            return False
        place.unlink()
        return True
    if _is_special(place):
        place.write_bytes(wanted.content)
    return False


def _rename_over(temporary: Path, wanted: Wanted) -> None:
    try:
        temporary.rename(wanted.place)
    except OSError as error:
        # A mount point cannot be replaced by rename(2).
        if error.errno != errno.EBUSY or wanted.content is None:
            raise
        temporary.unlink()
        wanted.place.write_bytes(wanted.content)


def make_link(place: Path, target: str) -> None:
    """Makes a symbolic link, in place of any former file. Raises OSError."""
    with add_filename(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_name(f".{place.name}.new")
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(target)
        temporary.rename(place)
        flush_directory(place.parent)


def _is_special(path: Path) -> bool:
    try:
        kind = path.lstat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or stat.S_ISLNK(kind))


def _is_already(path: Path, content: bytes, mode: int, owner: tuple[int, int] | None) -> bool:
    try:
        found = path.stat()
        if path.is_symlink() or found.st_mode & 0o7777 != mode:
            return False
        if owner is not None and (found.st_uid, found.st_gid) != owner:
            return False
        return path.read_bytes() == content
    except FileNotFoundError:
        return False


def flush_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
