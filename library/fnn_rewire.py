#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_rewire
short_description: Rewire a cluster from one design to another, batch by batch
description:
  - Runs on the controller and maintains C(rewire.json), the record of a rewiring, beside C(design.json).
  - V(planned) finds the fewest cables that must move, and an order in which every pair of nodes keeps a path, directly
    or over the uplink. Each batch then passes V(resting) (its cables are not used), V(arrived) (C(design.json) has
    their new places, for M(fnn_verify) to compare) and V(finished).
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
    type: path
    required: true
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
  stock:
    description: Available jackets, as for M(fnn_labels).
    type: raw
  papers:
    description: Sizes of the sheets.
    type: list
    elements: str
    choices: [a4, letter]
    default: [a4, letter]
  access:
    description:
      - How operators reach the nodes. With V(nic), over the fabric alone, the report names the batches that interrupt
        their path. A rewiring after which they could not reach a node is refused.
    type: str
    choices: [management, nic]
    default: management
  unreachable:
    description: Nodes that did not answer; O(state=finished) refuses a batch with cables of these nodes.
    type: list
    elements: str
    default: []
  root:
    description: Root directory of the toolkit, where C(schemas/) and C(bin/fnn-designer) are.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Reports the next step and writes nothing.
  diff_mode:
    support: full
    description: Shows the lines of C(design.json) that change.
author: The FNN toolkit authors
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

from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import open_designer
from ansible.module_utils.fnn.controller.files import write_atomic
from ansible.module_utils.fnn.controller.rewire import steps
from ansible.module_utils.fnn.controller.rewire.access import check_reachability
from ansible.module_utils.fnn.controller.rewire.instructions import write_progress
from ansible.module_utils.fnn.controller.rewire.job import list_resting
from ansible.module_utils.fnn.controller.rewire.sheet import draw_sheets
from ansible.module_utils.fnn.shared.errors import FnnError, problem


class Rewiring:
    """One run of the module. Raises FnnError."""

    def __init__(self, module: AnsibleModule) -> None:
        self.module, self.options = module, module.params
        root = Path(self.options["root"])
        self.documents = Documents(root / "schemas")
        self.designer = open_designer(root, module.run_command)
        self.design_path, self.job_path = Path(self.options["design"]), Path(self.options["job"])
        self.design = self.documents.read(self.design_path, "fnn-design")
        self.by_nic = self.options["access"] == "nic"
        self.job = self.documents.read(self.job_path, "fnn-rewire") if self.job_path.exists() else None

    def run(self) -> dict[str, Any]:
        """Take the step and (outside check mode) write; return the module's result."""
        job, design = self.take_step()
        if self.by_nic and self.options["state"] in ("planned", "back"):
            check_reachability(job)
        sheets = self.draw(job) if self.options["state"] in ("planned", "back") else {}
        changed = job != self.job or design != self.design
        if not self.module.check_mode:
            # Write the design first: the step can be repeated with only the design written, not with only the job.
            self.documents.write(self.design_path, design)
            self.documents.write(self.job_path, job)
            for name, content in sheets.items():
                changed |= write_atomic(Path(self.options["directory"]) / name, content, durable=False)
        answer = {"changed": changed, **self.make_result(job)}
        if self.module._diff:
            header = {"before_header": str(self.design_path), "after_header": str(self.design_path)}
            answer["diff"] = {**header, "before": dumps(self.design), "after": dumps(design)}
        return answer

    def take_step(self) -> steps.State:
        state, size = self.options["state"], self.options["size"]
        if state == "planned":
            new = self.documents.read(self.options["to"], "fnn-design")
            self.designer.check(Path(self.options["to"]))
            return steps.plan(self.designer, self.design, new, size, self.job)
        if self.job is None:
            raise problem(self.job_path.name, "missing; no rewiring has been planned")
        if state == "back":
            return steps.go_back(self.designer, self.design, self.job, size)
        if state == "resting":
            return steps.begin(self.job, self.design)
        if state == "arrived":
            return steps.arrive(self.designer, self.job, self.design)
        if state == "finished":
            return steps.finish(self.job, self.design, self.options["unreachable"])
        return self.job, self.design

    def draw(self, job: dict[str, Any]) -> dict[str, bytes]:
        """Return the sheets, and the same lines as text."""
        text = "\n".join(write_progress(job, True, self.by_nic)) + "\n"
        sheets = draw_sheets(job, self.options["stock"], self.options["papers"], self.by_nic)
        return {**sheets, "rewire.txt": text.encode()}

    def make_result(self, job: dict[str, Any]) -> dict[str, Any]:
        whole = self.options["state"] in ("planned", "back", "shown")
        return {
            "report": write_progress(job, whole, self.by_nic),
            "resting": list_resting(job),
            **{key: job[key] for key in ("done", "moves", "minutes")},
            "batches": len(job["batches"]),
        }


def main() -> None:
    """Run the module."""
    states = ["planned", "back", "resting", "arrived", "finished", "shown"]
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": states, "default": "shown"},
            **{path: {"type": "path", "required": True} for path in ("design", "job", "directory", "root")},
            "to": {"type": "path"},
            "unreachable": {"type": "list", "elements": "str", "default": []},
            "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
            "size": {"type": "int", "default": 8},
            "stock": {"type": "raw"},
            "papers": {"type": "list", "elements": "str", "choices": ["a4", "letter"], "default": ["a4", "letter"]},
        },
        required_if=[("state", "planned", ["to"])],
        supports_check_mode=True,
    )
    try:
        module.exit_json(**Rewiring(module).run())
    except FnnError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
