# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks of a node: closed to users, a timeout for each wait, and no obstacle to a rollback. On a real kernel."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.legs_down import take_daemon_lock
from ansible.module_utils.fnn.node.net.locks import CHANGE_LOCK, KERNEL_LOCK, locked
from ansible.module_utils.fnn.node.net.place import Place
from namespaces import PREFIX, Cables
from one_node import Apply
from waiting import read_clock, wait_until

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
#: Opens each file as an unprivileged user who wants to lock it.
OPEN = """
import os, sys
os.stat(sys.argv[1])  # up to here the way is open
for path in sys.argv[2:]:
    for flags in (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY | os.O_CREAT):
        try:
            os.open(path, flags, 0o644)
        except PermissionError:
            continue
        sys.exit(f"{path} can be opened")
"""


@pytest.fixture
def node(cables: Cables) -> Iterator[Apply]:
    """A node whose directories all users can enter, like a real /."""
    directory = Path(tempfile.mkdtemp(prefix="fnn-locks-"))
    directory.chmod(0o755)
    yield Apply(cables, directory)
    shutil.rmtree(directory)


def is_held(path: Path) -> bool:
    return subprocess.run(["flock", "-n", path, "true"], check=False).returncode != 0


@contextmanager
def held_by_another(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of root holds the lock."""
    holder = subprocess.Popen(["flock", "--no-fork", path, "sleep", "600"])
    try:
        wait_until(lambda: is_held(path), 5)
        yield holder
    finally:
        holder.kill()
        holder.wait()


def run_net(node: Apply, *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-B", str(node.root / "usr/local/sbin/fnn-net"), "--root", str(node.root), *words]
    command = ["ip", "netns", "exec", PREFIX + "k00", *program]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_users_cannot_open_a_lock(node: Apply) -> None:
    node.run()
    place = Place(node.root)
    lock = take_daemon_lock(place.locks)
    assert lock is not None
    names = sorted(path.name for path in place.locks.iterdir())
    assert names == [CHANGE_LOCK, KERNEL_LOCK, "linkd.lock"]
    paths = [str(place.locks / name) for name in [*names, "other.lock"]]
    done = subprocess.run(
        [*NOBODY, "/usr/bin/python3", "-IS", "-c", OPEN, node.root, *paths], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_directory_and_a_lock_that_users_had_open_are_closed_to_them(node: Apply) -> None:
    place = Place(node.root)
    place.locks.mkdir(parents=True, mode=0o755)
    former = place.locks / KERNEL_LOCK
    former.touch(0o644)
    user = subprocess.Popen([*NOBODY, "flock", "--no-fork", "-s", former, "sleep", "600"])
    wait_until(lambda: is_held(former), 5)
    node.run()
    with locked(place, KERNEL_LOCK, 0.5):
        assert place.locks.stat().st_mode & 0o777 == 0o700
    user.kill()
    user.wait()


def test_apply_gives_up_in_time_and_names_the_process_that_holds_the_lock(node: Apply) -> None:
    node.run()
    with held_by_another(Place(node.root).locks / KERNEL_LOCK) as holder:
        began = read_clock()
        done = run_net(node, "apply", "--lock-timeout", "1")
        assert read_clock() - began < 5
        path = node.root / "run/fnn" / KERNEL_LOCK
        line = f"fnn-net: {path} is locked by process {holder.pid} (sleep 600), for more than 1 s; try again later\n"
        assert (done.returncode, done.stderr) == (1, line)
    assert json.loads(run_net(node, "apply").stdout)["changed"] is False


@pytest.mark.parametrize("name", [KERNEL_LOCK, pytest.param(CHANGE_LOCK, marks=pytest.mark.long)])
def test_a_rollback_that_is_due_ends_the_process_that_holds_a_lock(node: Apply, name: str) -> None:
    node.run()
    files = node.read_all()
    node.render({"/etc/hosts": "10.78.0.1 other\n", "/etc/fnn/links": "red 02:f0:00:00:00:00 10.77.0.9/24 1400\n"})
    node.run(confirm=2)
    assert node.read_all() != files
    with held_by_another(Place(node.root).locks / name) as holder:
        began = read_clock()
        done = run_net(node, "rollback", "--at-deadline")
        assert (done.returncode, done.stderr) == (0, "")
        assert read_clock() - began < 15
        assert holder.wait(60) != 0
    assert node.read_all() == files
    assert "10.77.0.1/24" in node.cables.ip("k00", "address", "show", "dev", "nic0")
    why = (node.root / "var/lib/fnn/refused/why").read_text()
    assert f"locked by process {holder.pid} (sleep 600), which was terminated" in why
