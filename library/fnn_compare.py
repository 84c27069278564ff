#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_compare
short_description: Compare a design with other networks on the same nodes
description:
  - Reads the C(evaluation.json) of M(fnn_evaluate) and reports which network wins each measure. Where the design loses,
    reports the price at which it would win.
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

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.comparison import format_comparison
from ansible.module_utils.fnn.controller.report.sources import read_evaluation
from ansible.module_utils.fnn.shared.errors import FnnError


def compare(options: dict[str, Any]) -> dict[str, Any]:
    """Read the evaluation and format the comparison; return the module's result. Raises FnnError."""
    documents = Documents(Path(options["root"]) / "schemas")
    design = documents.read(options["design"], "fnn-design")
    evaluation = read_evaluation(documents, Path(options["build"]) / "evaluation.json", design)
    return {"changed": False, "lines": format_comparison(evaluation, options["routing"])}


def main() -> None:
    """Run the module."""
    module = AnsibleModule(
        argument_spec={
            **{path: {"type": "path", "required": True} for path in ("design", "build", "root")},
            "routing": {"type": "str", "choices": ["advanced", "basic"], "default": "advanced"},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(**compare(module.params))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
