# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire and ./fnn discover --power-on in the background end on a signal and run their cleanup.

./fnn, its Python and the shell that starts it are real; small programs replace ansible-playbook and ssh.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_until

#: Writes the document of the playbook, and a line for every run.
PLAYBOOK = """#!{python}
import json, pathlib, sys
root = pathlib.Path({root!r})
words = json.loads(sys.argv[5])
with (root / "asked").open("a") as asked:
    asked.write(words.get("fnn_wire", words.get("fnn_power_on")) + "\\n")
file = pathlib.Path(words.get("fnn_wire_file", words.get("fnn_discover_file")))
file.parent.mkdir(exist_ok=True)
file.write_text((root / "wire.json").read_text())
"""
#: Prints nothing and ends at the end of its input, as a reader does.
SSH = """#!/bin/sh
exec {reader}
"""


def make_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def wait_for(fact: Callable[[], Any], what: str) -> None:
    try:
        wait_until(fact, 30)
    except AssertionError as late:
        raise AssertionError(what) from late


class Clone:
    """A clone of the repository with replacements for ansible-playbook and ssh."""

    def __init__(self, root: Path, place: Path) -> None:
        self.place, self.reader = place, place / "reader"
        self.reader.symlink_to(shutil.which("cat") or "/bin/cat")
        shutil.copy(root / "fnn", place)
        shutil.copytree(root / "module_utils", place / "module_utils", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("schemas", "inventory"):
            (place / name).symlink_to(root / name)
        make_program(place / ".venv/bin/ansible-playbook", PLAYBOOK.format(python=sys.executable, root=str(place)))
        make_program(place / "ssh", SSH.format(reader=self.reader))
        reach = {"host": "192.0.2.1", "program": str(place / "ssh")}
        head = {"reach": reach, "device": "eth9", "namespace": "", "prefix": "10.90.0.0/24"}
        places = {"site": str(root / "inventory/lab"), "build": str(place / "build")}
        wire = {"format": "fnn-wire", "version": 1, "cluster": "six", **places}
        nodes = {f"k0{number}": reach for number in range(6)}
        (place / "wire.json").write_text(json.dumps({**wire, "nodes": nodes, "head": head}))

    def start(self, shell: str, command: str) -> int:
        """Starts ./fnn by this line of a shell; returns its process id."""
        line = shell.format(f"{sys.executable} {self.place}/fnn {command}") + " > out 2>&1 & echo $!"
        done = subprocess.run(["sh", "-c", line], cwd=self.place, capture_output=True, text=True, check=True)
        return int(done.stdout)

    def readers(self) -> list[str]:
        found = subprocess.run(["pgrep", "-fx", str(self.reader)], capture_output=True, text=True, check=False)
        return found.stdout.split()

    def asked(self) -> list[str]:
        return (self.place / "asked").read_text().split()


@pytest.fixture
def clone(root: Path, tmp_path: Path) -> Iterator[Clone]:
    clone = Clone(root, tmp_path)
    yield clone
    for each in clone.readers():
        os.kill(int(each), signal.SIGKILL)


def has_ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


#: `make test` takes each pair of two of them once.
SHORT = {
    ("wire --json", "{}", signal.SIGTERM),
    ("wire --json", "nohup {}", signal.SIGHUP),
    ("discover --power-on", "{}", signal.SIGHUP),
    ("discover --power-on", "nohup {}", signal.SIGTERM),
}


@pytest.mark.parametrize(
    ("command", "shell", "number"),
    [
        pytest.param(*each, marks=[] if each in SHORT else pytest.mark.long)
        for each in product(["wire --json", "discover --power-on"], ["{}", "nohup {}"], [signal.SIGTERM, signal.SIGHUP])
    ],
)
def test_a_signal_ends_live_work_in_the_background(
    clone: Clone, command: str, shell: str, number: signal.Signals
) -> None:
    process = clone.start(shell, command)
    try:
        wait_for(clone.readers, "no reader was started")
        os.kill(process, number)
        wait_for(lambda: has_ended(process), f"{command} does not end")
    finally:
        if not has_ended(process):
            os.kill(process, signal.SIGKILL)
    assert clone.readers() == []
    assert clone.asked() == ["start", "stop"]
    assert "Traceback" not in (clone.place / "out").read_text()
