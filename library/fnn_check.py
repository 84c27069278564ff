#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_check
short_description: Compare the nodes with what the cluster needs from them
description:
  - Runs on the controller. With O(state=needs), returns what M(fnn_node) must find on the nodes.
  - With O(state=compared), compares what each node answered, and writes C(check.json). Fails if a node has a problem,
    unless O(proceed).
options:
  state:
    description: Action of the module.
    type: str
    choices: [needs, compared]
    default: compared
  spec:
    description: The spec, as M(fnn_spec) returns it.
    type: dict
    required: true
  site:
    description: Directory of C(macs.json).
    type: path
    required: true
  check:
    description: C(check.json), the file to write. Needed by V(compared).
    type: path
  packages:
    description: Packages of the MPIs.
    type: list
    elements: str
    default: []
  satellites:
    description: Hosts of the inventory that are wired only to the uplink switch.
    type: list
    elements: str
    default: []
  offered:
    description: What M(fnn_node) returned, by host.
    type: dict
    default: {}
  shell:
    description: What a shell command as root returned, by host, for hosts on which M(fnn_node) failed.
    type: dict
    default: {}
  targets:
    description: How Ansible reaches each host, as the filter P(fnn_targets#filter) returns it.
    type: dict
    default: {}
  proceed:
    description: Whether to succeed in spite of problems.
    type: bool
    default: false
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.plan]
"""

EXAMPLES = r"""
- name: Compare the nodes with what the cluster needs
  fnn_check:
    spec: "{{ __fnn_check_spec.spec }}"
    variables: "{{ __fnn_plan_variables }}"
    site: "{{ fnn_site_dir }}"
    check: "{{ fnn_build_dir }}/check.json"
    root: "{{ fnn_root }}"
    offered: "{{ ansible_play_hosts | fnn_gather(hostvars, '__fnn_check_offered') }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
needs:
  description: What the cluster needs from its nodes, with O(state=needs).
  returned: success
  type: dict
  sample: {"prefixes": ["10.77.0.0/16", "10.78.0.0/16"], "forwards": [], "bridge": "", "features": ["identity"],
    "packages": ["mpich"]}
complete:
  description: Whether every node has returned its NICs, so discovery need not read them again, with O(state=compared).
  returned: success
  type: bool
mpi:
  description: Whether M(fnn_mpi_node) would change no node, so that it need not run, with O(state=compared).
  returned: success
  type: bool
states:
  description: Whether O(offered) has the NICs of all nodes and the state of one, with O(state=compared). The stage that
    delivers files then looks for nodes that have them (M(fnn_deliveries)).
  returned: success
  type: bool
report:
  description: The findings as text, and the number of nodes that are ready, with O(state=compared).
  returned: success
  type: list
  elements: str
  sample: ["6 nodes ready"]
"""

from collections.abc import Mapping
from typing import Any

from ansible.module_utils.fnn.controller.check.check import Cluster, check_nodes, find_known
from ansible.module_utils.fnn.controller.check.connection import Target
from ansible.module_utils.fnn.controller.check.model import REFUSED, Answers
from ansible.module_utils.fnn.controller.check.needs import find_needs
from ansible.module_utils.fnn.controller.check.show import write_report
from ansible.module_utils.fnn.controller.options import FLAG, NAMES, PATH, PLAN, require_paths
from ansible.module_utils.fnn.controller.plan.settings import read_settings
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def check(task: Task) -> Result:
    """Return the needs, or compare the nodes with them. Raises FnnError."""
    cluster = read_cluster(task)
    if task.options["state"] == "needs":
        return {"needs": cluster.needs.describe()}
    answers, targets = read_answers(task)
    document = check_nodes(cluster, answers, targets)
    if not task.check_mode:
        task.documents.renew(task.path("check"), document)
    report = list(write_report(document))
    if document["verdict"] == REFUSED and not task.options["proceed"]:
        return {"failed": True, "msg": "\n".join(report)}
    return {"report": report, **find_known(answers.values())}


def read_cluster(task: Task) -> Cluster:
    """Return what the inventory and the documents of the site say of the cluster. Raises FnnError."""
    options, spec = task.options, task.options["spec"]
    settings = read_settings(task.root, options["variables"], options["facts"])
    path = task.path("site") / "macs.json"
    macs = task.documents.read(path, "fnn-macs") if path.exists() else None
    needs = find_needs(spec, settings, options["packages"])
    return Cluster(spec, macs, needs, settings, options["satellites"])


def read_answers(task: Task) -> tuple[dict[str, Answers], dict[str, Target]]:
    """Return what each node answered, and how Ansible reaches it."""
    options = task.options
    offered, shell = options["offered"], options["shell"]
    names = [*(node["name"] for node in options["spec"]["nodes"]), *options["satellites"]]
    answers = {name: Answers(offered[name], shell.get(name) or {}) for name in names if name in offered}
    return answers, {name: make_target(name, options["targets"]) for name in answers}


def make_target(name: str, targets: Mapping[str, Mapping[str, Any]]) -> Target:
    """Return how Ansible reaches a host; by its name without a setting."""
    own = targets.get(name, {})
    return Target(own.get("host") or name, own.get("user", ""), int(own.get("port") or 0), bool(own.get("password")))


def describe_module() -> ControllerModule:
    states = {"type": "str", "choices": ["needs", "compared"], "default": "compared"}
    given = {"spec": {"type": "dict", "required": True}}
    seen = {name: {"type": "dict", "default": {}} for name in ("offered", "shell", "targets")}
    others = {"packages": NAMES, "satellites": NAMES, "check": PATH, "proceed": FLAG}
    arguments = {"state": states, **require_paths("site"), **PLAN, **given, **seen, **others}
    return ControllerModule(check, arguments, [("state", "compared", ("check",))])


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
