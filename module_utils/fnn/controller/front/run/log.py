# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a run: build/<cluster>/log/<time>-<command>.log has the output of Ansible.

The directory of the cluster is known only after the inventory has been read. Until then, the log is in build/log.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from pathlib import Path

from ..places import ROOT

#: Logs that a directory keeps; a new one replaces the oldest.
KEPT = 50
#: How lines of errors begin, of this toolkit and of Ansible.
_ERRORS = ("fnn: ", "ERROR: ", "ERROR! ", "[ERROR]: ", "ansible-playbook: error: ")
#: The error of an inventory that no plugin of Ansible could read. Each has warned before; the first is the one for this
#: kind of file. Only the text of that warning has the reason: Ansible reads an inventory before it loads callbacks, and
#: its programs give no reason as JSON. With another text, the error alone is shown.
_GIVEN_UP = "Completely failed to parse inventory source"
_UNREAD = re.compile(
    r"^\[WARNING\]: Failed to parse inventory with '[^']+' plugin: (?P<reason>.+)\n"
    r"(?:(?!\[).*\n)*?Origin: (?P<place>.+)"
    r"(?:\n+Standard error from inventory script:\n(?P<said>.+))?",
    re.MULTILINE,
)


def open_log(command: str) -> Path:
    """A new empty log, in build/log, or in a temporary directory if that cannot be written."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    name = command.replace("/", "-")
    try:
        directory = ROOT / "build" / "log"
        directory.mkdir(parents=True, exist_ok=True)
        handle, path = tempfile.mkstemp(prefix=f"{stamp}-{name}-", suffix=".log", dir=directory)
        _remove_oldest(directory)
    except OSError:
        handle, path = tempfile.mkstemp(prefix=f"fnn-{stamp}-{name}-", suffix=".log")
    os.close(handle)
    return Path(path)


def move_log(log: Path, build: Path) -> Path:
    """Moves the log to the directory of its cluster, and returns its new path. Removes the oldest logs there."""
    stamp, _, rest = log.stem.rpartition("-")[0].partition("-")
    directory = build / "log"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        target = _find_free(directory, f"{stamp}-{rest}")
        log.rename(target)
        _remove_oldest(directory)
    except OSError:  # of another user, or on another file system
        return log
    return target


def _remove_oldest(directory: Path) -> None:
    for each in sorted(directory.glob("*.log"))[:-KEPT]:
        each.unlink(missing_ok=True)


def list_errors(output: str) -> tuple[str, ...]:
    """The errors of this toolkit and of Ansible in an output, each once; before them why an inventory was not read."""
    found = [line[len(start) :] for line in output.splitlines() for start in _ERRORS if line.startswith(start)]
    reason = _UNREAD.search(output) if any(each.startswith(_GIVEN_UP) for each in found) else None
    if reason:
        place, said = reason["place"], reason["said"] or ""
        found.insert(
            0, f"{place}: {reason['reason']}" if place.startswith("/") else f"{reason['reason']} {said}".strip()
        )
    return tuple(dict.fromkeys(found))


def _find_free(directory: Path, stem: str) -> Path:
    path, number = directory / f"{stem}.log", 1
    while path.exists():
        number += 1
        path = directory / f"{stem}-{number}.log"
    return path
