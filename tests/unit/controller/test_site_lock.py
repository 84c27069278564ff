# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/site_lock.py; its use by playbooks is in tests/playbooks/test_playbooks.py."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.site_lock import HOLDER, NAME, SiteInUse, lock_site, unlock_site

#: Locks a directory, prints a line, and waits. With "child", a child also waits, and keeps the lock after its parent.
PROGRAM = """
import os, pathlib, sys, time
sys.path.insert(0, sys.argv[1])
from fnn.controller.site_lock import lock_site
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
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []


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


def test_child_processes_of_a_holder_need_no_lock_of_their_own(root: Path, tmp_path: Path) -> None:
    handle = lock_site(tmp_path)
    nested = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); from fnn.controller.site_lock import lock_site;"
    nested += "print(lock_site(pathlib.Path(sys.argv[2])))"
    command = [sys.executable, "-c", nested, str(root / "module_utils")]
    other = tmp_path / "other"
    other.mkdir()
    outputs = [subprocess.check_output([*command, str(place)], text=True) for place in (tmp_path, other)]
    unlock_site(handle)
    assert outputs[0] == "None\n"
    assert outputs[1] != "None\n", "the lock is on one directory"
    assert os.environ[HOLDER] == ""


def test_a_holder_that_is_no_ancestor_does_not_count(root: Path, tmp_path: Path) -> None:
    holder = hold(root, tmp_path)
    os.environ[HOLDER] = f"{holder.pid} {tmp_path / NAME}"
    try:
        with pytest.raises(SiteInUse):
            lock_site(tmp_path)
    finally:
        holder.kill()
        holder.wait()


def test_a_user_who_can_only_read_a_site_cannot_block_it(tmp_path: Path) -> None:
    """A user can lock (flock) any directory that they can read."""
    intruder = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(intruder, fcntl.LOCK_EX)
    handle = lock_site(tmp_path)
    os.close(intruder)
    assert handle is not None
    unlock_site(handle)


@pytest.mark.parametrize(("site", "lock"), [(0o755, 0o700), (0o2775, 0o770), (0o700, 0o700), (0o777, 0o777)])
def test_those_who_may_write_a_site_may_open_its_lock_and_no_other_user(tmp_path: Path, site: int, lock: int) -> None:
    tmp_path.chmod(site)
    (tmp_path / NAME).mkdir(mode=0o755)  # as in a copy of another site
    unlock_site(lock_site(tmp_path))
    assert (tmp_path / NAME).stat().st_mode & 0o777 == lock


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
def test_root_and_the_owner_of_a_site_exclude_each_other(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12346)
    handle = lock_site(tmp_path)
    status = (tmp_path / NAME).stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (12345, 12346, 0o700)
    for above in [*tmp_path.parents][:-2]:
        above.chmod(above.stat().st_mode | 0o011)
    command = ["flock", "--nonblock", "--conflict-exit-code", "75", str(tmp_path / NAME), "true"]
    users = {user: ["setpriv", f"--reuid={user}", f"--regid={user + 1}", "--clear-groups"] for user in (12345, 23456)}
    ended = {user: subprocess.run([*words, *command], check=False).returncode for user, words in users.items()}
    assert ended[12345] == 75, "the owner waits for root"
    assert ended[23456] not in (0, 75), "another user cannot open the lock"
    unlock_site(handle)
    assert subprocess.run([*users[12345], *command], check=False).returncode == 0


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir(mode=0o755)
    (tmp_path / NAME).symlink_to(target)
    assert lock_site(tmp_path) is None
    assert target.stat().st_mode & 0o777 == 0o755
