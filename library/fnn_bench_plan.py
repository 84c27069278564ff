#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_bench_plan
short_description: Plan what a benchmark measures
description:
  - Every pair of nodes on every switch that both are on is tested, in rounds in which no NIC has two tests. The widest
    switch decides how many rounds there are, so 64 nodes take minutes.
  - Cells are combinations of a communication pattern, group size and message size. They are chosen by their predicted
    times, until the time is used up.
options:
  path:
    description: C(plan.json) is written there.
    type: path
    required: true
  macs:
    description: C(macs.json), which has the names of the NICs.
  routes:
    description: C(routes.json), if there is one. Needed to predict O(routing=basic).
    type: path
  nodes:
    description: The nodes that take part, in any order; all of the design where it is left out.
    type: list
    elements: str
  network:
    description: Whether traffic takes the routes of the plan, or the uplink tree, which has no pair tests.
  seconds:
    description: The most that the cells of one MPI may take.
    type: int
    default: 300
  at_once:
    description:
      - The most pair tests that run at once, for nodes that share a processor, as in a lab. As many as the switches
        take where it is left out.
    type: int
  sizes:
    description: Octets of messages.
    type: list
    elements: int
    default: [0, 64, 1024, 8192, 65536, 262144, 1048576, 4194304]
  seed:
    description: Of the random pairings of a bisection, and of O(shuffled).
    type: int
    default: 1
  shuffled:
    description:
      - Whether ranks are on random nodes. In rank order, neighbors on a logical ring are often on the same switch, also
        in the tree.
    type: bool
    default: false
extends_documentation_fragment:
  [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.macs, fnn.routing, fnn.network, fnn.speed_percent]
"""

EXAMPLES = r"""
- name: Plan the benchmark
  fnn_bench_plan:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    routes: "{{ fnn_build_dir }}/routes.json"
    path: "{{ fnn_build_dir }}/bench/plan.json"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
lines:
  description: What the plan leaves out, a sentence each.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.fnn.controller.bench.cells import SIZES
from ansible.module_utils.fnn.controller.bench.plan import Request, make_plan
from ansible.module_utils.fnn.controller.bench.show import show_left_out
from ansible.module_utils.fnn.controller.options import FLAG, NETWORK, PATH, ROUTING, SPEED_PERCENT, require_paths
from ansible.module_utils.fnn.controller.plan.routing import read_routes
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def plan_bench(task: Task) -> Result:
    """Read design, MACs and routes, and write the plan. Raises FnnError."""
    options, design = task.options, task.read("design")
    named = options["routes"] and task.path("routes").exists()
    routes = read_routes(task.documents, options["routes"], design) if named else None
    request = Request(
        network=options["network"],
        kind=options["routing"],
        nodes=options["nodes"],
        seconds=options["seconds"],
        at_once=options["at_once"],
        sizes=options["sizes"],
        seed=options["seed"],
        shuffled=options["shuffled"],
        speed_percent=options["speed_percent"],
    )
    plan = make_plan(design, task.read("macs"), routes, request)
    path = task.path("path")
    changed = task.read_existing("path", "fnn-bench-plan") != plan
    task.write(path, plan)
    return {"changed": changed, "lines": show_left_out(plan)}


def describe_module() -> ControllerModule:
    return ControllerModule(
        plan_bench,
        {
            **require_paths("path", "design", "macs"),
            "routes": PATH,
            "nodes": {"type": "list", "elements": "str"},
            "seconds": {"type": "int", "default": 300},
            "at_once": {"type": "int"},
            "sizes": {"type": "list", "elements": "int", "default": list(SIZES)},
            "seed": {"type": "int", "default": 1},
            "shuffled": FLAG,
            **ROUTING,
            **NETWORK,
            **SPEED_PERCENT,
        },
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
