#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_scaling
short_description: Draw how many switch ports larger clusters need
description:
  - Computes with the engine how many nodes switches with a given number of ports can join, and inverts the relation.
    Draws the four graphs of the KLAT2 paper, for 2 to 5 NICs and 3 to 1024 nodes, beside the table of 2001.
  - Writes C(scaling.json), C(scaling.csv) and a graph for each number of NICs. Needs no design and no inventory.
options:
  directory:
    description: Directory for the result, usually C(build/scaling).
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root]
"""

EXAMPLES = r"""
- name: Compute the scaling study
  fnn_scaling:
    directory: "{{ fnn_root | fnn_generated }}/scaling"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
changed_files:
  description: Files that changed, below O(directory).
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.evaluate.scaling import TABLE_2001, format_csv, read_capacities, study_scaling
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.report.growth import draw_graphs
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def draw_scaling(task: Task) -> Result:
    """Query the engine, draw, and write the files that differ. Raises FnnError."""
    ours = read_capacities(task.open_designer().list_capacities(), "fnn-designer capacity")
    theirs = read_capacities((task.root / TABLE_2001).read_text(encoding="utf-8"), TABLE_2001)
    study = study_scaling(ours, theirs)
    task.documents.check(study, "fnn-scaling")
    files = {"scaling.json": dumps(study), "scaling.csv": format_csv(study), **draw_graphs(study)}
    changed = write_changed(task.path("directory"), files, task.check_mode)
    return {"changed": bool(changed), "changed_files": changed}


def describe_module() -> ControllerModule:
    return ControllerModule(draw_scaling, require_paths("directory"))


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
