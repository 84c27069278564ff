#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_info
short_description: Report the state of a lab, and the switch of every cable
description:
  - Compares the namespaces, devices and containers of this machine with the design. Changes nothing.
  - With O(wait), waits for a lab that is booting.
options:
  wait:
    description: Seconds to wait until every node answers; fails if a node does not. 0 checks once.
    type: int
    default: 0
  write:
    description: Write C(lab.json) and C(lab.txt) into the lab's directory, for C(./fnn lab inspect).
    type: bool
    default: false
extends_documentation_fragment: [fnn_lab, fnn, fnn.no_diff, fnn.root, fnn.design, fnn.plan]
attributes:
  check_mode:
    description: Only observes the lab.
"""

EXAMPLES = r"""
- name: Wait until every node answers
  fnn_lab_info:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
    wait: 60
"""

RETURN = r"""
document:
  description: The lab, with nodes, cables and uplinks.
  returned: success
  type: dict
  sample:
    format: fnn-lab
    version: 1
    lab: fnn
    nodes: [{"name": "k00", "container": "fnn-k00", "namespace": "fnn-k00", "state": "running", "pid": 4711,
             "address": "10.79.0.1", "answers": true, "settings": "0beec7b5"}]
    cables: [{"node": "k00", "nic": 0, "device": "nic0", "mac": "02:f0:00:00:00:00", "port": "k00.0",
              "designed": "red", "plugged": "green", "state": "moved"}]
    uplinks: [{"switch": "red", "port": "red.up", "far": "up.red", "into": "red", "plugged": true}]
    strays: [{"cable": "stray0", "ends": ["red", "blue"]}]
    dead: []
    strangers: []
text:
  description: The same as tables.
  returned: success
  type: str
"""

from typing import Any

from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.options import FLAG
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.lab.host import list_answering, list_containers, read_namespaces
from ansible.module_utils.fnn.lab.layout import node_namespace
from ansible.module_utils.fnn.lab.machines.running import find_machines
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, lab_directory, read_layout
from ansible.module_utils.fnn.lab.status import inspect, to_text
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module


def inspect_lab(task: Task) -> dict[str, Any]:
    """Return the lab as a document. Raises FnnError, also for nodes that do not answer in time."""
    layout, seconds = read_layout(task), task.options["wait"]
    addresses = {node.name: str(node.address.ip) for node in layout.nodes}
    answering = list_answering(layout.lab, addresses, seconds)
    silent = [name for name in addresses if name not in answering]
    if seconds and silent:
        raise problem(f"lab {layout.lab}", f"no answer from {', '.join(silent)} within {seconds} s")
    nodes = list_containers(layout.lab) or find_machines(node_namespace(layout.lab, name) for name in addresses)
    document: dict[str, Any] = inspect(layout, read_namespaces(layout.lab), nodes, answering)
    return document


def report_lab(task: Task) -> Result:
    """Inspect the lab, and write its document and tables if they are wanted. Raises FnnError."""
    document = inspect_lab(task)
    text = to_text(document)
    if task.options["write"] and not task.check_mode:
        directory = lab_directory(task)
        task.write(directory / "lab.json", document)
        write_atomic(directory / "lab.txt", text, durable=False)
    return {"document": document, "text": text}


def describe_module() -> ControllerModule:
    return ControllerModule(report_lab, {**OF_A_DESIGN, "wait": {"type": "int", "default": 0}, "write": FLAG})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
