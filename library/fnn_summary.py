#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_summary
short_description: Summarize a run on one page, from its documents
options:
  build:
    description:
      - Directory of evaluation.json, findings.json and proof.json; summary.json and summary.txt are written beside
        them.
  unfinished:
    description: Nodes that stopped answering during the run, or failed.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build]
attributes:
  check_mode:
    description: Returns the page and writes nothing. A summary never counts as a change.
"""

EXAMPLES = r"""
- name: Summarize the run
  fnn_summary:
    design: inventory/lab/design.json
    build: build/six
    root: "{{ fnn_root }}"
"""

RETURN = r"""
summary:
  description: The summary; C(lines) is the page.
  returned: success
  type: dict
"""

import os
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.report.summary import summarise
from ansible.module_utils.fnn.shared.errors import FnnError


def write_summary(module: AnsibleModule) -> dict[str, Any]:
    """Read the existing documents, summarize them and (outside check mode) write the summary. Raises FnnError."""
    options, build = module.params, Path(module.params["build"])
    documents = Documents(Path(options["root"]) / "schemas")
    design = documents.read(options["design"], "fnn-design")
    stages = {
        name: documents.read_of(design, build / f"{name}.json", f"fnn-{name}")
        for name in ("evaluation", "findings", "proof")
    }
    shown = Path(os.path.relpath(build, options["root"]))
    reports = ["summary.json", *(f"{name}.json" for name in ("findings", "proof") if stages[name])]
    places = {
        "documents": os.path.relpath(Path(options["design"]).parent, options["root"]) + "/{spec,design,macs,keys}.json",
        "node files": str(shown / "nodes" / "<node>"),
        "routing": str(shown / "routes.txt"),
        "report": ", ".join(str(shown / name) for name in reports),
        **({"page": str(shown / "report.html")} if (build / "report.html").exists() else {}),
    }
    summary: dict[str, Any] = summarise(design, stages, options["unfinished"], places)
    if not module.check_mode:
        documents.write(build / "summary.json", summary)
        write_atomic(build / "summary.txt", "\n".join(summary["lines"]) + "\n")
    return summary


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "design": {"type": "path", "required": True},
            "build": {"type": "path", "required": True},
            "root": {"type": "path", "required": True},
            "unfinished": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, summary=write_summary(module))
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
