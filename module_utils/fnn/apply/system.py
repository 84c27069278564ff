# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that put a node's files to work: fnn-net, systemd and the resident network manager.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..bundle import Bundle
from ..errors import FnnError, Problem

FNN_NET = "/usr/local/sbin/fnn-net"
PACKAGE = "/usr/local/lib/fnn/fnn_node"  # what fnn-net is made of
SYSCTL = "/etc/sysctl.d/90-fnn.conf"
PLAN = "/etc/fnn"
UNIT = "fnn-net.service"
NETWORKD_FILES = "/etc/systemd/network/"
NETWORKMANAGER_FILES = "/etc/NetworkManager/"


def run_fnn_net(root: Path, command: str) -> dict[str, Any]:
    """What `fnn-net` below `root` answers. Raises FnnError with each line it complains."""
    program = [sys.executable, str(root / FNN_NET.lstrip("/")), command]
    files = ["--etc", str(root / PLAN.lstrip("/")), "--sysctl", str(root / SYSCTL.lstrip("/"))]
    done = subprocess.run(program + files, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"fnn-net {command}: exit code {done.returncode}"]
        raise FnnError(Problem("", line.replace(f"{root}/", "/") if root != Path("/") else line) for line in lines)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def preview(bundle: Bundle, kept: Mapping[str, str]) -> dict[str, Any]:
    """What fnn-net would do with the files of a bundle that are not on the node yet. Raises FnnError.

    kept: path -> text of what the node has besides, its former plan in a cutover.
    """
    bundle.find(FNN_NET)
    wanted = {
        file.path: file.content
        for file in bundle.files
        if file.path in (FNN_NET, SYSCTL) or file.path.startswith((f"{PLAN}/", f"{PACKAGE}/"))
    }
    with tempfile.TemporaryDirectory(prefix="fnn-") as directory:
        for path, text in {**wanted, **kept}.items():
            place = Path(directory, path.lstrip("/"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return run_fnn_net(Path(directory), "diff")


def has_systemd() -> bool:
    """Whether this machine was booted with systemd (sd_booted(3))."""
    return Path("/run/systemd/system").is_dir()


def is_active(unit: str) -> bool:
    return subprocess.run(["systemctl", "--quiet", "is-active", unit], check=False).returncode == 0


def is_enabled(unit: str = UNIT) -> bool:
    return (
        subprocess.run(["systemctl", "--quiet", "is-enabled", unit], capture_output=True, check=False).returncode == 0
    )


def enable(unit: str = UNIT) -> None:
    """Makes fnn-net, or another, run at boot. Raises FnnError."""
    run("systemctl", "--quiet", "enable", unit)


def reload_readers(paths: Iterable[str]) -> list[str]:
    """Tells the programs that read the changed files; returns what was told. Raises FnnError."""
    told = []
    changed = list(paths)
    if any(path.startswith("/etc/systemd/system/") for path in changed):
        run("systemctl", "daemon-reload")
        told.append("systemd read its units again")
    if any(path.startswith(NETWORKD_FILES) for path in changed) and is_active("systemd-networkd"):
        run("networkctl", "reload")
        told.append("systemd-networkd read its files again")
    if any(path.startswith(NETWORKMANAGER_FILES) for path in changed) and is_active("NetworkManager"):
        run("systemctl", "reload", "NetworkManager")
        told.append("NetworkManager read its files again")
    return told


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FnnError([Problem(" ".join(command), done.stderr.strip() or f"exit code {done.returncode}")])
