#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_compare
short_description: Compare a design with other networks on the same nodes
description:
  - Reads the C(evaluation.json) or C(network.json) of M(fnn_evaluate) and reports which network wins each measure.
    Where the design loses, reports the price at which it would win.
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build, fnn.routing]
"""

EXAMPLES = r"""
- name: Compare
  fnn_compare:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
lines:
  description: A readable table of the networks, with explanatory sentences.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.fnn.controller.evaluate.comparison import describe_common_nics
from ansible.module_utils.fnn.controller.evaluate.comparison_table import format_comparison
from ansible.module_utils.fnn.controller.evaluate.evaluations import read_evaluation
from ansible.module_utils.fnn.controller.options import ROUTING, require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def compare(task: Task) -> Result:
    """Read the evaluation and format the comparison. Raises FnnError."""
    design = task.read("design")
    evaluation = read_evaluation(task.documents, task.path("build"), design)
    lines = format_comparison(evaluation, task.options["routing"])
    return {"lines": [*lines, *describe_common_nics(design["spec"])]}


def describe_module() -> ControllerModule:
    return ControllerModule(compare, {**require_paths("design", "build"), **ROUTING})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
