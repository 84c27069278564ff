# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the NICs of nodes over ssh, before there is an inventory.

The node runs the code that also reads NICs for discover. It gets the packages `shared` and `node` as a zip archive for
zipimport, on the standard input of `python3 -`. Nothing stays on the node.
"""

from __future__ import annotations

import base64
import functools
import io
import json
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, problem
from ..check.connection import (
    OLDEST_PYTHON,
    Target,
    explain_message,
    find_last_line,
    find_python_obstacle,
    refuse_python,
)
from ..discover.bind import natural_key
from ..twins import pair_devices

_PACKAGE = Path(__file__).parents[2]
#: No prompts, and an answer within five seconds from a node that is switched off.
_OPTIONS = ("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5")
#: Seconds for all of it; a slow node takes about ten to start Python and read its NICs.
_TIMEOUT = 60
#: Exit statuses of ssh(1) for errors of its own, and of a shell that finds no such command.
_SSH_FAILED, _NO_COMMAND = 255, 127

# It must run on Python 2 as well, to report that version.
_PROGRAM = """\
import sys
if sys.version_info < {oldest}:
    print('{{"python": [%d, %d]}}' % sys.version_info[:2])
    sys.exit(0)
import base64, json, tempfile
with tempfile.NamedTemporaryFile(suffix=".zip") as archive:
    archive.write(base64.b64decode("{archive}"))
    archive.flush()
    sys.path.insert(0, archive.name)
    from fnn.node.discover.node_facts import read_candidates
    from fnn.shared.nic_facts import read_links
    found = read_candidates(None)
    reasons = {{each["device"]: each["reason"] for each in found.protected}}
    reasons.update((link["device"], link["reserved"]) for link in found.links)
    from fnn.node.discover.link_modes import read_ability
    links = read_links(None, [])
    links = [dict(link, reserved=reasons[link["device"]], **read_ability(link["device"])) for link in links]
    print(json.dumps({{"links": links}}))
"""

Runner = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class FoundNic:
    """A physical Ethernet NIC of a node.

    speed_mbps: the fastest of its link modes; else that of its link; None if neither is known. plug: see link_modes.py.
    driver: None if unknown.
    reserved: why it is no NIC of the fabric, after its name ("has a default route (IPv4, table main)"); None if it may
    be one. twin: the second device of its plug, which is no NIC of its own; None without.
    """

    name: str
    speed_mbps: int | None
    plug: str | None = None
    driver: str | None = None
    reserved: str | None = None
    twin: str | None = None


def read_nodes(
    hosts: Sequence[str], user: str = "", run: Runner = subprocess.run
) -> list[tuple[FoundNic, ...] | FnnError]:
    """What read_node finds or raises, of each host in turn; sixteen are read at a time."""

    def read(host: str) -> tuple[FoundNic, ...] | FnnError:
        try:
            return read_node(host, user, run)
        except FnnError as error:
            return error

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(read, hosts))


def read_node(host: str, user: str = "", run: Runner = subprocess.run) -> tuple[FoundNic, ...]:
    """The physical Ethernet NICs of a node, in natural order of their names; () if it has none.

    host: name or address, as for ssh. user: of the login; "" for that of the controller. Root is not needed.
    run: in place of subprocess.run. Takes at most 60 seconds.
    Raises FnnError, with the cause and the remedy, if ssh or Python fails on the way.
    """
    target = Target(host, user)
    command = ["ssh", *_OPTIONS, *(["-l", user] if user else []), "--", host, "python3 -"]
    try:
        done = run(command, input=_write_program(), capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    except FileNotFoundError:
        raise problem("ssh", "not found on this machine; run `apt-get install openssh-client`") from None
    except subprocess.TimeoutExpired:
        raise _refuse(host, f"no answer within {_TIMEOUT} seconds; run `ssh {target.login}` to find out why") from None
    if done.returncode == _SSH_FAILED:
        raise _refuse(host, explain_message(_find_last(done.stderr), target))
    if done.returncode == _NO_COMMAND:
        finding = find_python_obstacle((), {}, target)
        raise _refuse(host, f"{finding.text}; {finding.remedy}")
    return _read_answer(done, target)


def _read_answer(done: subprocess.CompletedProcess[str], target: Target) -> tuple[FoundNic, ...]:
    # A login script may print lines before the answer.
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        text = _find_last(done.stderr)
        raise _refuse(target.host, f"its NICs cannot be read: {text}; name them with --nic-names instead")
    answer: dict[str, Any] = json.loads(lines[-1])
    if "python" in answer:
        finding = refuse_python(tuple(answer["python"]))
        raise _refuse(target.host, f"{finding.text}; {finding.remedy}")
    pairs = pair_devices(answer["links"])
    nics = [
        FoundNic(
            link["device"],
            link["fastest_mbps"] or link["speed_mbps"],
            link["plug"],
            link["driver"],
            link["reserved"],
            pairs.get(link["device"]),
        )
        for link in answer["links"]
        if link["device"] not in pairs.values()
    ]
    return tuple(sorted(nics, key=lambda nic: natural_key(nic.name)))


def _refuse(host: str, text: str) -> FnnError:
    return problem(host, text)


def _find_last(text: str) -> str:
    return find_last_line({"msg": text})


@functools.cache
def _write_program() -> str:
    """The program for the node, with the archive inside."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in [_PACKAGE / "__init__.py", *_list_sources("shared"), *_list_sources("node")]:
            archive.write(path, Path("fnn", path.relative_to(_PACKAGE)))
    return _PROGRAM.format(oldest=OLDEST_PYTHON, archive=base64.b64encode(content.getvalue()).decode())


def _list_sources(room: str) -> list[Path]:
    return sorted((_PACKAGE / room).rglob("*.py"))
