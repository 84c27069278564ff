#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_cutover
short_description: Record which nodes are ready for a plan, and return all others
description:
  - Between the passes V(prepare) and V(switch) of M(fnn_apply), records in C(generation.json) which nodes are ready for
    traffic by the latest plan of M(fnn_render). Returns all other nodes.
  - A ready node stays ready as long as the plan stays the same, even when C(--limit) excludes it.
  - Runs once, on the controller, for all nodes.
options:
  prepared:
    description: Answers of M(fnn_apply) of the nodes that completed the pass V(prepare) in this run.
    type: dict
    required: true
    suboptions:
      under_way:
        description: By node, whether it has a former plan.
        type: dict
        required: true
  in_place:
    description: Nodes that have the plan already, and did not need the pass.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.build]
"""

EXAMPLES = r"""
- name: Record the nodes that are ready
  fnn_cutover:
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
    prepared: "{{ ansible_play_hosts | fnn_gather_tables(hostvars, paths) }}"
  vars:
    paths: {under_way: [fnn_prepared, under_way]}
  delegate_to: localhost
  run_once: true
  register: fnn_ready
"""

RETURN = r"""
held:
  description: Nodes that are not ready, in rank order; the other nodes still reach them by the former plan.
  returned: success
  type: list
  elements: str
  sample: ["k05"]
under_way:
  description: Whether a node has a former plan, so that the passes V(switch) and V(clean) follow.
  returned: success
  type: bool
"""

from collections.abc import Mapping
from pathlib import Path

from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.options import NAMES, require_paths
from ansible.module_utils.fnn.controller.plan.generation import note_prepared
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module


def read_ranks(path: Path) -> list[str]:
    """Return the MPI hosts in rank order. Raises FnnError."""
    cluster = read_json(path)
    try:
        return [str(host["name"]) for host in cluster["mpi"]["hosts"]]
    except (KeyError, TypeError):
        raise problem(f"{path.name}#/mpi/hosts", "damaged; playbooks/network.yml writes it again") from None


def note(task: Task) -> Result:
    """Add the nodes to the record of the generation. Raises FnnError."""
    under_way: Mapping[str, bool] = task.options["prepared"]["under_way"]
    build = task.path("build")
    path = build / "generation.json"
    document = task.documents.read(path, "fnn-generation")
    ranked = read_ranks(build / "cluster.json")
    rendered = sorted(path.parent.name for path in build.glob("nodes/*/manifest.json"))
    hosts = [*ranked, *(name for name in rendered if name not in ranked)]  # satellites without MPI come last
    noted = note_prepared(document, set(hosts) & {*under_way, *task.options["in_place"]})
    if noted != document:
        task.write(path, noted)
    held = [name for name in hosts if name not in noted["prepared"]]
    return {
        "changed": noted != document,
        "held": held,
        "under_way": any(under_way.values()),
    }


def describe_module() -> ControllerModule:
    table = {"type": "dict", "required": True}
    prepared = {"type": "dict", "required": True, "options": {"under_way": table}}
    return ControllerModule(note, {**require_paths("build"), "prepared": prepared, "in_place": NAMES})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
