# SPDX-License-Identifier: GPL-3.0-or-later
"""Connects `./fnn` to nodes and head for live work: one long-lived ssh each, with the settings of Ansible.

Why ssh, and not frames or packets to the controller: Ansible uses ssh already, with its jump hosts and keys. No
firewall port must be opened, no program listens, and the far side detects the end of the connection.
"""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from ...shared.errors import FnnError, Problem
from ..check.connection import Target

#: No prompts; a node that is switched off is detected within six seconds; the connection is no other program's.
OPTIONS = ("BatchMode=yes", "ControlMaster=no", "ConnectTimeout=5", "ServerAliveInterval=2", "ServerAliveCountMax=3")

#: The program that runs on each node during live cabling.
READER = Path(__file__).parents[2] / "node" / "beacon" / "live_reader.py"

#: Stands for the command in the setting `become`.
COMMAND = "FNN_COMMAND"

Reach = Mapping[str, str]


def find_reach(resolved: Mapping[str, Mapping[str, str]], local: bool = False) -> dict[str, dict[str, str]]:
    """Host -> the settings with which Ansible reaches it by ssh. Raises FnnError for hosts with another connection.

    resolved: the same with the name of the connection, as Ansible's own plugins resolve it (filter_plugins/fnn.py).
    local: whether a host may be this machine; it then has {"local": "yes"}.
    """
    found, problems = {}, []
    for name, settings in resolved.items():
        found[name] = {word: value for word, value in settings.items() if word != "connection"}
        connection = settings["connection"]
        if connection == "local" and local:
            found[name]["local"] = "yes"
        elif connection != "ssh":
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
    remote = write_remote(reach, program, *arguments)
    if "local" in reach:
        return ["/bin/sh", "-c", remote]
    command = [reach.get("program", "ssh")]
    for option in OPTIONS:
        command += ["-o", option]
    command += shlex.split(reach.get("options", ""))
    for word, flag in (("port", "-p"), ("key", "-i"), ("user", "-l")):
        if word in reach:
            command += [flag, reach[word]]
    # The login shell of the user may be another, such as fish.
    return [*command, reach["host"], f"/bin/sh -c {shlex.quote(remote)}"]


def write_remote(reach: Reach, program: Path, *arguments: str) -> str:
    """The line for sh: Python runs the program's text, by way of Ansible's become method unless the user is root.

    The text has no single quotes, so that it can be put where that method quotes COMMAND, however often.
    """
    python = reach.get("python", "python3").replace("'", "")
    steps = [f"exec(base64.b64decode({_encode(program.read_bytes())}))"]
    if arguments:
        steps.insert(0, f"sys.argv[1:] = json.loads(base64.b64decode({_encode(json.dumps(arguments).encode())}))")
    run = f'exec "{python}" -u -c "import base64, json, sys; {"; ".join(steps)}"'
    become = reach.get("become", COMMAND).replace(COMMAND, run)
    return f'if [ "$(id -u)" = 0 ]; then {run}; else {become}; fi'


def _encode(octets: bytes) -> str:
    """The argument of b64decode in a program between double quotes of sh."""
    return f'\\"{base64.b64encode(octets).decode("ascii")}\\"'
