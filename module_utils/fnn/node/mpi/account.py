# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of the cluster user: made as ansible.builtin.user makes one, and otherwise left as it is.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from ...shared.errors import problem
from .command import describe_end, run

SHELL = "/bin/bash"
_SKELETON, _LOGIN_DEFS = Path("/etc/skel"), Path("/etc/login.defs")


@dataclass(frozen=True)
class Account:
    """Fields of passwd(5)."""

    name: str
    uid: int
    gid: int
    home: str
    shell: str

    @property
    def owner(self) -> tuple[int, int]:
        return self.uid, self.gid


def find_account(name: str) -> Account | None:
    """The account in the user database, which may be a directory service; None without one."""
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(name, entry.pw_uid, entry.pw_gid, entry.pw_dir, entry.pw_shell)


def provide_account(name: str, check: bool) -> tuple[Account | None, list[str]]:
    """The account with its shell and home, and one line per change that was necessary.

    check: report the changes and make none; a missing account stays None. Raises FnnError and OSError.
    """
    account = find_account(name)
    if account is None:
        if not check:
            create_account(name)
        return find_account(name), [f"created the account {name}"]
    actions = []
    if account.shell != SHELL:
        actions.append(f"set the shell of {name} to {SHELL}")
        if not check:
            execute("usermod", "--shell", SHELL, name)
    if not Path(account.home).exists():
        actions.append(f"made {account.home}")
        if not check:
            make_home(account)
    return account, actions


def create_account(name: str) -> None:
    """useradd(8) would refuse to make a group of the user's name where there is one. Raises FnnError and OSError."""
    options = ["--no-user-group"] if has_group(name) else []
    execute("useradd", *options, "--shell", SHELL, "--create-home", name)


def has_group(name: str) -> bool:
    try:
        grp.getgrnam(name)
    except KeyError:
        return False
    return True


def execute(*command: str) -> None:
    """Raises FnnError when the program fails, and OSError."""
    done = run(*command)
    if done.returncode:
        raise problem(command[-1], f"{command[0]} {describe_end(done)}")


def make_home(account: Account, skeleton: Path = _SKELETON, login_defs: Path = _LOGIN_DEFS) -> None:
    """Makes a missing home as useradd(8) does. Raises OSError."""
    home = Path(account.home)
    if skeleton.is_dir():
        shutil.copytree(skeleton, home, symlinks=True)
    else:
        home.mkdir(parents=True)
    for path in [home, *home.rglob("*")]:
        os.chown(path, *account.owner, follow_symlinks=False)
    home.chmod(read_home_mode(login_defs))


def read_home_mode(path: Path = _LOGIN_DEFS) -> int:
    """HOME_MODE of login.defs(5), else the mode that UMASK leaves."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    found = dict(re.findall(r"^\s*(HOME_MODE|UMASK)\s+([0-7]+)", text, re.MULTILINE))
    return int(found["HOME_MODE"], 8) if "HOME_MODE" in found else 0o777 & ~int(found.get("UMASK", "022"), 8)
