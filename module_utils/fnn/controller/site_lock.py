# SPDX-License-Identifier: GPL-3.0-or-later
"""One operator at a time: an advisory lock (flock) on a directory that only the operators of a site can open.

Any user who can open a directory can lock it, also read-only, and so block the site. The lock is therefore on the empty
directory `.lock` of the site. Only root and users who may write the site's directory may open `.lock`.

    site      mode 0755 ada:ada      .lock  mode 0700 ada:ada      also where root made it
    site      mode 2775 ada:team     .lock  mode 0770 ada:team

No file is written, so git has nothing to commit. The kernel drops the lock when the last process that has inherited it
ends, in any way. The holder is read from /proc. A process that the holder starts finds the holder's process id and the
directory in the environment. It takes no lock of its own there, as long as the holder is one of its ancestors.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path

#: The environment variable with a line per lock: the process id of its holder, a space, and the directory.
HOLDER = "FNN_SITE_LOCK_HOLDER"
#: The directory of a site that is locked.
NAME = ".lock"

_LONGEST = 100  # characters of a command that are shown
_PROC = Path("/proc")


class SiteInUse(Exception):
    """Another process works on the site; one line names it, and what to do."""


def lock_site(site: Path) -> int | None:
    """Locks a site until the process ends or the descriptor that is returned is closed.

    None where there is nothing to lock: an ancestor process holds it, there is no such directory yet, or this user may
    not write there. Raises SiteInUse.
    """
    site = site.resolve()
    with contextlib.suppress(OSError):
        (site / NAME).mkdir(mode=0o700)
    return lock_directory(site / NAME, site)


def lock_directory(directory: Path, site: Path | None = None) -> int | None:
    """As lock_site, for a directory that exists and that other users cannot open.

    site: the site that the lock protects; then only users who may write the site may open the directory.
    """
    held = os.environ.get(HOLDER, "").splitlines()
    if {f"{process} {directory}" for process in _list_ancestors()} & {*held}:
        return None
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    if site is not None:
        _limit_access(handle, site.stat())
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        inode = os.fstat(handle).st_ino
        os.close(handle)
        raise SiteInUse(f"{site or directory}: in use by {_describe_holder(inode)}, then run this again") from None
    except OSError:  # a file system without locks
        os.close(handle)
        return None
    os.environ[HOLDER] = "\n".join([*held, f"{os.getpid()} {directory}"])
    return handle


def unlock_site(handle: int | None) -> None:
    """Releases the lock that lock_site returned."""
    if handle is not None:
        directory = Path(f"/proc/self/fd/{handle}").readlink()
        held = os.environ.get(HOLDER, "").splitlines()
        os.environ[HOLDER] = "\n".join(line for line in held if line != f"{os.getpid()} {directory}")
        os.close(handle)


def _limit_access(handle: int, site: os.stat_result) -> None:
    """Limits access to a directory to users who may write the site, as far as this user may change it."""
    mode = 0o700 | (0o070 if site.st_mode & stat.S_IWGRP else 0) | (0o007 if site.st_mode & stat.S_IWOTH else 0)
    status = os.fstat(handle)
    with contextlib.suppress(OSError):
        if (status.st_uid, status.st_gid) != (site.st_uid, site.st_gid):
            os.fchown(handle, site.st_uid if os.geteuid() == 0 else -1, site.st_gid)
    with contextlib.suppress(OSError):
        if stat.S_IMODE(status.st_mode) & 0o777 != mode:
            os.fchmod(handle, mode)


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
    return "an unknown process (on another host, or in a container); wait until it ends"


def _find_lockers(inode: int) -> list[int]:
    """The processes that locked the file with this inode. The device number is not compared: btrfs and overlayfs
    show another one in /proc/locks than in stat(2)."""
    try:
        lines = (_PROC / "locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    fields = [line.split() for line in lines if " FLOCK " in line and "->" not in line]
    return [int(each[4]) for each in fields if each[5].rpartition(":")[2] == str(inode) and int(each[4]) > 0]


def _find_openers(inode: int) -> Iterator[int]:
    """The processes that have it open: when the locking process has ended, those that inherited the lock."""
    for place in _PROC.glob("[0-9]*/fd/*"):
        try:
            if place.stat().st_ino == inode and int(place.parts[2]) != os.getpid():
                yield int(place.parts[2])
        except OSError:
            continue


def _find_boot() -> int:
    """The boot time of the machine in seconds since the epoch, by its present clock."""
    lines = (_PROC / "stat").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("btime"))


def _name_user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
