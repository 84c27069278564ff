#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_render
short_description: Plan the network and render the files of all nodes
description:
  - Computes every node's addresses, neighbors, routes, names and MPI hosts from the design and the MACs. Renders its
    files below C(build/nodes/), laid out as on the node. Files identical on all nodes are rendered once, below
    C(build/common/). Runs once, on the controller, for all nodes.
  - Writes only files that differ and removes those of nodes and files that are no longer part of the plan.
  - A node whose MACs are not known yet gets no files; the other nodes list it as unreached.
  - A node that this run did not reach (it is down, or C(--limit) left it out) keeps its facts of an earlier run, from
    C(facts.json).
  - Ends before it plans if C(rendered.json), its record of the last run, shows that no input and no file has changed
    since.
options:
  build:
    description: Directory for the result, usually C(build/) and the name of the cluster. The module owns C(nodes/) and
      C(common/) in it.
  rewiring:
    description:
      - C(rewire.json), if it exists. All files omit the cables of its current batch. Until the rewiring is complete,
        pairs without a common switch reach each other over the uplink switch.
    type: path
  routes:
    description:
      - C(routes.json), which basic routing (C(fnn_routing)) needs. There each pair of nodes uses one of its shared
        switches.
      - Advanced routing takes the weights of shared switches from it (C(fnn_weights)), and without it uses equal parts.
    type: path
  findings:
    description:
      - C(findings.json) of M(fnn_verify). Unless it reports that every link carries the wanted MTU, NICs with a smaller
        one keep it, and the task warns.
      - Without it, no MTU is raised above 1500.
    type: path
  maintenance:
    description:
      - C(maintenance-macs.json), with the NIC of each node in the maintenance network. It gets an address, unless
        Ansible arrives over it.
    type: path
  preview:
    description: Directory that gets all files in check mode, when O(build) gets none.
    type: path
  facts:
    description:
      - Facts of the nodes, each a dictionary from node to value.
      - C(arrived_on), C(default_route), C(generations), C(identity_kind), C(links), C(manager), C(networks) and
        C(resolver) are as M(fnn_links) returns them. C(ansible_host) is the variable of Ansible.
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.macs, fnn.build, fnn.stand_ins, fnn.plan]
attributes:
  diff_mode:
    description: Shows the first files that change, each cut after 40 lines.
"""

EXAMPLES = r"""
- name: Render the files of all nodes
  fnn_render:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
    variables: "{{ __fnn_plan_variables }}"
    facts: "{{ __fnn_plan_facts }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
generation:
  description: Number of plans so far, and the beginning of the digest of this plan's inputs.
  returned: success
  type: str
  sample: 8-3f2a9c1b0d2e
nodes:
  description: Nodes that have files, in rank order.
  returned: success
  type: list
  elements: str
changed_nodes:
  description: Nodes with changed, added or removed files, in rank order; nodes that left the plan come last.
  returned: success
  type: list
  elements: str
changed_files:
  description: Number of files that were changed, added or removed.
  returned: success
  type: int
unreached:
  description: For each node that cannot reach all others, those it cannot reach; empty in a complete plan.
  returned: success
  type: dict
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.options import PATH, PLAN, require_paths
from ansible.module_utils.fnn.controller.plan.read import PlannedTask, read_plan
from ansible.module_utils.fnn.controller.plan.recall import FACTS, make_facts
from ansible.module_utils.fnn.controller.plan.render import (
    RenderedFile,
    Renderer,
    check_views,
    find_changes,
    make_change,
    remove_empty_directories,
    show_change,
)
from ansible.module_utils.fnn.controller.plan.rendered import (
    RECORD,
    describe_inputs,
    find_unchanged,
    make_record,
    repeat_result,
)
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

Document = dict[str, Any]

SHOWN_FILES = 10
SHOWN_LINES = 40


def render_files(task: Task, planned: PlannedTask) -> Iterator[RenderedFile]:
    """Return the files of the plan, and write each into the preview. Raises FnnError."""
    documents = {FACTS: make_facts(planned.plan), "generation.json": planned.generation}
    written = [RenderedFile(Path(name), dumps(document).encode()) for name, document in documents.items()]
    for file in chain(Renderer(task.root).render(planned.plan), written):
        task.write_preview(file.path, file.content, file.mode)
        yield file


def render(task: Task) -> Result:
    """Render the files and write those that differ, unless nothing has changed since the last run. Raises FnnError."""
    if task.check_mode:
        return render_all(task, read_plan(task))
    inputs = describe_inputs(task)
    record = find_unchanged(task, inputs)
    if record:
        return repeat_result(task, record)
    planned = read_plan(task)
    result = render_all(task, planned)
    task.write(task.path("build") / RECORD, make_record(task, inputs, planned, result))
    return result


def render_all(task: Task, planned: PlannedTask) -> Result:
    """Render all files and write those that differ. Raises FnnError."""
    build, plan = task.path("build"), planned.plan
    for text in planned.warnings:
        task.warn(text)
    check_views(plan, task.documents)
    changed: dict[str, None] = {}
    shown: list[dict[str, str]] = []
    count = 0
    for change in find_changes(render_files(task, planned), build):
        count += 1
        changed.update(dict.fromkeys(change.nodes))
        if task.diff_mode and len(shown) < SHOWN_FILES:
            shown.append({"prepared": show_change(change, build, SHOWN_LINES)})
        if not task.check_mode:
            make_change(change)
    if not task.check_mode:
        remove_empty_directories(build)
    if task.diff_mode and count > len(shown):
        shown.append({"prepared": f"… and {count - len(shown)} more files\n"})
    return {
        "changed": count > 0,
        "changed_files": count,
        "generation": planned.generation["generation"],
        "changed_nodes": [*(name for name in plan.views if name in changed), *(changed.keys() - plan.views.keys())],
        "nodes": list(plan.views),
        "unreached": {name: view["unreached"] for name, view in plan.views.items() if view["unreached"]},
        **({"diff": shown} if task.diff_mode else {}),
    }


def describe_module() -> ControllerModule:
    paths = dict.fromkeys(("rewiring", "stand_ins", "routes", "findings", "maintenance", "preview"), PATH)
    return ControllerModule(render, {**require_paths("design", "macs", "build"), **paths, **PLAN})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
