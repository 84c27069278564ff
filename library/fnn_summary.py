#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_summary
short_description: Summarize a run on one page, from its documents
description:
  - States the result of each stage, and reads only documents. Stages that did not run are named as missing.
options:
  build:
    description:
      - Directory of evaluation.json, findings.json and proof.json; summary.json and summary.txt are written beside
        them.
  maintenance:
    description:
      - The design of the maintenance network, if there is one. Its documents are in the directory C(maintenance) below
        O(build).
    type: path
  unfinished:
    description: Nodes that stopped answering during the run, or failed.
    type: list
    elements: str
    default: []
  kept:
    description: Whether this run has kept the findings of an earlier one.
    type: bool
    default: false
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build, fnn.routing, fnn.weights]
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

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.options import FLAG, NAMES, PATH, ROUTING, WEIGHTS, require_paths
from ansible.module_utils.fnn.controller.places import show_path
from ansible.module_utils.fnn.controller.report.divisions import choose_division
from ansible.module_utils.fnn.controller.report.summary import Run, summarize
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def write_summary(task: Task) -> Result:
    """Read the existing documents, summarize them and write the summary. Raises FnnError."""
    options, build, design = task.options, task.path("build"), task.read("design")
    stages = read_stages(task, design, build)
    own = task.read_existing("maintenance", "fnn-design")
    if own:
        stages["maintenance"] = {"design": own, **read_stages(task, own, build / "maintenance")}
    # The routes of a flat neighborhood network may be left from before.
    shown, other = Path(show_path(build, task.root)), not is_neighborhood_network(design["spec"])
    results = ["summary.json", *(f"{name}.json" for name in ("findings", "proof") if stages[name])]
    places = {
        "documents": show_path(task.path("design").parent, task.root) + "/{spec,design,macs,keys}.json",
        "node files": str(shown / "nodes" / "<node>"),
        **({"routing": str(shown / "routes.txt")} if (build / "routes.txt").exists() and not other else {}),
        "results": ", ".join(str(shown / name) for name in results),
        **({"report": str(shown / "report.html")} if (build / "report.html").exists() else {}),
    }
    division = choose_division(options["routing"], options["weights"])
    summary = summarize(design, stages, Run(options["unfinished"], options["kept"]), places, division)
    task.write(build / "summary.json", summary)
    task.write(build / "summary.txt", "\n".join(summary["lines"]) + "\n")
    return {"summary": summary}


def read_stages(task: Task, design: dict[str, Any], build: Path) -> dict[str, Any]:
    """Return the document of each stage that belongs to a design, or None. Raises FnnError."""
    return {
        name: task.documents.read_of(design, build / f"{name}.json", f"fnn-{name}")
        for name in ("evaluation", "network", "findings", "proof")
    }


def describe_module() -> ControllerModule:
    given = {"maintenance": PATH, "unfinished": NAMES, "kept": FLAG}
    return ControllerModule(write_summary, {**require_paths("design", "build"), **given, **ROUTING, **WEIGHTS})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
