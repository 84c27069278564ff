# SPDX-License-Identifier: GPL-3.0-or-later
"""One operator at a time: an advisory lock (flock) on the directory of a site.

The lock is taken on the directory itself, so no file is written for it; the kernel drops it with the last process that
has inherited it, however that ends. Who holds it is read from /proc. What a holder starts finds the holder's process id
and the directory in the environment, and takes no lock of its own there, as long as the holder is one of its ancestors.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import socket
import time
from collections.abc import Iterator
from pathlib import Path

#: The environment variable with a line per lock: the process id of its holder, a space, and the directory.
HOLDER = "FNN_SITE_LOCK_HOLDER"

_LONGEST = 100  # characters of a command that are shown
_PROC = Path("/proc")


class SiteInUse(Exception):
    """Another process works on the site; one line says which, and what to do."""


def lock_site(site: Path) -> int | None:
    """Locks the directory of a site until the process ends or the descriptor that is returned is closed.

    None where there is nothing to lock: a process above us holds it, or there is no such directory yet.
    Raises SiteInUse.
    """
    site = site.resolve()
    held = os.environ.get(HOLDER, "").splitlines()
    if {f"{process} {site}" for process in _list_ancestors()} & {*held}:
        return None
    try:
        handle = os.open(site, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        inode = os.fstat(handle).st_ino
        os.close(handle)
        raise SiteInUse(f"{site}: in use by {_describe_holder(inode)}, then run this again") from None
    except OSError:  # a file system without locks
        os.close(handle)
        return None
    os.environ[HOLDER] = "\n".join([*held, f"{os.getpid()} {site}"])
    return handle


def unlock_site(handle: int | None) -> None:
    """Gives back what lock_site returned."""
    if handle is not None:
        site = Path(f"/proc/self/fd/{handle}").readlink()
        held = os.environ.get(HOLDER, "").splitlines()
        os.environ[HOLDER] = "\n".join(line for line in held if line != f"{os.getpid()} {site}")
        os.close(handle)


def _list_ancestors() -> Iterator[int]:
    process = os.getppid()
    while process > 1:
        yield process
        try:
            status = (_PROC / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
            process = int(status.rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return


def _describe_holder(inode: int) -> str:
    host = socket.gethostname()
    for process in [*_find_lockers(inode), *_find_openers(inode)]:
        try:
            place = _PROC / str(process)
            owner = place.stat().st_uid
            words = (place / "cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " ")
            began = (place / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
        except (OSError, IndexError):
            continue
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(_find_boot() + int(began) / os.sysconf("SC_CLK_TCK")))
        return (
            f"{_name_user(owner)} on {host}, process {process} ({' '.join(words.split())[:_LONGEST]}), since {since}; "
            f"wait until it ends, or end it (kill {process})"
        )
    return "a process that this host does not show (on another host, or in a container); wait until it ends"


def _find_lockers(inode: int) -> list[int]:
    """The processes that locked what has this inode. The file system's number is not compared: btrfs and overlayfs
    show another one here than to stat."""
    try:
        lines = (_PROC / "locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    fields = [line.split() for line in lines if " FLOCK " in line and "->" not in line]
    return [int(each[4]) for each in fields if each[5].rpartition(":")[2] == str(inode) and int(each[4]) > 0]


def _find_openers(inode: int) -> Iterator[int]:
    """The processes that have it open: where the one that locked it has ended, those that inherited it."""
    for place in _PROC.glob("[0-9]*/fd/*"):
        try:
            if place.stat().st_ino == inode and int(place.parts[2]) != os.getpid():
                yield int(place.parts[2])
        except OSError:
            continue


def _find_boot() -> int:
    """Seconds since the epoch at which the machine started, by its clock now."""
    lines = (_PROC / "stat").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("btime"))


def _name_user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
