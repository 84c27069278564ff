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
from ..places import BIN, ROOT, show_path
from ..settings import Settings


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
    command += [word for each in settings.extra_vars for word in ("-e", each)]
    output, errors = run_ansible(command)
    try:
        # A result per task: of include_role, then of the task.
        shown = json.loads(output.rpartition(" | SUCCESS => ")[2])["msg"]
    except (ValueError, LookupError):
        raise problem(show_path(settings.inventory), _explain(output + errors)) from None
    directory, build = _expand(shown["fnn_site_dir"]), _expand(shown["fnn_build_dir"])
    return Site(directory, build, str(shown["fnn_access"]), str(shown["fnn_lab_name"]))


def run_ansible(command: list[str]) -> tuple[str, str]:
    """Standard output and errors of a single task, with its result as JSON, whatever the operator has set."""
    plain = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "json", "ANSIBLE_FORCE_COLOR": "0", "ANSIBLE_NOCOLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | plain, check=False, capture_output=True, text=True)
    return done.stdout, done.stderr


def require_documents(directory: Path, commands: Mapping[str, str]) -> None:
    """Raises FnnError for documents of the site that are missing. commands: name -> the command that makes it."""
    missing = {name: command for name, command in commands.items() if not (directory / name).exists()}
    if missing:
        raise FnnError(Problem(show_path(directory / name), f"missing; run {missing[name]}") for name in missing)


def require_design(settings: Settings) -> None:
    """Raises FnnError without a design, which lies beside the inventory unless fnn_site_dir names another directory."""
    inventory = settings.inventory
    beside = inventory if inventory.is_dir() else inventory.parent
    if not (beside / "design.json").exists():
        require_documents(read_site(settings).directory, {"design.json": "./fnn design"})


def read_document(path: Path, format: str) -> dict[str, Any]:
    """A valid document of a site. Raises FnnError."""
    return Documents(ROOT / "schemas").read(path, format)


def _expand(path: str) -> Path:
    """As Ansible expands options of type path, in the directory in which playbooks run."""
    return ROOT / Path(os.path.expandvars(path)).expanduser()


def _explain(output: str) -> str:
    """The error that Ansible printed, in one line."""
    what = "Ansible cannot evaluate the variables of fnn_nodes"
    messages = [line for line in output.splitlines() if line.startswith(("[ERROR]: ", "ERROR! ", "fnn: "))]
    return f"{what}: {messages[-1].partition(': ')[2]}" if messages else what
