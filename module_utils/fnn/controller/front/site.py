# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the documents of a site are, for commands of ./fnn that show them."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from .playbooks import BIN, ROOT


@dataclass(frozen=True)
class Site:
    """Variables of an inventory: fnn_site_dir, fnn_build_dir, fnn_access, and fnn_lab_name (empty without a lab)."""

    directory: Path
    build: Path
    access: str
    lab: str


def read_site(options: argparse.Namespace) -> Site:
    """Evaluates the variables in a role, as playbooks do: inventories use templates, roles have the defaults.

    Raises FnnError if Ansible cannot evaluate them; its own output is on standard error.
    """
    command = [str(BIN / "ansible"), "-i", str(options.inventory.resolve()), "fnn_nodes[0]"]
    command += ["-m", "ansible.builtin.include_role", "-a", "name=fnn tasks_from=show"]
    command += [word for each in options.extra_vars or () for word in ("-e", each)]
    plain = {"ANSIBLE_CALLBACK_RESULT_FORMAT": "json", "ANSIBLE_FORCE_COLOR": "0"}
    done = subprocess.run(command, cwd=ROOT, env=os.environ | plain, check=False, stdout=subprocess.PIPE, text=True)
    try:
        # A result per task: of include_role, then of the task.
        shown = json.loads(done.stdout.rpartition(" | SUCCESS => ")[2])["msg"]
    except (ValueError, LookupError):
        print(done.stdout, file=sys.stderr, end="")
        raise problem(str(options.inventory), "Ansible cannot evaluate the variables of fnn_nodes") from None
    directory, build = _expand(shown["fnn_site_dir"]), _expand(shown["fnn_build_dir"])
    return Site(directory, build, str(shown["fnn_access"]), str(shown["fnn_lab_name"]))


def read_document(path: Path, format: str) -> dict[str, Any]:
    """A valid document of a site. Raises FnnError."""
    from ..documents import Documents  # noqa: PLC0415 (jsonschema_rs is not there before make setup)

    return Documents(ROOT / "schemas").read(path, format)


def _expand(path: str) -> Path:
    """As Ansible expands options of type path, in the directory in which playbooks run."""
    return ROOT / Path(os.path.expandvars(path)).expanduser()
