# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and finds virtual machines. They end with the namespaces of the lab, whose processes `lab down` kills."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ..programs import DISABLE_IPV6, run_program
from .disk import has_disk, make_disk
from .identity import Keys, list_entries
from .model import Machine, Nic
from .qemu import MONITOR, list_joins, write_command

#: The arguments of run_machine.py, in the directory of the machine.
SETTINGS = "machine.json"
_QEMU = "qemu-system-x86_64"
_LOG = "qemu.log"
_EVERY = 0.1  # seconds


def find_machines(names: Iterable[str]) -> list[dict[str, Any]]:
    """The machines that run in these namespaces, in the form in which podman describes containers."""
    processes = {name: find_process(name) for name in names if Path("/run/netns", name).exists()}
    return [{"Names": [name], "State": "running", "Pid": process} for name, process in processes.items() if process]


def find_process(namespace: str) -> int | None:
    """The process of the qemu that runs in a namespace."""
    listed = subprocess.run(["ip", "netns", "pids", namespace], capture_output=True, text=True, check=False)
    return next((int(each) for each in listed.stdout.split() if read_program(each) == _QEMU), None)


def read_program(process: str) -> str:
    """The name of the program of a process; "" if the process has ended."""
    try:
        return Path(os.fsdecode(Path("/proc", process, "cmdline").read_bytes().split(b"\0")[0])).name
    except OSError:
        return ""


def install_machine(machine: Machine, image: Path, directory: Path, keys: Keys) -> bool:
    """Makes the disk of a machine unless it has one; whether it made one. Raises FnnError."""
    if has_disk(directory):
        return False
    make_disk(image, directory, list_entries(machine, keys))
    return True


def start_machine(machine: Machine, image: Path, directory: Path, program: Path) -> None:
    """Switches a machine on. image, directory: those of its kernel and of its disk. program: run_machine.py.

    Raises FnnError, also when qemu ends at once.
    """
    if shutil.which(_QEMU) is None:
        raise problem(_QEMU, "not installed; scripts/bootstrap.sh machines installs it")
    for nic in machine.nics:
        _join(machine.namespace, nic)
    settings = {"command": write_command(machine, image), "devices": [nic.device for nic in machine.nics]}
    (directory / SETTINGS).write_text(json.dumps(settings), encoding="utf-8")
    run_qemu(machine.namespace, directory, program)


def run_qemu(namespace: str, directory: Path, program: Path) -> None:
    """Starts qemu by the settings in the directory of a machine, in its namespace. program: run_machine.py.

    Raises FnnError when qemu ends at once.
    """
    command = ["ip", "netns", "exec", namespace, sys.executable, str(program), SETTINGS]
    streams: Mapping[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    (directory / MONITOR).unlink(missing_ok=True)
    with (directory / _LOG).open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=directory, stderr=log, start_new_session=True, **streams)
    while process.poll() is None and not (directory / MONITOR).exists():
        time.sleep(_EVERY)
    if process.poll() is not None:
        lines = (directory / _LOG).read_text(encoding="utf-8").splitlines()
        raise problem(directory.name, f"qemu ended: {lines[-1] if lines else 'without a message'}")


def _join(namespace: str, nic: Nic) -> None:
    inside = ["ip", "netns", "exec", namespace]
    run_program([*inside, "sh", "-c", DISABLE_IPV6])
    here = subprocess.run([*inside, "ip", "link", "show", nic.tap], capture_output=True, check=False)
    for command in list_joins(nic, present=here.returncode == 0):
        run_program([*inside, *command])
