# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the documents of a site are, for commands of ./fnn that show them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....shared.errors import FnnError, Problem, problem
from ...documents import Documents
from ..places import BIN, ROOT, expand_path, show_path
from ..settings import Settings
from .failures import find_remedy
from .log import list_errors


@dataclass(frozen=True)
class Site:
    """Variables of an inventory: fnn_site_dir, fnn_build_dir, fnn_access, and fnn_lab_name (empty without a lab)."""

    directory: Path
    build: Path
    access: str
    lab: str


def read_site(settings: Settings) -> Site:
    """Evaluates the variables in a role, as playbooks do: inventories use templates, roles have the defaults.

    Raises FnnError if Ansible cannot evaluate them, with the last line of its own message.
    """
    command = [str(BIN / "ansible"), "-i", str(settings.inventory), "fnn_nodes[0]"]
    command += ["-m", "ansible.builtin.include_role", "-a", "name=fnn tasks_from=show"]
    command += [word for each in settings.extra_vars for word in ("-e", each)] + [*settings.passwords]
    output, errors = run_ansible(command)
    try:
        # A result per task: of include_role, then of the task.
        shown = json.loads(output.rpartition(" | SUCCESS => ")[2])["msg"]
    except (ValueError, LookupError):
        raise problem(show_path(settings.inventory), _explain(output + errors)) from None
    directory, build = expand_path(shown["fnn_site_dir"]), expand_path(shown["fnn_build_dir"])
    return Site(directory, build, str(shown["fnn_access"]), str(shown["fnn_lab_name"]))


def run_ansible(command: list[str]) -> tuple[str, str]:
    """Standard output and errors of a single task, with its result as JSON, whatever the operator has set."""
    plain = {
        **{"ANSIBLE_CALLBACK_RESULT_FORMAT": "json", "ANSIBLE_FORCE_COLOR": "0", "ANSIBLE_NOCOLOR": "1"},
        **{"ANSIBLE_DEBUG": "0", "ANSIBLE_LOAD_CALLBACK_PLUGINS": "0", "ANSIBLE_VERBOSITY": "0"},
    }
    done = subprocess.run(command, cwd=ROOT, env=os.environ | plain, check=False, capture_output=True, text=True)
    return done.stdout, done.stderr


def require_documents(directory: Path, commands: Mapping[str, str]) -> None:
    """Raises FnnError for documents of the site that are missing. commands: name -> the command that makes it."""
    missing = {name: command for name, command in commands.items() if not (directory / name).exists()}
    if missing:
        raise FnnError(Problem(show_path(directory / name), f"missing; run {missing[name]}") for name in missing)


#: Documents of a site, and the command that makes each.
DESIGN = {"design.json": "./fnn design"}
MACS = {**DESIGN, "macs.json": "./fnn discover"}


def require_beside(settings: Settings, commands: Mapping[str, str]) -> None:
    """Raises FnnError for missing documents, which lie beside the inventory unless fnn_site_dir names another place."""
    inventory = settings.inventory
    beside = inventory if inventory.is_dir() else inventory.parent
    if not all((beside / name).exists() for name in commands):
        require_documents(read_site(settings).directory, commands)


def read_document(path: Path, format: str) -> dict[str, Any]:
    """A valid document of a site. Raises FnnError."""
    return Documents(ROOT / "schemas").read(path, format)


def _explain(output: str) -> str:
    """The error that Ansible printed, in one line."""
    what = "Ansible cannot evaluate the variables of fnn_nodes"
    errors = list_errors(output)
    return "; ".join([f"{what}: {errors[0].rstrip('.')}", *find_remedy(errors)]) if errors else what
