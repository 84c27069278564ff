#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_stand_in
short_description: Record which spare stands in for which dead node
description:
  - Runs on the controller and maintains C(stand-ins.json). M(fnn_render) derives the plan from it.
  - Removes the file when no spare stands in for a node.
options:
  node:
    description: The dead node.
    type: str
    required: true
  spare:
    description: The satellite that stands in for the node from now on; none by default.
    type: str
  path:
    description: C(stand-ins.json); created when it is missing.
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs]
"""

EXAMPLES = r"""
- name: Let hot1 stand in for k02
  fnn_stand_in:
    node: k02
    spare: hot1
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    path: "{{ fnn_site_dir }}/stand-ins.json"
    root: "{{ fnn_root }}"
"""

RETURN = r"""
stand_ins:
  description: All current stand-ins, in rank order of the nodes.
  returned: success
  type: list
  elements: dict
  sample: [{"node": "k02", "spare": "hot1"}]
"""

from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.plan.satellites import change_stand_ins, read_stand_ins
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def update_stand_ins(task: Task) -> Result:
    """Change the stand-ins and write or remove their document. Raises FnnError."""
    options, path = task.options, task.path("path")
    design, macs, before = task.read("design"), task.read("macs"), read_stand_ins(task.documents, path)
    after = change_stand_ins(design, macs, before, options["node"], options["spare"])
    document = {"format": "fnn-stand-ins", "version": 1, "cluster": design["cluster"], "stand_ins": after}
    if after:
        if after != before:
            task.write(path, document)
    elif before and not task.check_mode:
        path.unlink()
    return {**task.describe_change(path, {**document, "stand_ins": before}, document), "stand_ins": after}


def describe_module() -> ControllerModule:
    nodes = {"node": {"type": "str", "required": True}, "spare": {"type": "str"}}
    return ControllerModule(update_stand_ins, {**nodes, **require_paths("design", "macs", "path")})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
