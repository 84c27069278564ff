# SPDX-License-Identifier: GPL-3.0-or-later
"""Connects `./fnn` to nodes and head for live work: one long-lived ssh each, with the settings of Ansible.

Why ssh, and not frames or packets to the controller: Ansible uses ssh already, with its jump hosts and keys. No
firewall port must be opened, no program listens, and the far side detects the end of the connection.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem
from ..check.connection import Target

#: Connection variables of Ansible, and their names here.
SETTINGS = {
    "ansible_host": "host",
    "ansible_port": "port",
    "ansible_user": "user",
    "ansible_ssh_private_key_file": "key",
    "ansible_ssh_executable": "program",
    "ansible_ssh_common_args": "common",
    "ansible_ssh_extra_args": "extra",
    "ansible_python_interpreter": "python",
    "ansible_connection": "connection",
}
#: No prompts; a node that is switched off is detected within six seconds.
OPTIONS = ("BatchMode=yes", "ConnectTimeout=5", "ServerAliveInterval=2", "ServerAliveCountMax=3")

#: The program that runs on each node during live cabling.
READER = Path(__file__).parents[2] / "node" / "beacon" / "live_reader.py"

Reach = Mapping[str, str]


def find_reach(
    names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]], local: bool = False
) -> dict[str, dict[str, str]]:
    """Host -> the settings with which Ansible reaches it by ssh. Raises FnnError for hosts with another connection.

    local: whether a host may be this machine; it then has {"local": "yes"}.
    """
    found, problems = {}, []
    for name in names:
        own = hostvars[name]
        found[name] = {word: str(own[setting]) for setting, word in SETTINGS.items() if setting in own}
        found[name].setdefault("host", name)
        connection = found[name].pop("connection", "ssh")
        if connection == "local" and local:
            found[name]["local"] = "yes"
        elif connection not in ("ssh", "smart"):
            what = f"{connection} is not ssh, which live cabling and power-on discovery need"
            problems.append(Problem(f"{name}: ansible_connection", what))
    if problems:
        raise FnnError(problems)
    return found


def find_target(reach: Reach) -> Target:
    """The same host as the messages of the check name it."""
    port = reach.get("port", "")
    return Target(reach.get("host", "localhost"), reach.get("user", ""), int(port) if port.isdecimal() else 0)


def write_command(reach: Reach, program: Path, *arguments: str) -> list[str]:
    """The command that runs a Python program of the toolkit on a host, as root."""
    remote = write_remote(reach.get("python", ""), program, *arguments)
    if "local" in reach:
        return ["sh", "-c", remote]
    command = [reach.get("program", "ssh")]
    for option in OPTIONS:
        command += ["-o", option]
    command += [*shlex.split(reach.get("common", "")), *shlex.split(reach.get("extra", ""))]
    for word, flag in (("port", "-p"), ("key", "-i"), ("user", "-l")):
        if word in reach:
            command += [flag, reach[word]]
    return [*command, reach["host"], remote]


def write_remote(python: str, program: Path, *arguments: str) -> str:
    """The line for the host's shell: Python runs the program's text, with sudo unless the user is root."""
    interpreter = shlex.quote("python3" if not python or python.startswith("auto") else python)
    text = base64.b64encode(program.read_bytes()).decode("ascii")
    run = f"{interpreter} -u -c 'import base64; exec(base64.b64decode(\"{text}\"))' {shlex.join(arguments)}".rstrip()
    return f'if [ "$(id -u)" = 0 ]; then exec {run}; else exec sudo -n {run}; fi'
