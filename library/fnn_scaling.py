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
    directory: "{{ fnn_root }}/build/scaling"
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

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import open_designer
from ansible.module_utils.fnn.controller.evaluate.scaling import TABLE_2001, format_csv, read_capacities, study_scaling
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.report.growth import draw_graphs
from ansible.module_utils.fnn.shared.errors import FnnError


def draw_scaling(module: AnsibleModule) -> dict[str, Any]:
    """Query the engine, draw, compare and (outside check mode) write; return the module's result. Raises FnnError."""
    root, directory = Path(module.params["root"]), Path(module.params["directory"])
    ours = read_capacities(open_designer(root, module.run_command).list_capacities(), "fnn-designer capacity")
    theirs = read_capacities((root / TABLE_2001).read_text(encoding="utf-8"), TABLE_2001)
    study = study_scaling(ours, theirs)
    Documents(root / "schemas").check(study, "fnn-scaling")
    files = {"scaling.json": dumps(study), "scaling.csv": format_csv(study), **draw_graphs(study)}
    changed = write_changed(directory, files, module.check_mode)
    return {"changed": bool(changed), "changed_files": changed}


def main() -> None:
    """Run the module."""
    paths = {path: {"type": "path", "required": True} for path in ("directory", "root")}
    module = AnsibleModule(argument_spec=paths, supports_check_mode=True)
    try:
        module.exit_json(**draw_scaling(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
