#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_labels
short_description: Print labels, pages and pictures for the cables of a design
description:
  - Writes labels from the design alone, without any node. There is a label per node, flags for both ends of every
    cable, checklists of nodes and switches, a bill of cables, tables for label printers, and pictures of the wiring and
    of the fronts of the switches.
  - Gives every switch a color from jackets that can be bought or that are in stock, with stripes where jackets run out.
    Keeps the switch colors that the spec sets.
  - Writes only files that differ and removes those of an earlier run that are no longer made. The same design and
    options give identical files.
options:
  directory:
    description: Directory for the result, usually C(build/<cluster>/labels).
    type: path
    required: true
  maintenance:
    description:
      - The design of the maintenance network, if there is one. Its labels are in the directory C(maintenance) below
        O(directory), and its switches have other colors than those of the fabric.
    type: path
  identify:
    description:
      - Text that identifies a cable at both ends.
      - V(ports) names the two ends, C(k07:0/red:12). V(serials) names the cable itself, C(R-012), for cables that are
        numbered once and keep their number wherever they are plugged in.
    type: str
    choices: [ports, serials]
    default: ports
  sheets:
    description:
      - Sheets of labels and tapes that are for sale, by the numbers on their packages, like V([L7160, 5160, tape-24]).
        The files of each are in a directory of its name below O(directory).
    type: list
    elements: str
    default: []
  offset_mm:
    description:
      - Millimeters by which everything on O(sheets) is moved to the right and down, at most 10 each. The calibration
        page of each sheet shows how far a printer is off.
    type: list
    elements: float
    default: [0, 0]
  qr:
    description: Whether labels of cables have a QR code with the identifier of the cable.
    type: bool
    default: false
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.stock, fnn.papers]
attributes:
  diff_mode:
    description: Shows tables as they change, each cut after 40 lines, and names the other files.
"""

EXAMPLES = r"""
- name: Print labels from the cables in the drawer
  fnn_labels:
    design: "{{ fnn_site_dir }}/design.json"
    directory: "{{ fnn_build_dir }}/labels"
    root: "{{ fnn_root }}"
    stock: {blue: 40, red: 31, grey: 100}
    papers: [a4]
    sheets: [L7160, tape-12]
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
changed_files:
  description: Files that were changed, added or removed, below O(directory).
  returned: success
  type: list
  elements: str
index:
  description: Content of C(index.json) in O(directory), with the colors and all files.
  returned: success
  type: dict
maintenance:
  description: The same of the maintenance network.
  returned: with O(maintenance)
  type: dict
"""

import json

from ansible.module_utils.fnn.controller.labels.make import INDEX, make_files
from ansible.module_utils.fnn.controller.labels.write import find_changes, make_change, show_change
from ansible.module_utils.fnn.controller.options import FLAG, NAMES, PAPERS, PATH, STOCK, require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

SHOWN_LINES = 40
#: The directory of the labels of the maintenance network.
MAINTENANCE = "maintenance"


def print_labels(task: Task) -> Result:
    """Draw the labels and write those that differ. Raises FnnError."""
    directory, design = task.path("directory"), task.read("design")
    own = task.read_existing("maintenance", "fnn-design")
    sets = {directory: make_files(design, task.options)}
    if own:
        sets[directory / MAINTENANCE] = make_files(own, task.options, design)
    for files in sets.values():
        task.documents.check(json.loads(files[INDEX]), "fnn-labels")
    changes = [(place, each) for place, files in sets.items() for each in find_changes(files, place, task.documents)]
    if not task.check_mode:
        for place, change in changes:
            make_change(change, place)
    paths = [str((place / each.path).relative_to(directory)) for place, each in changes]
    answer = {"changed": bool(changes), "changed_files": paths, "index": json.loads(sets[directory][INDEX])}
    if own:
        answer["maintenance"] = json.loads(sets[directory / MAINTENANCE][INDEX])
    if task.diff_mode:
        answer["diff"] = [{"prepared": show_change(each, SHOWN_LINES)} for _, each in changes]
    return answer


def describe_module() -> ControllerModule:
    identify = {"type": "str", "choices": ["ports", "serials"], "default": "ports"}
    sheets = {"sheets": NAMES, "offset_mm": {"type": "list", "elements": "float", "default": [0, 0]}, "qr": FLAG}
    options = {**STOCK, "identify": identify, **PAPERS, **sheets, "maintenance": PATH}
    return ControllerModule(print_labels, {**require_paths("design", "directory"), **options})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
