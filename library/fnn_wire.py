#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_wire
short_description: Write the connection settings of the nodes and the head for ./fnn
description:
  - Runs on the controller and writes a document with the settings by which Ansible reaches the nodes, for live cabling,
    or the head, for power-on discovery. C(./fnn) opens one long-lived SSH connection to each. The document is removed
    in the end.
options:
  file:
    description: The document, of the format C(fnn-wire).
    type: path
    required: true
  site:
    description: Directory of C(design.json) and C(macs.json).
    type: path
    required: true
  cluster:
    description: Name of the cluster.
    type: str
    required: true
  nodes:
    description: Settings by node, as the filter P(fnn_ssh#filter) returns them.
    type: dict
    default: {}
  head:
    description:
      - The head's C(reach), settings like those of a node, its C(device), C(namespace), and the C(prefix) for leases.
    type: dict
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.build]
"""

EXAMPLES = r"""
- name: Write the connection settings of the nodes
  fnn_wire:
    file: "{{ fnn_build_dir }}/wire.json"
    site: "{{ fnn_site_dir }}"
    build: "{{ fnn_build_dir }}"
    cluster: "{{ fnn_cluster }}"
    root: "{{ fnn_root }}"
    nodes: "{{ groups['fnn_nodes'] | fnn_ssh(hostvars) }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
file:
  description: The document.
  returned: success
  type: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.shared.errors import FnnError


def main() -> None:
    paths = {path: {"type": "path", "required": True} for path in ("file", "site", "build", "root")}
    module = AnsibleModule(
        argument_spec={
            **paths,
            "cluster": {"type": "str", "required": True},
            "nodes": {"type": "dict", "default": {}},
            "head": {"type": "dict"},
        },
        supports_check_mode=True,
    )
    options = module.params
    given = {key: options[key] for key in ("cluster", "site", "build", "nodes", "head") if options[key] is not None}
    document = {"format": "fnn-wire", "version": 1, **given}
    try:
        documents, path = Documents(Path(options["root"]) / "schemas"), Path(options["file"])
        documents.check(document, document["format"])
        changed = not path.exists() or path.read_bytes() != dumps(document).encode()
        if not module.check_mode:
            documents.write(path, document)
    except FnnError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed, file=options["file"])


if __name__ == "__main__":
    main()
