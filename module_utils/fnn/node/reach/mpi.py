# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an MPI program over all nodes exactly as a user would, and reads its output (runs on a node).

It passes only what a user types: the launcher, the hostfile of /etc/fnn and the program. All settings that lead it
over the fabric must come from the node's own files, so a missing setting shows here.
Standard library only, Python 3.9.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import cut_output

LAUNCHERS = {
    "Open MPI": ["mpirun.openmpi", "-hostfile", "/etc/fnn/hosts.openmpi"],
    "MPICH": ["mpiexec.mpich", "-f", "/etc/fnn/hosts.mpich"],
}
#: An option of modules.
FLAVOR = {"type": "str", "choices": list(LAUNCHERS), "required": True}

REST = 5  # seconds
_SUCCESS = "ended with status 0"
_NO_OUTPUT = '{"ranks": 0, "pairs": 0, "message": 0, "hosts": [], "sent": []}'


def run_program(flavor: str, program: str, seconds: int) -> dict[str, Any]:
    """The output of the program (files/all_pairs.c), with the keys flavor, version, command, ranks, pairs, message,
    hosts, sent, error.

    `lost`, only when ranks reported what they wait for: host names of sender and receiver of each message that did not
    arrive.
    `error` is None when the program answered and the launcher ended well; else the first and the last lines of the
    launcher, or that it did not end in time. An answer alone is not enough: an MPI may do all its work and then hang.
    """
    command = [*LAUNCHERS[flavor], program, str(max(1, seconds * 3 // 4))]
    outcome: dict[str, Any] = {"flavor": flavor, "version": read_version(command[0]), "command": " ".join(command)}
    status, output, error_text = _run(command, seconds)
    found = next((line for line in output.splitlines() if line.startswith('{"ranks"')), None)
    if found and status == _SUCCESS:
        outcome.update(json.loads(found), error=None)
    else:
        waits, other_lines = _split_waits(error_text or output)
        parts = f"{command[0]} {status}{_describe_ranks(waits)}", cut_output("\n".join(other_lines))
        outcome.update(json.loads(found or _NO_OUTPUT), error=": ".join(filter(None, parts)))
        if waits:
            outcome["lost"] = find_lost(waits)
    return outcome


def find_lost(waits: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Sender and receiver, by host name, of each message that was sent and has not arrived.

    waits: the report of each rank about itself, see files/all_pairs.c. A rank that waits for one that has not reached
    the same step is only late. Where no rank waits to receive a message, messages count that no receiver has accepted.
    """
    ranks = {each["rank"]: each for each in waits if each["rank"] >= 0}

    def find_waiting(side: str) -> list[tuple[str, str]]:
        """Host names of each rank that waits, and of its peer on that side."""
        pairs = [(each, ranks[each[side]]) for each in waits if each[side] in ranks]
        return [(each["waits"], peer["waits"]) for each, peer in pairs if peer["step"] >= each["step"] > 0]

    return sorted([[peer, own] for own, peer in find_waiting("from")] or [[*pair] for pair in find_waiting("to")])


def _describe_ranks(waits: Sequence[Mapping[str, Any]]) -> str:
    """Which ranks have not started, and which others wait for without a report."""
    starting = sorted(each["waits"] for each in waits if each["step"] == 0)
    silent = {each[side] for each in waits for side in ("from", "to")} - {each["rank"] for each in waits} - {-1}
    state = f", in MPI_Init on {', '.join(starting)}" if starting else ""
    return state + (f", no report from rank {', '.join(map(str, sorted(silent)))}" if silent else "")


def _split_waits(text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The reports of ranks that wait, and the other lines."""
    waits, other_lines = [], []
    for line in text.strip().splitlines():
        try:
            waits.append(json.loads(line[line.index('{"waits"') :]))
        except ValueError:
            other_lines.append(line)
    return waits, other_lines


def read_version(launcher: str) -> str | None:
    """The launcher's version number, None when it names none."""
    return _find_version(_run([launcher, "--version"], 20)[1])


def _find_version(text: str) -> str | None:
    found = re.search(r"\b(\d+(\.\d+)+)\b", text)
    return found.group(1) if found else None


def _run(command: list[str], seconds: int) -> tuple[str, str, str]:
    """Exit status in words, stdout, stderr. A launcher that hangs is ended together with its children."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, cwd="/",
        )  # fmt: skip
    except OSError as error:
        return "did not start", "", str(error)
    try:
        output, error_text = process.communicate(timeout=seconds)
        return f"ended with status {process.returncode}", output, error_text
    except subprocess.TimeoutExpired:
        kill_session(process.pid)
        output, error_text = _read_rest(process)
        return f"did not answer within {seconds} s", output, error_text


def kill_session(leader: int, proc: Path = Path("/proc")) -> None:
    """Kills all processes of a session; Open MPI gives each ssh a process group of its own."""
    for stat in proc.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # "PID (NAME) STATE PPID PGRP SESSION ...", and NAME may have blanks
            if int(stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[3]) == leader:
                os.kill(int(stat.parent.name), signal.SIGKILL)


def _read_rest(process: subprocess.Popen[str]) -> tuple[str, str]:
    """The output of a killed launcher, as far as it arrives within REST seconds."""
    try:
        return process.communicate(timeout=REST)
    except subprocess.TimeoutExpired as unfinished:
        return _decode(unfinished.stdout), _decode(unfinished.stderr)


def _decode(text: bytes | str | None) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text or ""
