#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_report
short_description: Write the report of a cluster as one page
description:
  - Writes C(report.html), a page that needs only a browser, from the documents of a cluster. It shows wiring,
    performance, alternatives, routing, failures, cost and scaling. All its numbers go to C(report.json).
  - The same documents give identical files.
options:
  build:
    description:
      - Directory of C(evaluation.json) and C(routes.json), and optionally of C(findings.json) and C(proof.json).
      - The report is written beside them. It links other results there, such as labels.
  scaling:
    description: C(scaling.json).
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build, fnn.routing, fnn.stock]
"""

EXAMPLES = r"""
- name: Write the report
  fnn_report:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    scaling: "{{ fnn_root }}/build/scaling/scaling.json"
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

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.report.make import make_report
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.sources import read_sources
from ansible.module_utils.fnn.shared.errors import FnnError

TEMPLATES = "roles/fnn_report/templates"


def write_report(module: AnsibleModule) -> dict[str, Any]:
    """Draw, compare and (outside check mode) write; return the module's result. Raises FnnError."""
    options = module.params
    root, build = Path(options["root"]), Path(options["build"])
    documents = Documents(root / "schemas")
    report = make_report(read_sources(documents, options))
    document = report.to_document()
    documents.check(document, "fnn-report")
    files = {"report.html": format_page(report, root / TEMPLATES), "report.json": dumps(document)}
    changed = write_changed(build, files, module.check_mode)
    return {"changed": bool(changed), "changed_files": changed, "title": report.verdict.title}


def main() -> None:
    """Run the module."""
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "build", "scaling", "root")},
            "routing": {"type": "str", "choices": ["advanced", "basic"], "default": "advanced"},
            "stock": {"type": "raw"},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**write_report(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
