# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the unit of fnn-linkd in line with a bundle: enabled and running with the current plan, or removed.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...shared.bundle import Bundle
from ...shared.node_paths import PACKAGE
from ..net.rollback import WATCHER as UNIT
from . import system

UNIT_FILE = f"/etc/systemd/system/{UNIT}"
_PROGRAM = "/usr/local/sbin/fnn-linkd"


def choose_step(bundle: Bundle, paths: Iterable[str]) -> str:
    """The systemctl verb to run once files and kernel match the bundle: "start", "restart", "reload" or "".

    paths: of the files that change.
    """
    if all(file.path != UNIT_FILE for file in bundle.files):
        return ""
    changed = list(paths)
    if not system.is_enabled(UNIT) or not system.is_active(UNIT):
        return "start"
    if any(path in (UNIT_FILE, _PROGRAM) or path.startswith(f"{PACKAGE}/") for path in changed):
        return "restart"
    return "reload" if any(path.startswith(f"{system.PLAN}/") for path in changed) else ""


def take_step(step: str) -> list[str]:
    """Runs the step; returns a message for it. Raises FnnError."""
    if not step:
        return []
    if step == "start":
        system.enable(UNIT)
    system.run("systemctl", step, UNIT)
    return [
        {"start": f"enabled and started {UNIT}", "restart": f"restarted {UNIT}", "reload": f"reloaded {UNIT}"}[step]
    ]


def stop_if_leaving(removed: Iterable[str]) -> list[str]:
    """Stops fnn-linkd before its files are removed, because its ExecStopPost runs one of them. Raises FnnError."""
    if UNIT_FILE not in removed:
        return []
    system.run("systemctl", "--quiet", "disable", "--now", UNIT)
    return [f"stopped and disabled {UNIT}"]
