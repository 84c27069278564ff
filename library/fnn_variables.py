#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_variables
short_description: Check the variables of an inventory
description:
  - Refuses variables whose names begin with C(fnn_) and that no role defines, as they are misspelt. Also refuses
    missing variables, wrong types and numbers that are too small. Refuses duplicate keys in the YAML files of the
    inventory, of which Ansible would take the last.
  - Reads the known variables from C(schemas/variables.yml). M(fnn_spec) checks nodes, switches and uplink.
options:
  hosts:
    description: The variables of each node, as the filter P(fnn_variables#filter) gives them.
    type: dict
    required: true
  sources:
    description: Files and directories of the inventory.
    type: list
    elements: str
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root]
"""

EXAMPLES = r"""
- name: Check the inventory
  fnn_variables:
    hosts: "{{ groups['fnn_nodes'] | fnn_variables(hostvars) }}"
    sources: "{{ ansible_inventory_sources }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""#"""

from ansible.module_utils.fnn.controller.spec.variable_source import read_source
from ansible.module_utils.fnn.controller.spec.variables import find_bad_variables, find_repeated_keys
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn_module import run_module


def check(task: Task) -> Result:
    """Raises FnnError with all problems."""
    problems = find_repeated_keys(task.options["sources"])
    problems += find_bad_variables(task.options["hosts"], read_source(task.root).variables)
    if problems:
        raise FnnError(problems)
    return {}


def describe_module() -> ControllerModule:
    sources = {"type": "list", "elements": "str", "required": True}
    return ControllerModule(check, {"hosts": {"type": "dict", "required": True}, "sources": sources})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
