# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor seconds and memory of a command with all its processes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bench.process_tree import CommandFailed, list_tree, measure_tree

SPIN = "import time\nwhile time.process_time() < 0.5: pass\n"
#: The daemon leaves its parent and session, as the master of an SSH connection does, and ends only on a signal.
DAEMON = f"""
import os, sys, time
if os.fork():
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
{SPIN}
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename(file.name, sys.argv[1])
time.sleep(600)
"""
#: Two processes with 64 MiB each.
APART = """
import os, time
os.fork()
data = os.urandom(64 << 20)
time.sleep(3)
"""
MEMORY = """
import os, time
data = os.urandom(64 << 20)
os.fork()
time.sleep(3)
"""


def test_a_daemon_that_the_command_leaves_is_measured_and_ended(tmp_path: Path) -> None:
    usage = measure_tree([sys.executable, "-IS", "-c", DAEMON, tmp_path / "pid"], tmp_path / "log")
    assert usage.cpu >= 0.5
    assert usage.wall >= 0.5
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text()}").exists()


def test_a_page_that_two_processes_share_counts_once(tmp_path: Path) -> None:
    usage = measure_tree([sys.executable, "-IS", "-c", MEMORY], tmp_path / "log")
    assert 64 << 20 < usage.peak < 100 << 20


def test_a_failed_command_is_shown_from_its_first_error_on(tmp_path: Path) -> None:
    text = "print('before ' * 999 + '[ERROR]: no design' + ' after' * 999); raise SystemExit(3)"
    with pytest.raises(CommandFailed, match=r"exit status 3\n\[ERROR\]: no design"):
        measure_tree([sys.executable, "-IS", "-c", text], tmp_path / "log")


def test_a_tree_has_the_process_itself() -> None:
    assert next(iter(list_tree(os.getpid()))) == os.getpid()
    assert list(list_tree(2**22 + 1)) == [2**22 + 1]


@pytest.mark.parametrize(("memory", "least"), [(True, 128), (False, 64)], ids=["samples", "no samples"])
def test_without_samples_the_peak_is_that_of_the_largest_process(tmp_path: Path, memory: bool, least: int) -> None:
    usage = measure_tree([sys.executable, "-IS", "-c", APART], tmp_path / "log", memory=memory)
    assert least << 20 < usage.peak < (least + 36) << 20
