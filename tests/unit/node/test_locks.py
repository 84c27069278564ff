# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/locks.py: who gets a lock, for how long others wait, and what they report."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from ansible.module_utils.fnn.apply.safety import lock_changes
from ansible.module_utils.fnn.errors import FnnError
from ansible.module_utils.fnn.node import locks
from ansible.module_utils.fnn.node.failed import Failed
from ansible.module_utils.fnn.node.locks import CHANGE_LOCK, KERNEL_LOCK, locked, open_lock, try_lock
from ansible.module_utils.fnn.node.place import Place


def test_a_lock_that_is_free_again_is_taken(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for _ in range(2):
        with locked(place, KERNEL_LOCK, 0):
            assert (place.locks / KERNEL_LOCK).stat().st_mode & 0o777 == 0o600


def test_who_waits_too_long_is_told_the_file_and_the_time(tmp_path: Path) -> None:
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
            pass  # looks only


def test_a_lock_whose_file_was_removed_meanwhile_is_not_taken_for_the_lock(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with locked(place, CHANGE_LOCK, 0):
        (place.locks / CHANGE_LOCK).unlink()
    with locked(place, CHANGE_LOCK, 0):
        assert (place.locks / CHANGE_LOCK).exists()
