#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_rewire
short_description: Rewire a cluster from one design to another, batch by batch
description:
  - Runs on the controller and maintains C(rewire.json), the record of a rewiring, beside C(design.json).
  - V(planned) finds the fewest cables that must move, and an order in which every pair of nodes keeps a path, directly
    or over the uplink, as far as the wiring permits. From a ring, star, mesh or tree, pairs also use nodes that forward
    and the cables between switches. It lists the parts to buy.
  - Each batch then passes V(resting) (its cables are not used), V(arrived) (C(design.json) has their new places, for
    M(fnn_verify) to compare) and V(finished).
options:
  state:
    description:
      - V(planned) plans a rewiring to O(to); V(back) plans one to the start of the present one.
      - V(resting), V(arrived) and V(finished) advance the next batch. V(shown) only reports.
    choices: [planned, back, resting, arrived, finished, shown]
    default: shown
    type: str
  design:
    description: C(design.json), the present wiring.
  job:
    description: C(rewire.json).
    type: path
    required: true
  to:
    description: The new design, for O(state=planned).
    type: path
  size:
    description: Cables per batch; exchanges are not split.
    type: int
    default: 8
  directory:
    description: Directory for the sheets to tick off, for O(state=planned) and O(state=back).
    type: path
    required: true
  access:
    description:
      - How operators reach the nodes. With V(nic), over the fabric alone, the report names the batches that interrupt
        their path. A rewiring after which they could not reach a node is refused.
    type: str
    choices: [management, nic]
    default: management
  prices:
    description: Price list for parts without a price in the spec, as in C(prices/).
    type: path
  unreachable:
    description: Nodes that did not answer; O(state=finished) refuses a batch with cables of these nodes.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.diff, fnn.root, fnn.design, fnn.stock, fnn.papers]
attributes:
  diff_mode:
    description: Shows the lines of C(design.json) that change.
"""

EXAMPLES = r"""
- name: Plan the rewiring to a new design
  fnn_rewire:
    state: planned
    design: "{{ fnn_site_dir }}/design.json"
    job: "{{ fnn_site_dir }}/rewire.json"
    to: "{{ inventory_dir }}/new.json"
    directory: "{{ fnn_build_dir }}/rewire"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
report:
  description: The rewiring, or its next batch, as lines of text.
  returned: success
  type: list
  elements: str
done:
  description: Batches finished.
  returned: success
  type: int
batches:
  description: Batches in all.
  returned: success
  type: int
moves:
  description: Cables to move in all.
  returned: success
  type: int
minutes:
  description: Estimated time for one person, in minutes.
  returned: success
  type: int
resting:
  description: NICs that must not be used now, as node and nic.
  returned: success
  type: list
  elements: dict
"""

from typing import Any

from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.options import NAMES, PAPERS, PATH, STOCK, require_paths
from ansible.module_utils.fnn.controller.rewire import steps
from ansible.module_utils.fnn.controller.rewire.access import check_reachability
from ansible.module_utils.fnn.controller.rewire.instructions import write_progress
from ansible.module_utils.fnn.controller.rewire.sheet import draw_sheets
from ansible.module_utils.fnn.controller.rewire.wiring import list_resting
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module


class Rewiring:
    """One run of the module. Raises FnnError."""

    def __init__(self, task: Task) -> None:
        self.task, self.options, self.designer = task, task.options, task.open_designer()
        self.design, self.job = task.read("design"), task.read_existing("job", "fnn-rewire")
        self.by_nic = self.options["access"] == "nic"

    def run(self) -> Result:
        """Take the step and write; return the module's result."""
        job, design = self.take_step()
        if self.by_nic and self.options["state"] in ("planned", "back"):
            check_reachability(job)
        sheets = self.draw(job) if self.options["state"] in ("planned", "back") else {}
        changed = job != self.job or design != self.design
        # Write the design first: the step can be repeated with only the design written, not with only the job.
        self.task.write(self.task.path("design"), design)
        self.task.write(self.task.path("job"), job)
        if not self.task.check_mode:
            for name, content in sheets.items():
                changed |= write_atomic(self.task.path("directory") / name, content, durable=False)
        shown = self.task.describe_change(self.task.path("design"), self.design, design)
        return {**shown, "changed": changed, **self.make_result(job)}

    def take_step(self) -> steps.State:
        state = self.options["state"]
        options = steps.Options(self.options["size"], self.task.read("prices") if self.options["prices"] else None)
        if state == "planned":
            new = self.task.read("to", "fnn-design")
            self.check_target(new)
            return steps.plan(self.designer, self.design, new, options, self.job)
        if self.job is None:
            raise problem(self.task.path("job").name, "missing; ./fnn rewire --to DESIGN plans a rewiring")
        if state == "back":
            return steps.go_back(self.designer, self.design, self.job, options)
        if state == "resting":
            return steps.begin(self.designer, self.job, self.design)
        if state == "arrived":
            return steps.arrive(self.designer, self.job, self.design)
        if state == "finished":
            return steps.finish(self.job, self.design, self.options["unreachable"])
        return self.job, self.design

    def check_target(self, new: dict[str, Any]) -> None:
        """Refuse a new design that no rewiring leads to."""
        name = self.task.path("to").name
        if not is_neighborhood_network(new["spec"]):
            words = "a rewiring leads to a flat neighborhood network or one switch; state back also leads to its start"
            raise problem(f"{name}#/spec/topology", f'"{new["spec"]["topology"]}", but {words}')
        self.designer.check(self.task.path("to"))

    def draw(self, job: dict[str, Any]) -> dict[str, bytes]:
        """Return the sheets, and the same lines as text."""
        text = "\n".join(write_progress(job, True, self.by_nic)) + "\n"
        sheets = draw_sheets(job, self.options["stock"], self.options["papers"], self.by_nic)
        return {**sheets, "rewire.txt": text.encode()}

    def make_result(self, job: dict[str, Any]) -> Result:
        whole = self.options["state"] in ("planned", "back", "shown")
        return {
            "report": write_progress(job, whole, self.by_nic),
            "resting": list_resting(job),
            **{key: job[key] for key in ("done", "moves", "minutes")},
            "batches": len(job["batches"]),
        }


def describe_module() -> ControllerModule:
    states = ["planned", "back", "resting", "arrived", "finished", "shown"]
    others = {
        "state": {"type": "str", "choices": states, "default": "shown"},
        "to": PATH,
        "unreachable": NAMES,
        "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
        "size": {"type": "int", "default": 8},
        "prices": PATH,
    }
    arguments = {**require_paths("design", "job", "directory"), **others, **STOCK, **PAPERS}
    return ControllerModule(lambda task: Rewiring(task).run(), arguments, [("state", "planned", ["to"])])


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
