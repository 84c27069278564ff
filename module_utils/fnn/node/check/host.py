# SPDX-License-Identifier: GPL-3.0-or-later
"""Versions, clock, disks and packages of this node, as far as the fabric or MPI depends on them.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: Directories that get files of the toolkit, and in /usr those of packages.
DIRECTORIES = ("/etc", "/usr/local", "/var/lib", "/usr")
_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"


def read_system() -> dict[str, Any]:
    """{"name": "Debian GNU/Linux 12 (bookworm)", "kernel", "python": "3.11.2", "systemd", "iproute2"}.

    systemd: whether it runs as process 1. iproute2: its version, "" without it.
    """
    return {
        "name": read_os_name(),
        "kernel": platform.release(),
        "python": ".".join(str(part) for part in sys.version_info[:3]),
        "systemd": Path("/run/systemd/system").is_dir(),
        "iproute2": read_iproute2(),
    }


def read_os_name(path: Path = Path("/etc/os-release")) -> str:
    """PRETTY_NAME of os-release(5); "" without it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition("=")[2].strip("\"'") for line in lines if line.startswith("PRETTY_NAME=")), "")


def read_iproute2() -> str:
    """The version in the output of `ip -V`: "ip utility, iproute2-6.1.0, libbpf 1.1.0"."""
    program = shutil.which("ip", path=_PATH)
    if program is None:
        return ""
    text = subprocess.run([program, "-V"], capture_output=True, text=True, check=False).stdout
    return next((word.partition("-")[2].rstrip(",") for word in text.split() if word.startswith("iproute2-")), "?")


def read_storage(directories: Iterable[str] = DIRECTORIES) -> dict[str, dict[str, Any]]:
    """Directory -> {"free_mb", "free_inodes", "read_only", "noexec"} of its file system.

    free_inodes: null where the file system has no limit of inodes.
    """
    return {each: describe_storage(each) for each in directories if Path(each).is_dir()}


def describe_storage(directory: str) -> dict[str, Any]:
    """See read_storage (statvfs(3))."""
    found = os.statvfs(directory)
    return {
        "free_mb": found.f_bavail * found.f_frsize // 10**6,
        "free_inodes": found.f_favail if found.f_files else None,
        "read_only": bool(found.f_flag & os.ST_RDONLY),
        "noexec": bool(found.f_flag & os.ST_NOEXEC),
    }


def find_unavailable(packages: Iterable[str]) -> dict[str, list[str]] | None:
    """{"missing": not installed, "unknown": those of them that the package lists do not have}.

    None without apt, as other package managers have other names of packages.
    """
    if shutil.which("apt-cache", path=_PATH) is None:
        return None
    missing = list_missing(packages)
    return {"missing": missing, "unknown": [each for each in missing if not is_known(each)]}


def list_missing(packages: Iterable[str]) -> list[str]:
    """Packages that dpkg has not installed (dpkg-query(1)); one query is for all."""
    wanted = list(packages)
    query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *wanted]
    # It fails for a package that it does not know, and prints the others.
    done = subprocess.run(query, capture_output=True, text=True, check=False) if wanted else None
    installed = {line.removesuffix(" installed") for line in (done.stdout.splitlines() if done else [])}
    return [each for each in wanted if each.partition(":")[0] not in installed]


def is_known(package: str) -> bool:
    """Whether the package lists have a version of a package to install (apt-cache(8))."""
    query = ["apt-cache", "policy", package]
    done = subprocess.run(query, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    lines = [line.split() for line in done.stdout.splitlines()]
    return any(line[:1] == ["Candidate:"] and line[1:] != ["(none)"] for line in lines)
