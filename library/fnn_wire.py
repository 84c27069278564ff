#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_wire
short_description: Tell ./fnn wire how to reach the nodes
description:
  - Runs on the controller and writes a document with the settings by which Ansible reaches the nodes, for the screen of
    live cabling, which opens one long-lived ssh to each. It is removed when the screen closes.
options:
  file:
    description: The document, of the format C(fnn-wire).
    type: path
    required: true
  site:
    description: Where C(design.json) and C(macs.json) lie.
    type: path
    required: true
  cluster:
    description: Name of the cluster.
    type: str
    required: true
  root:
    description: Root directory of the toolkit, where C(schemas/) is.
    type: path
    required: true
  nodes:
    description: Settings by node, as the filter P(fnn_ssh#filter) finds them.
    type: dict
    required: true
attributes:
  check_mode:
    support: full
    description: Says what would change and writes nothing.
  diff_mode:
    support: none
    description: There is nothing to differ.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Tell how to reach the nodes
  fnn_wire:
    file: "{{ fnn_build_dir }}/wire.json"
    site: "{{ fnn_site_dir }}"
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
from ansible.module_utils.fnn.documents import Documents
from ansible.module_utils.fnn.errors import FnnError


def main() -> None:
    paths = {path: {"type": "path", "required": True} for path in ("file", "site", "root")}
    module = AnsibleModule(
        argument_spec={
            **paths,
            "cluster": {"type": "str", "required": True},
            "nodes": {"type": "dict", "required": True, "no_log": False},
        },
        supports_check_mode=True,
    )
    options = module.params
    document = {"format": "fnn-wire", "version": 1, **{key: options[key] for key in ("cluster", "site", "nodes")}}
    try:
        documents = Documents(Path(options["root"]) / "schemas")
        changed = not module.check_mode and documents.write(options["file"], document)
    except FnnError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed, file=options["file"])


if __name__ == "__main__":
    main()
