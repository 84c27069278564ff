# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/site_lock.py; what playbooks make of it is in tests/errors/test_playbooks.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.site_lock import HOLDER, SiteInUse, lock_site, unlock_site

#: Locks a directory, says so, and waits; with "child", a child waits, too, and keeps the lock after its parent.
PROGRAM = """
import os, pathlib, sys, time
sys.path.insert(0, sys.argv[1])
from fnn.site_lock import lock_site
assert lock_site(pathlib.Path(sys.argv[2])) is not None
if "child" not in sys.argv or os.fork():
    print("locked", flush=True)
time.sleep(60)
"""


def hold(root: Path, site: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(root / "module_utils"), str(site), *words]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert holder.stdout and holder.stdout.readline() == "locked\n"
    return holder


@pytest.fixture(autouse=True)
def no_holder() -> Iterator[None]:
    os.environ.pop(HOLDER, None)
    yield
    os.environ.pop(HOLDER, None)


def test_a_killed_holder_holds_nothing_and_no_file_is_left(root: Path, tmp_path: Path) -> None:
    holder = hold(root, tmp_path)
    with pytest.raises(SiteInUse, match=rf"process {holder.pid} \(.*python.*\), since 2.*kill {holder.pid}\)"):
        lock_site(tmp_path)
    holder.kill()
    holder.wait()
    unlock_site(lock_site(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_child_that_still_works_is_named_when_its_parent_is_gone(root: Path, tmp_path: Path) -> None:
    holder = hold(root, tmp_path, "child")
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    try:
        with pytest.raises(SiteInUse) as caught:
            lock_site(tmp_path)
        assert f"process {holder.pid} " not in str(caught.value)
        assert "PROGRAM" not in str(caught.value) and "; wait until it ends, or end it (kill " in str(caught.value)
    finally:
        os.killpg(holder.pid, signal.SIGKILL)


def test_what_a_holder_starts_needs_no_lock_of_its_own(root: Path, tmp_path: Path) -> None:
    handle = lock_site(tmp_path)
    nested = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); from fnn.site_lock import lock_site;"
    nested += "print(lock_site(pathlib.Path(sys.argv[2])))"
    command = [sys.executable, "-c", nested, str(root / "module_utils")]
    other = tmp_path / "other"
    other.mkdir()
    said = [subprocess.check_output([*command, str(place)], text=True) for place in (tmp_path, other)]
    unlock_site(handle)
    assert said[0] == "None\n"
    assert said[1] != "None\n", "the lock is on one directory"
    assert os.environ[HOLDER] == ""


def test_a_holder_that_is_no_ancestor_is_not_believed(root: Path, tmp_path: Path) -> None:
    holder = hold(root, tmp_path)
    os.environ[HOLDER] = f"{holder.pid} {tmp_path}"
    try:
        with pytest.raises(SiteInUse):
            lock_site(tmp_path)
    finally:
        holder.kill()
        holder.wait()
