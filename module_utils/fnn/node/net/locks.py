# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks between the programs of a node: flock(2) on files below /run/fnn, which only root can enter.

    /run/fnn/change.lock    held while files are changed, or put back
    /run/fnn/kernel.lock    held while the kernel is changed
    /run/fnn/linkd.lock     held as long as fnn-linkd runs (legs_down.py)

A process that can open a file can lock it, so a lock in a public directory lets any user block a change and its
rollback. Every wait here has a timeout and reports the process that holds the lock. A rollback that is due waits GRACE
in total for each lock, then terminates that process.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...shared.failed import Failed
from .place import Place

KERNEL_LOCK, CHANGE_LOCK = "kernel.lock", "change.lock"
TIMEOUT = 60.0  # seconds; fnn-net at boot holds the kernel lock for up to 20 while it waits for NICs
GRACE = 5.0  # seconds that a due rollback waits for a lock in total
_PROC = Path("/proc")
_POLL, _TERMINATION, _PATROL = 0.05, 2.0, 0.5  # seconds


def make_private(directory: Path) -> None:
    """Makes a directory that only its owner can enter; earlier versions left it open to all users. Raises OSError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if directory.stat().st_mode & 0o077:
        directory.chmod(0o700)


def open_lock(path: Path) -> int:
    """A descriptor of the lock file, made if need be. Raises OSError."""
    make_private(path.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    lock = os.open(path, flags, 0o600)
    if not os.fstat(lock).st_mode & 0o077:
        return lock
    os.close(lock)  # from an earlier version: processes of other users may have it open
    path.unlink(missing_ok=True)
    return os.open(path, flags, 0o600)


def try_lock(lock: int) -> bool:
    """Whether this process has the lock now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(place: Place, name: str, seconds: float | None = None) -> Iterator[None]:
    """Holds a lock: the boot unit, a timer, Ansible and an operator may run at the same time.

    seconds: timeout, TIMEOUT unless given. Raises Failed(1) with the holder's name after that, and OSError.
    """
    seconds = TIMEOUT if seconds is None else seconds
    path = place.locks / name
    lock = _acquire(path, seconds)
    if lock is None:
        raise Failed(1, [_describe_timeout(path, seconds)])
    try:
        yield
    finally:
        os.close(lock)


class RollbackLock:
    """A lock that a rollback takes, releases while another program needs it, and takes again.

    A rollback that is due waits GRACE in total for it. Then it terminates the processes that hold the lock; if that
    does not free the lock, it replaces the file. A rollback by hand fails after TIMEOUT, as other programs do.
    """

    def __init__(self, place: Place, name: str, is_due: Callable[[], bool] | None) -> None:
        """is_due: whether the rollback is still due after it has waited; None for a rollback by hand."""
        self.path = place.locks / name
        self.terminated = ""  # processes that held it and were terminated, as text
        self._is_due = is_due
        self._left = GRACE  # seconds
        self._lock: int | None = None

    def take(self) -> bool:
        """Takes the lock; False if the rollback is no longer due. Raises Failed(1) by hand, and OSError."""
        if self._is_due is None:
            self._lock = _acquire(self.path, TIMEOUT)
            if self._lock is None:
                raise Failed(1, [_describe_timeout(self.path, TIMEOUT)])
            return True
        began = time.monotonic()
        self._lock = _acquire(self.path, self._left)
        self._left = max(0.0, self._left - (time.monotonic() - began))
        if self._lock is None and self._is_due():
            self._free(self._try)
            self._lock = self._lock or _acquire(self.path, 0)
        return self._lock is not None

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def wait_for(self, user: subprocess.Popen[str], seconds: float) -> str:
        """Waits until a process that needs the lock has ended; returns its standard error.

        After the rest of GRACE it terminates other processes that hold the lock. Raises subprocess.TimeoutExpired.
        """
        if self._is_due is None:
            return user.communicate(timeout=seconds)[1]
        until = time.monotonic() + seconds
        while True:
            rest = until - time.monotonic()
            try:
                return user.communicate(timeout=min(rest, max(self._left, _PATROL)))[1]
            except subprocess.TimeoutExpired:
                if time.monotonic() >= until:
                    raise
            self._left = 0.0
            self._free(lambda: user.poll() is not None or self._is_left_to(user.pid), user.pid)

    def _free(self, is_free: Callable[[], bool], user: int | None = None) -> None:
        """Terminates the processes that hold the lock, except `user`, until `is_free`."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in find_holders(self.path):
                if process != user:
                    self._note(f"{_describe_process(process)}, which was terminated")
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, number)
            until = time.monotonic() + _TERMINATION
            while time.monotonic() < until:
                if is_free():
                    return
                time.sleep(_POLL)
        self._note(f"{describe_holders(self.path)}, which could not be terminated")
        self.path.unlink(missing_ok=True)  # the next process that waits for the lock creates a new file

    def _try(self) -> bool:
        self._lock = _acquire(self.path, 0)
        return self._lock is not None

    def _is_left_to(self, user: int) -> bool:
        """Whether that process has the lock, or can take it."""
        return user in find_holders(self.path) or not _is_locked(self.path)

    def _note(self, holder: str) -> None:
        text = f"{self.path} was locked by {holder}"
        if text not in self.terminated:
            self.terminated = f"{self.terminated}; {text}" if self.terminated else text


def _is_locked(path: Path) -> bool:
    lock = _acquire(path, 0)
    if lock is not None:
        os.close(lock)
    return lock is None


def _describe_timeout(path: Path, seconds: float) -> str:
    return f"{path} is locked by {describe_holders(path)}, for more than {seconds:g} s; try again later"


def _acquire(path: Path, seconds: float) -> int | None:
    """A descriptor that has the lock, or None after `seconds`. Raises OSError."""
    until = time.monotonic() + seconds
    while True:
        lock = open_lock(path)
        if try_lock(lock) and _is_same(lock, path):
            return lock
        os.close(lock)
        if time.monotonic() >= until:
            return None
        time.sleep(_POLL)


def _is_same(lock: int, path: Path) -> bool:
    """Whether `path` is still the locked file; the last step of a removal deletes it."""
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def find_holders(path: Path) -> list[int]:
    """Other processes that have the locked file open; root sees all.

    /proc/locks does not suffice: it names the process that took the lock, which may have exited since.
    """
    try:
        wanted = path.stat()
    except OSError:
        return []
    processes = [each for each in _PROC.iterdir() if each.name.isdecimal()]
    return sorted({int(each.name) for each in processes if _holds(each, wanted)} - {os.getpid()})


def _holds(process: Path, wanted: os.stat_result) -> bool:
    """Whether a process has the file open and locked. It may exit or close the file meanwhile."""
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:
        return False
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            info = process / "fdinfo" / descriptor.name
            if os.path.samestat(descriptor.stat(), wanted) and "FLOCK" in info.read_text("ascii", "replace"):
                return True
    return False


def describe_holders(path: Path) -> str:
    """Text such as "process 4711 (python3 …)"."""
    return " and ".join(map(_describe_process, find_holders(path) or _find_takers(path))) or "an unknown process"


def _find_takers(path: Path) -> list[int]:
    """Processes that took the lock, from /proc/locks: for a service that may not inspect other processes."""
    try:
        inode = path.stat().st_ino
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    rows = (line.split() for line in lines)  # 1: FLOCK ADVISORY WRITE 4711 00:19:1234 0 EOF
    return [int(row[4]) for row in rows if row[1:2] == ["FLOCK"] and row[5].endswith(f":{inode}")]


def _describe_process(number: int) -> str:
    try:
        words = (Path("/proc") / str(number) / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        words = []
    return f"process {number} ({' '.join(words).strip()[:80]})"
