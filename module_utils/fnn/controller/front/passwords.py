# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords of login, sudo and Ansible Vault: asked once per command, which may run several playbooks.

Each playbook gets them by a file.

A playbook that asks by itself would do so again at each step, and under the live screen of ./fnn wire.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ...shared.errors import problem
from .places import has_terminal

#: Name of the option -> the option of Ansible with the file, what is asked for, and the variable of Ansible that asks.
_ASKED = {
    "ask_pass": ("--connection-password-file", "Password of the login", "ANSIBLE_ASK_PASS"),
    "ask_become_pass": ("--become-password-file", "Password of sudo", "ANSIBLE_BECOME_ASK_PASS"),
    "ask_vault_pass": ("--vault-password-file", "Password of Ansible Vault", "ANSIBLE_ASK_VAULT_PASS"),
}
VARIABLES = {name: variable for name, (_, _, variable) in _ASKED.items()}
#: The places from which Ansible itself would ask for the password of a vault.
_PROMPTS = ("prompt", "prompt_ask_vault_pass")


def list_password_options(given: Mapping[str, Any]) -> list[str]:
    """The options of Ansible with the files of passwords, also of those to ask for, which end with this process.

    given: the options of ./fnn by name. Raises FnnError if there is no terminal to ask on.
    """
    words = []
    for name, (option, question, variable) in _ASKED.items():
        if given.get(name):
            words += [option, _keep(_ask(question))]
        os.environ.pop(variable, None)  # Ansible would ask again
    for file in given.get("vault_password_file", ()):
        words += ["--vault-password-file", _find(file)]
    for each in given.get("vault_id", ()):
        label, _, place = each.rpartition("@")
        found = _keep(_ask(f"Password of the vault {label or 'default'}")) if place in _PROMPTS else _find(place)
        words += ["--vault-id", f"{label}@{found}" if label else found]
    return words


def _find(file: str) -> str:
    """A file of the operator's directory; Ansible runs in the checkout."""
    return str(Path(file).expanduser().absolute())


def _ask(question: str) -> str:
    try:
        return str(click.prompt(question, hide_input=True, err=True))
    except click.Abort:
        if has_terminal():
            raise
        raise problem(
            question, "there is no terminal to ask for it; give it by a file, as ansible-playbook does"
        ) from None


def _keep(password: str) -> str:
    """Writes a file that only this user can read, in memory where the system has a directory for that."""
    memory = Path(os.environ.get("XDG_RUNTIME_DIR") or "/dev/shm")
    handle, path = tempfile.mkstemp(prefix="fnn-", dir=memory if os.access(memory, os.W_OK) else None)
    atexit.register(Path(path).unlink, missing_ok=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(password + "\n")
    return path
