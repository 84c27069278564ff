#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_access
short_description: Create the keys and files for SSH access to the nodes of a lab
description:
  - Creates a key for the controller and a host key for each node, once. Writes the files for C(ssh -F) and for each
    node below C(build/lab/<lab>). Needs C(ssh-keygen), but no container.
extends_documentation_fragment: [fnn_lab, fnn, fnn.no_diff, fnn.root, fnn.design, fnn.plan]
attributes:
  check_mode:
    description: Reports whether a file is missing or different; does not create missing keys.
"""

EXAMPLES = r"""
- name: Make keys and files
  fnn_lab_access:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
"""

RETURN = r"""
files:
  description: Files that were created or changed.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.lab import access
from ansible.module_utils.fnn.lab.host import make_key
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, lab_directory, read_layout
from ansible.module_utils.fnn.shared.errors import FnnError, problem
from ansible.module_utils.fnn_module import run_module


def list_keys(layout: Layout, directory: Path) -> dict[Path, str]:
    """Private keys with their comments."""
    keys = {access.ssh_directory(directory) / access.CLIENT_KEY: f"fnn lab {layout.lab}"}
    for node in layout.nodes:
        keys[access.node_directory(directory, node.name) / access.HOST_KEY] = f"{node.name} of the fnn lab {layout.lab}"
    return keys


def list_files(layout: Layout, directory: Path) -> dict[Path, str]:
    """Files with their content. The keys must be there."""

    def read_public(key: Path) -> str:
        return key.with_suffix(".pub").read_text(encoding="ascii")

    ssh = access.ssh_directory(directory)
    homes = {node.name: access.node_directory(directory, node.name) for node in layout.nodes}
    host_keys = {name: read_public(home / access.HOST_KEY) for name, home in homes.items()}
    files = {
        ssh / "config": access.write_ssh_config(layout, directory),
        ssh / "known_hosts": access.write_known_hosts(layout, host_keys),
    }
    for node in layout.nodes:
        files[homes[node.name] / "authorized_keys"] = read_public(ssh / access.CLIENT_KEY)
        files[homes[node.name] / "10-mg0.network"] = access.write_network_file(node, layout.router)
    return files


def make_access(task: Task) -> Result:
    """Make the keys and files that are missing or different. Raises FnnError."""
    try:
        changed = [str(path) for path in write_access(task, lab_directory(task))]
    except FnnError:
        raise
    except OSError as error:
        raise problem(str(error.filename), str(error.strerror)) from None
    return {"changed": bool(changed), "files": changed}


def write_access(task: Task, directory: Path) -> list[Path]:
    """Return the keys and files that are made; in check mode the keys alone if any is missing. Raises OSError."""
    layout = read_layout(task)
    keys = list_keys(layout, directory)
    missing = [key for key in keys if not key.with_suffix(".pub").exists()]
    if task.check_mode and missing:
        return missing
    for key in missing:
        make_key(key, keys[key])
    files = list_files(layout, directory)
    if task.check_mode:
        return [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    return [*missing, *(path for path, text in files.items() if write_atomic(path, text, durable=False))]


def describe_module() -> ControllerModule:
    return ControllerModule(make_access, OF_A_DESIGN)


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
