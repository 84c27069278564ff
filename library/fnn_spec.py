#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: the FNN toolkit authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Writes spec.json from the inventory."""

from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_spec
short_description: Write the spec of a cluster from its inventory
description:
  - Turns the cluster-wide variables and the NICs of each node into C(spec.json), the input of the designer.
  - Writes out every default. Reports all problems at once, each with its place in the document and the variable it
    comes from, and then writes nothing.
  - C(fnn-designer) checks the variables. C(schemas/fnn-spec.schema.json) describes their keys and values.
options:
  path:
    description: The file to write, beside the inventory.
    type: path
    required: true
  nodes:
    description: Names of the nodes in rank order.
    type: list
    elements: str
    required: true
  variables:
    description:
      - The variables of the spec that are the same for all nodes, by name; null is not given.
      - C(docs/reference/variables.md) describes them, and C(schemas/variables.yml) names the part of the spec for each.
    type: dict
    required: true
  node_variables:
    description: Those that a node has for itself; each is a dictionary from node to value.
    type: dict
    required: true
  maintenance:
    description:
      - The file for the spec of the maintenance network, which C(fnn_maintenance) describes. It is a spec of its own,
        with one NIC of each node, and M(fnn_design) takes it like any other.
      - Without it, only O(path) is written.
    type: path
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.engine]
"""

EXAMPLES = r"""
- name: Write the spec
  fnn_spec:
    path: "{{ inventory_dir }}/spec.json"
    root: "{{ fnn_root }}"
    nodes: "{{ groups['fnn_nodes'] }}"
    variables: "{{ __fnn_spec_variables }}"
    node_variables: "{{ __fnn_node_variables }}"
"""

RETURN = r"""
spec:
  description: The spec in its normal form, every default written out.
  returned: success
  type: dict
maintenance:
  description: The spec of the maintenance network.
  returned: with O(maintenance)
  type: dict
digest:
  description: Digest of that form. Without a maintenance network, it is in every design made from this spec.
  returned: success
  type: str
  sample: "sha256:9f2c…"
"""

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import digest, dumps
from ansible.module_utils.fnn.controller.options import ENGINE, PATH, require_paths
from ansible.module_utils.fnn.controller.spec.spec import build_spec, name_sources, normalize
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn_module import run_module


def write_spec(task: Task) -> Result:
    """Build, check and (outside check mode) write the spec; return the module's result. Raises FnnError."""
    path, designer = task.path("path"), task.provide_designer()
    options = task.options
    raw = build_spec(options["nodes"], options["variables"], options["node_variables"])
    try:
        specs = {path: normalize(raw, path.parent, designer, task.documents)}
        if options["maintenance"]:
            own = normalize(raw, path.parent, designer, task.documents, maintenance=True)
            specs[task.path("maintenance")] = own
    except FnnError as error:
        raise name_sources(error, raw) from None
    written = {"spec": specs[path], "digest": digest(specs[path])}
    if options["maintenance"]:
        written["maintenance"] = own
    return {**join_changes([write_one(task, *each) for each in specs.items()]), **written}


def write_one(task: Task, path: Path, spec: dict[str, Any]) -> Result:
    """Write one spec outside check mode; return its change. Raises FnnError."""
    before = path.read_text("utf-8", "replace") if path.exists() else None
    task.write(path, spec)
    return task.describe_change(path, before, dumps(spec))


def join_changes(changes: list[Result]) -> Result:
    """Return one change for several files."""
    if len(changes) == 1:
        return changes[0]
    diffs = [each["diff"] for each in changes if "diff" in each]
    return {"changed": any(each["changed"] for each in changes), **({"diff": diffs} if diffs else {})}


def describe_module() -> ControllerModule:
    nodes = {"nodes": {"type": "list", "elements": "str", "required": True}}
    variables = {name: {"type": "dict", "required": True} for name in ("variables", "node_variables")}
    return ControllerModule(write_spec, {**require_paths("path"), "maintenance": PATH, **ENGINE, **nodes, **variables})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
