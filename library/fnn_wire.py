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

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

GIVEN = ("cluster", "site", "build", "nodes", "head")


def write_settings(task: Task) -> Result:
    """Write the document. Raises FnnError."""
    given = {key: task.options[key] for key in GIVEN if task.options[key] is not None}
    document, path = {"format": "fnn-wire", "version": 1, **given}, task.path("file")
    task.documents.check(document, "fnn-wire")
    changed = not path.exists() or path.read_bytes() != dumps(document).encode()
    task.write(path, document)
    return {"changed": changed, "file": task.options["file"]}


def describe_module() -> ControllerModule:
    reach = {"nodes": {"type": "dict", "default": {}}, "head": {"type": "dict"}}
    return ControllerModule(
        write_settings,
        {**require_paths("file", "site", "build"), "cluster": {"type": "str", "required": True}, **reach},
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
