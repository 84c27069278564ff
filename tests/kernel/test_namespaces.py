# SPDX-License-Identifier: GPL-3.0-or-later
"""The namespaces of these tests: what a killed run leaves does not block the next run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from namespaces import NAMESPACES, PREFIX, Cables, run

OTHER = "import namespaces; namespaces.Cables()"


def test_namespaces_of_a_killed_run_are_removed_with_their_processes(cables: Cables) -> None:
    cables.add_node("k00")
    (NAMESPACES / f"{PREFIX}k01").touch()  # the only trace after a reboot where /run is on a disk
    with subprocess.Popen(cables.command("k00", "sleep", "600")) as sleeping:
        while str(sleeping.pid) not in run("ip", "netns", "pids", f"{PREFIX}k00").stdout.split():
            time.sleep(0.01)  # until `ip` has entered the namespace
        cables.nodes = []  # as if this process had added none
        again = Cables()
        assert sleeping.wait(60) == -9
    left = {path.name for path in NAMESPACES.glob(f"{PREFIX}*")}
    assert left == {f"{PREFIX}sw"} and again.ip("sw", "link", "show", "lo")


def test_a_second_run_with_the_same_beginning_is_refused_and_removes_nothing(cables: Cables) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    second = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, check=False, env=environment)
    assert f"another run uses the namespaces {PREFIX}*: set FNN_TEST_PREFIX" in second.stderr
    assert f"{PREFIX}sw" in run("ip", "netns", "list").stdout
