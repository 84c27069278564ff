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

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.lab import access
from ansible.module_utils.fnn.lab.host import make_key
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, lab_directory, read_layout
from ansible.module_utils.fnn.shared.errors import FnnError


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


def main() -> None:
    module = AnsibleModule(argument_spec=OF_A_DESIGN, supports_check_mode=True)
    directory = lab_directory(module.params)
    try:
        layout = read_layout(module.params)
        keys = list_keys(layout, directory)
        missing = [key for key in keys if not key.with_suffix(".pub").exists()]
        if module.check_mode and missing:
            module.exit_json(changed=True, files=[str(key) for key in missing])
        for key in missing:
            make_key(key, keys[key])
        files = list_files(layout, directory)
        if module.check_mode:
            wrong = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
        else:
            wrong = [path for path, text in files.items() if write_atomic(path, text, durable=False)]
    except FnnError as error:
        module.fail_json(msg=str(error))
    except OSError as error:
        module.fail_json(msg=f"{error.filename}: {error.strerror}")
    changed = [str(path) for path in [*missing, *wrong]]
    module.exit_json(changed=bool(changed), files=changed)


if __name__ == "__main__":
    main()
