# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/site_workers.py, as a controller with one worker that holds the lock of a site."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_day import is_locked, wait_for_lock

#: The worker writes more into its pipe than fits. Until the file "done" exists, a child of a "busy" worker runs, and a
#: "working" one works itself.
PROGRAM = """
import fcntl, os, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from fnn.controller import site_workers
site_workers.GRACE = 1
site_workers.end_orphans()
fcntl.flock(os.open(sys.argv[2], os.O_RDONLY), fcntl.LOCK_EX)
reading, writing = os.pipe()
if os.fork() == 0:
    ended = subprocess.Popen(["true"])  # for which it does not wait
    until_done = ["sh", "-c", f"until [ -e {sys.argv[2]}/done ]; do sleep 0.1; done"]
    child = subprocess.Popen(until_done) if "busy" in sys.argv else None
    print("ready", flush=True)
    if "working" in sys.argv:
        with site_workers.mark_as_working():
            while not os.path.exists(sys.argv[2] + "/done"):
                time.sleep(0.1)
    os.write(writing, bytes(1_000_000))
time.sleep(60)
"""


@pytest.fixture
def controller(root: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, str(root / "module_utils"), str(tmp_path), request.param]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    yield process
    (tmp_path / "done").touch()
    process.kill()
    process.wait()


@pytest.mark.parametrize("controller", ["idle"], indirect=True)
def test_a_worker_of_a_killed_controller_that_cannot_deliver_its_result_ends(
    controller: subprocess.Popen[str], tmp_path: Path
) -> None:
    time.sleep(2)
    assert is_locked(tmp_path), "the controller lives"
    controller.kill()
    wait_for_lock(tmp_path, 30)


@pytest.mark.parametrize("controller", ["busy", "working"], indirect=True)
def test_a_worker_of_a_killed_controller_stays_as_long_as_its_task_works(
    controller: subprocess.Popen[str], tmp_path: Path
) -> None:
    controller.kill()
    time.sleep(3)
    assert is_locked(tmp_path)
    (tmp_path / "done").touch()
    wait_for_lock(tmp_path, 30)
