# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/run_machine.py, with a stand-in for qemu that records what its monitor receives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.lab.machines import run_machine

#: A monitor that answers everything, and ends after the second change of a link.
QEMU = """
import json, socket
listener = socket.socket(socket.AF_UNIX)
listener.bind("monitor")
listener.listen()
links = []
while len(links) < 2:
    with listener.accept()[0] as door, open("received", "a") as log:
        door.sendall(b'{"QMP": {}}\\n')
        for line in door.makefile():
            request = json.loads(line)
            door.sendall(b'{"event": "STOP"}\\n{"return": {}}\\n')
            if request["execute"] == "set_link":
                links.append(request)
                log.write(line)
                log.flush()
"""


@pytest.fixture
def program(root: Path) -> Path:
    return root / "module_utils/fnn/lab/machines/run_machine.py"


def test_nics_without_carrier_are_unplugged_in_the_machine(program: Path, tmp_path: Path) -> None:
    """Devices that do not exist have no carrier."""
    settings = {"command": [sys.executable, "-c", QEMU], "devices": ["absent0", "absent1"]}
    (tmp_path / "machine.json").write_text(json.dumps(settings))
    subprocess.run([sys.executable, program, "machine.json"], cwd=tmp_path, check=True, timeout=300)
    received = [json.loads(line)["arguments"] for line in (tmp_path / "received").read_text().splitlines()]
    assert received == [{"name": "absent0", "up": False}, {"name": "absent1", "up": False}]


def test_the_exit_status_is_that_of_qemu(program: Path, tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text(json.dumps({"command": ["false"], "devices": ["lo"]}))
    done = subprocess.run([sys.executable, program, "machine.json"], cwd=tmp_path, check=False, timeout=300)
    assert done.returncode == 1


def test_a_cable_moved_at_once_leaves_its_nic_without_carrier_for_a_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tap device has carrier again before the next look at it; the count of its changes shows the move."""
    counts, changes = iter(["1", "1", "3", "3"]), []

    class Process:
        polls = iter([None, None, None, 0])

        def poll(self) -> int | None:
            return next(self.polls)

    class Monitor:
        def execute(self, _: str, name: str, up: bool) -> None:
            changes.append((name, up))

        def close(self) -> None:
            pass

    def read_attribute(_: str, name: str) -> str:
        return "1" if name == "carrier" else next(counts)

    monkeypatch.setattr(run_machine, "read_attribute", read_attribute)
    monkeypatch.setattr(run_machine, "open_monitor", lambda *_: Monitor())
    monkeypatch.setattr(run_machine.time, "sleep", lambda _: None)
    process: Any = Process()
    run_machine.follow_carriers(process, ["nic0"])
    assert changes == [("nic0", False), ("nic0", True)]
