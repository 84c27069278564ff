# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords of login and sudo: asked once per command, which may run several playbooks, and given to each by a file.

A playbook that asks by itself would do so again at each step, and under the live screen of ./fnn wire.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from pathlib import Path

import click


def list_password_options(login: bool, become: bool) -> list[str]:
    """The options of Ansible with the files of the passwords to ask for. The files end with this process."""
    asked = [("--connection-password-file", "Password of the login")] if login else []
    asked += [("--become-password-file", "Password of sudo")] if become else []
    return [word for option, question in asked for word in (option, _keep(_ask(question)))]


def _ask(question: str) -> str:
    return str(click.prompt(question, hide_input=True, err=True))


def _keep(password: str) -> str:
    """Writes a file that only this user can read, in memory where the system has a directory for that."""
    memory = Path(os.environ.get("XDG_RUNTIME_DIR") or "/dev/shm")
    handle, path = tempfile.mkstemp(prefix="fnn-", dir=memory if os.access(memory, os.W_OK) else None)
    atexit.register(Path(path).unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(password + "\n")
    return path
