# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells systemd and the resident network manager that their files have changed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

from .failed import Failed

UNITS = "/etc/systemd/system/"
NETWORKD_FILES = "/etc/systemd/network/"
NETWORKMANAGER_FILES = "/etc/NetworkManager/"


def reload_readers(paths: Iterable[str]) -> list[str]:
    """Tells the programs that read the changed files; returns what was told. Raises Failed(1)."""
    told = []
    changed = list(paths)
    if any(path.startswith(UNITS) for path in changed):
        run("systemctl", "daemon-reload")
        told.append("systemd read its units again")
    if any(path.startswith(NETWORKD_FILES) for path in changed) and is_active("systemd-networkd"):
        run("networkctl", "reload")
        told.append("systemd-networkd read its files again")
    if any(path.startswith(NETWORKMANAGER_FILES) for path in changed) and is_active("NetworkManager"):
        run("systemctl", "reload", "NetworkManager")
        told.append("NetworkManager read its files again")
    return told


def is_active(unit: str) -> bool:
    return subprocess.run(["systemctl", "--quiet", "is-active", unit], check=False).returncode == 0


def is_enabled(unit: str) -> bool:
    command = ["systemctl", "--quiet", "is-enabled", unit]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(1, [f"{' '.join(command)}: {done.stderr.strip() or f'exit code {done.returncode}'}"])
