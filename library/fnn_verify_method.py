#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_verify_method
short_description: Choose how verify identifies cables
description:
  - Runs on the controller. Chooses beacons or the relearn probe from what the inventory asks for, and from
    C(switch-passport.json) if M(fnn_switch_check) has written one.
  - Fails if a passport shows that no method works, before any frame is sent.
options:
  passport:
    description: C(switch-passport.json). It may be missing.
    type: path
    required: true
  evidence:
    description: The method that the inventory asks for.
    type: str
    choices: [auto, beacons, relearn]
    default: auto
  has_head:
    description: Whether a head on the uplink switch is named.
    type: bool
    default: false
  unplugs:
    description: Whether the play itself pulls the uplinks, as in a lab.
    type: bool
    default: false
  must_stay:
    description: Whether the uplinks must stay plugged in, because Ansible reaches the nodes over them.
    type: bool
    default: false
  seconds:
    description: Seconds without anything new after which a node has received all beacons.
    type: float
    required: true
  blocked:
    description: Seconds that silent NICs are waited for.
    type: float
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design]
"""

EXAMPLES = r"""
- name: Choose how cables are identified
  fnn_verify_method:
    design: "{{ fnn_site_dir }}/design.json"
    passport: "{{ fnn_site_dir }}/switch-passport.json"
    evidence: auto
    seconds: 2
    blocked: 35
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
evidence:
  description: V(beacons) alone, or V(relearn) for both.
  returned: success
  type: str
interval:
  description: Seconds between two beacons of a NIC at least; 0 for no limit.
  returned: success
  type: float
seconds:
  description: As O(seconds), or more where beacons are rare.
  returned: success
  type: float
blocked:
  description: As O(blocked), or what the slowest switch needs.
  returned: success
  type: float
notes:
  description: What the passports have changed.
  returned: success
  type: list
  elements: str
"""

from dataclasses import asdict

from ansible.module_utils.fnn.controller.options import FLAG, require_paths
from ansible.module_utils.fnn.controller.switch_check.passport import FORMAT
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.controller.verify.method import AUTO, BEACONS, RELEARN, Request, choose_method
from ansible.module_utils.fnn.shared.errors import FnnError, Problem
from ansible.module_utils.fnn_module import run_module


def choose(task: Task) -> Result:
    """Return the method. Raises FnnError if none works."""
    options, design = task.options, task.read("design")
    uplink = design["spec"]["uplink"]
    request = Request(
        evidence=options["evidence"],
        has_head=options["has_head"],
        unplugs=options["unplugs"],
        must_stay=options["must_stay"],
        seconds=options["seconds"],
        blocked=options["blocked"],
        nics={each["name"]: len(each["nodes"]) for each in design["switches"]},
        uplink=uplink["name"] if uplink else "",
    )
    method = choose_method(request, task.read_existing("passport", FORMAT))
    if method.problems:
        raise FnnError(Problem("", each) for each in method.problems)
    return {name: value for name, value in asdict(method).items() if name != "problems"}


def describe_module() -> ControllerModule:
    evidence = {"type": "str", "choices": [AUTO, BEACONS, RELEARN], "default": AUTO}
    times = {name: {"type": "float", "required": True} for name in ("seconds", "blocked")}
    flags = dict.fromkeys(("has_head", "unplugs", "must_stay"), FLAG)
    return ControllerModule(choose, {**require_paths("design", "passport"), "evidence": evidence, **flags, **times})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
