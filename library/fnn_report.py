#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_report
short_description: Write the report of a cluster as one page
description:
  - Writes C(report.html), a page that needs only a browser, from the documents of a cluster. It shows wiring,
    performance, alternatives, routing or paths, failures, cost and scaling. All its numbers go to C(report.json).
  - The same documents give identical files.
options:
  build:
    description:
      - Directory of C(evaluation.json) and C(routes.json), or of C(network.json) for a tree, ring, star or mesh, and
        optionally of C(findings.json) and C(proof.json).
      - The report is written beside them. It links other results there, such as labels.
  scaling:
    description: C(scaling.json). Read for a flat neighborhood network or one switch.
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build, fnn.routing, fnn.weights, fnn.stock]
"""

EXAMPLES = r"""
- name: Write the report
  fnn_report:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    scaling: "{{ fnn_root | fnn_generated }}/scaling/scaling.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
changed_files:
  description: Files that changed, below O(build).
  returned: success
  type: list
  elements: str
title:
  description: The verdict in a few words.
  returned: success
  type: str
"""

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.options import ROUTING, STOCK, WEIGHTS, require_paths
from ansible.module_utils.fnn.controller.report.make import make_report
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.sources import read_sources
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

TEMPLATES = "roles/fnn_report/templates"


def write_report(task: Task) -> Result:
    """Draw the report and write the files that differ. Raises FnnError."""
    report = make_report(read_sources(task.documents, task.options))
    document = report.to_document()
    task.documents.check(document, "fnn-report")
    files = {"report.html": format_page(report, task.root / TEMPLATES), "report.json": dumps(document)}
    changed = write_changed(task.path("build"), files, task.check_mode)
    return {"changed": bool(changed), "changed_files": changed, "title": report.verdict.title}


def describe_module() -> ControllerModule:
    return ControllerModule(
        write_report, {**require_paths("design", "build", "scaling"), **ROUTING, **WEIGHTS, **STOCK}
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
