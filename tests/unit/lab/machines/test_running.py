# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/running.py, with stand-ins for ip, tc and qemu."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.machines.model import make_machines
from ansible.module_utils.fnn.lab.machines.running import read_program, start_machine
from ansible.module_utils.fnn.shared.errors import FnnError

NAMES = ("k00", "k01", "k02")
#: Runs the commands of a namespace here, except those that change it; no tap device is there yet.
IP = """#!/bin/sh
echo "$*" >> "$CALLS"
[ "$1 $2" = "netns exec" ] || exit 0
shift 3
case "$1 $2 $3" in
  "ip link show") exit 1 ;;
  sh*|ip*|tc*) exit 0 ;;
esac
exec "$@"
"""
FAILS = "#!/bin/sh\necho 'qemu: a first line' >&2\necho 'qemu: no such kernel' >&2\nexit 1\n"
LISTENS = "#!/bin/sh\ntouch monitor\nsleep 2\n"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a machine; stand-ins are first in PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    write_program(programs / "ip", IP)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    (tmp_path / "k00").mkdir()
    return tmp_path / "k00"


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def start(layout: Layout, directory: Path, root: Path) -> None:
    machine = make_machines(layout, dict.fromkeys(NAMES, "trixie"), dict.fromkeys(NAMES, "networkd"))[0]
    program = root / "module_utils/fnn/lab/machines/run_machine.py"
    start_machine(machine, Path("/images/one"), directory, program)


def test_the_last_line_of_a_qemu_that_ends_at_once_is_the_error(layout: Layout, directory: Path, root: Path) -> None:
    write_program(directory.parent / "bin/qemu-system-x86_64", FAILS)
    with pytest.raises(FnnError) as error:
        start(layout, directory, root)
    assert str(error.value) == "k00: qemu ended: qemu: no such kernel"


def test_a_machine_is_on_once_its_monitor_is_there(layout: Layout, directory: Path, root: Path) -> None:
    write_program(directory.parent / "bin/qemu-system-x86_64", LISTENS)
    start(layout, directory, root)
    assert (directory / "monitor").exists()
    calls = (directory.parent / "calls").read_text().splitlines()
    assert [each for each in calls if "tuntap add" in each] == [
        f"netns exec lbt-k00 ip tuntap add dev tap{index} mode tap" for index in (2, 0, 1)
    ]


def test_the_program_of_a_process_is_read() -> None:
    assert read_program(str(os.getpid())).startswith("python")
    assert read_program("0") == ""
