# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/locks.py: which process gets a lock, how long others wait, and what they report."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.safety import lock_changes
from ansible.module_utils.fnn.node.net import locks
from ansible.module_utils.fnn.node.net.locks import (
    CHANGE_LOCK,
    KERNEL_LOCK,
    RollbackLock,
    find_holders,
    locked,
    open_lock,
    try_lock,
)
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import Failed


@contextmanager
def held_by_another(path: Path, seconds: float = 60) -> Iterator[subprocess.Popen[bytes]]:
    os.close(open_lock(path))
    with subprocess.Popen(["flock", "--no-fork", path, "sleep", str(seconds)]) as holder:
        while holder.pid not in find_holders(path):
            time.sleep(0.01)
        try:
            yield holder
        finally:
            holder.kill()


def test_a_process_that_exits_meanwhile_hides_no_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 11 only its directory is left, of 13 a descriptor that is closed; 12 holds the lock."""
    lock, proc = tmp_path / "lock", tmp_path / "proc"
    lock.touch()
    for process in ("11", "12/fd", "12/fdinfo", "13/fd", "self"):
        (proc / process).mkdir(parents=True)
    (proc / "12/fd/3").symlink_to(lock)
    (proc / "12/fdinfo/3").write_text("lock: 1: FLOCK ADVISORY WRITE")
    (proc / "13/fd/3").symlink_to(tmp_path / "gone")
    monkeypatch.setattr(locks, "_PROC", proc)
    assert find_holders(lock) == [12]


def test_a_lock_that_is_free_again_is_taken(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        with locked(place, KERNEL_LOCK, 0):
            assert (place.locks / KERNEL_LOCK).stat().st_mode & 0o777 == 0o600


def test_a_timeout_names_the_lock_file_and_the_time(tmp_path: Path) -> None:
    place = Place(tmp_path)
    lock = open_lock(place.locks / KERNEL_LOCK)
    assert try_lock(lock)
    message = re.escape(f"{place.locks / KERNEL_LOCK} is locked by process {os.getpid()} (")
    message += ".*, for more than 0.1 s; try again later$"
    with pytest.raises(Failed, match=message), locked(place, KERNEL_LOCK, 0.1):
        raise AssertionError
    os.close(lock)


def test_a_change_that_finds_another_one_fails_with_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "TIMEOUT", 0.1)
    with lock_changes(tmp_path, check=False):
        message = f"{CHANGE_LOCK} is locked by process"
        with pytest.raises(FnnError, match=message) as refused, lock_changes(tmp_path, check=False):
            raise AssertionError
        assert len(refused.value.problems) == 1
        with lock_changes(tmp_path, check=True):
            pass  # check mode takes no lock


def test_a_lock_whose_file_was_removed_meanwhile_is_not_taken_for_the_lock(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with locked(place, CHANGE_LOCK, 0):
        (place.locks / CHANGE_LOCK).unlink()
    with locked(place, CHANGE_LOCK, 0):
        assert (place.locks / CHANGE_LOCK).exists()


def test_a_due_rollback_waits_for_a_lock_for_the_grace_in_total(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []

    def acquire(path: Path, seconds: float) -> int | None:
        waits.append(seconds)
        return acquire_lock(path, min(seconds, 1.0) if waits[1:] else seconds)

    acquire_lock = locks._acquire
    monkeypatch.setattr(locks, "_acquire", acquire)
    monkeypatch.setattr(locks, "GRACE", 60.0)
    lock = RollbackLock(Place(tmp_path), KERNEL_LOCK, lambda: True)
    with held_by_another(lock.path) as first:
        threading.Timer(0.5, first.kill).start()
        assert lock.take() and lock.terminated == ""
    lock.release()
    with held_by_another(lock.path) as second:
        assert lock.take()
        assert waits[0] == 60.0 > waits[1]
        assert second.wait() != 0
        assert lock.terminated == f"{lock.path} was locked by process {second.pid} (sleep 60), which was terminated"
    lock.release()


def test_a_rollback_that_is_no_longer_due_ends_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "GRACE", 0.2)
    lock = RollbackLock(Place(tmp_path), CHANGE_LOCK, lambda: False)
    with held_by_another(lock.path) as holder:
        assert not lock.take()
        assert holder.poll() is None and lock.terminated == ""


def test_a_lock_whose_holder_cannot_be_terminated_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder is this process, in place of one that ignores SIGKILL while it waits for a disk."""
    monkeypatch.setattr(locks, "GRACE", 0.1)
    monkeypatch.setattr(locks, "_TERMINATION", 0.1)
    place = Place(tmp_path)
    with locked(place, KERNEL_LOCK, 0):
        lock = RollbackLock(place, KERNEL_LOCK, lambda: True)
        assert lock.take() and "which could not be terminated" in lock.terminated
        with pytest.raises(Failed, match="is locked by"), locked(place, KERNEL_LOCK, 0):
            raise AssertionError
        lock.release()
        with locked(place, KERNEL_LOCK, 0):
            pass
