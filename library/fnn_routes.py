#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_routes
short_description: Choose which of its shared switches each pair of nodes uses
description:
  - Distributes the pairs of nodes over their shared switches with the engine, so that no NIC carries more peers than
    necessary. Chooses the weights by which advanced routing divides flows over all of them.
  - Writes C(routes.json) and a readable C(routes.txt). Runs once, on the controller.
options:
  preview:
    description: Directory that gets C(routes.json) in check mode, when O(build) does not.
    type: path
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.build]
attributes:
  diff_mode:
    description: Shows the rows of the table that change.
"""

EXAMPLES = r"""
- name: Choose the routes
  fnn_routes:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
most_peers_per_gbps:
  description: Number of peers that the busiest NIC sends to or receives from, per Gb/s.
  returned: success
  type: float
bound_peers_per_gbps:
  description: Lower bound of that number, for any choice of routes.
  returned: success
  type: float
one_way_pairs:
  description: Pairs whose two directions use different switches, because the bound could not be kept otherwise.
  returned: success
  type: int
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.engine_runs import EngineRun
from ansible.module_utils.fnn.controller.options import PATH, require_paths
from ansible.module_utils.fnn.controller.plan.routing import show_table
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task, make_diff
from ansible.module_utils.fnn_module import run_module


def choose_routes(task: Task) -> Result:
    """Choose the routes and write the files that differ; none without a choice of switches. Raises FnnError."""
    build = task.path("build")
    if not is_neighborhood_network(task.read("design")["spec"]):
        return {"changed": False}
    designer = task.open_designer()
    run = EngineRun(task, designer, "routes.json", [task.path("design")], {})
    content = run.read_unchanged() or choose(task, designer)
    routes = json.loads(content)
    files = {build / "routes.json": content, build / "routes.txt": show_table(routes)}
    changed = {path: (read_text(path), text) for path, text in files.items() if read_text(path) != text}
    for path, (_, text) in changed.items():
        task.write(path, text)
    task.write_preview("routes.json", content)
    run.record(content)
    answer = {each: routes[each] for each in ("most_peers_per_gbps", "bound_peers_per_gbps", "one_way_pairs")}
    if task.diff_mode:
        # The diff of the table suffices: the document has the same content.
        answer["diff"] = [make_diff(path, *texts) for path, texts in changed.items() if path.suffix == ".txt"]
    return {"changed": bool(changed), **answer}


def choose(task: Task, designer: Designer) -> str:
    """Return the text of the routes document that the engine makes. Raises FnnError."""
    with TemporaryDirectory() as directory:
        chosen = Path(directory) / "routes.json"
        designer.choose_routes(task.path("design"), chosen)
        text: str = dumps(task.documents.read(chosen, "fnn-routes"))
    return text


def read_text(path: Path) -> str:
    """Return the content of a file, empty if it is missing."""
    return path.read_text("utf-8", "replace") if path.exists() else ""


def describe_module() -> ControllerModule:
    return ControllerModule(choose_routes, {**require_paths("design", "build"), "preview": PATH})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
