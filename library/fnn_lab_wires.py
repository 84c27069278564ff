#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_wires
short_description: Create or remove the namespaces, switches and cables of a lab
description:
  - A lab is a design made of virtual parts on one machine. Bridges are switches, veth pairs are cables, and each node
    is a network namespace that a container then joins. This module creates all parts except the containers, and removes
    all parts.
  - Runs as root on the machine that hosts the lab.
options:
  design:
    description: C(design.json). Not needed with O(state=absent), which removes what is there.
    required: false
  variables:
    description: As in the other modules of the lab. Not needed with O(state=absent).
    required: false
  state:
    description:
      - V(present) creates missing parts and plugs in cables that were never plugged in. A moved or pulled cable stays
        so, as an injected fault must persist.
      - V(recabled) does the same and restores every cable to its place in the design.
      - V(absent) removes every container that carries the label of this lab and every namespace that carries its mark,
        with all devices in them.
    type: str
    choices: [present, recabled, absent]
    default: present
extends_documentation_fragment: [fnn_lab, fnn_lab.commands, fnn, fnn.root, fnn.design, fnn.plan, fnn.speed_percent]
"""

EXAMPLES = r"""
- name: Make what is missing
  fnn_lab_wires:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
"""

RETURN = r"""
commands:
  description: Commands that were run, in shell syntax.
  returned: success
  type: list
  elements: str
  sample: ["ip netns add fnn-sw", "ip -n fnn-sw link add name red type bridge mcast_snooping 0"]
namespaces:
  description: The namespaces that were made or completed, or removed.
  returned: success
  type: list
  elements: str
"""

from ansible.module_utils.fnn.controller.options import PATH, SPEED_PERCENT
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn.lab.host import (
    execute,
    list_containers,
    read_limits,
    read_marked_namespaces,
    read_namespaces,
    remove_containers,
    remove_namespaces,
)
from ansible.module_utils.fnn.lab.layout import check_lab
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, describe_commands, read_layout
from ansible.module_utils.fnn.lab.speeds import has_limits, limit_speeds, list_speeds
from ansible.module_utils.fnn.lab.wiring import Work, complete
from ansible.module_utils.fnn_module import run_module


def make(task: Task) -> tuple[list[str], list[str]]:
    """Return the namespaces made and all commands run."""
    layout = read_layout(task)
    speeds = list_speeds(layout, task.read("design"), task.options["speed_percent"])
    found = read_namespaces(layout.lab)
    work = complete(layout, found, recable=task.options["state"] == "recabled")
    if not task.check_mode:
        execute(work, layout.lab)
    limits = Work()
    if speeds or has_limits(layout, found):
        # After the cables are made: a new cable has no limit yet.
        limits.queues = limit_speeds(speeds, read_limits(layout))
    if not task.check_mode:
        execute(limits, layout.lab)
    return work.namespaces, work.commands() + limits.commands()


def remove(lab: str, check_mode: bool) -> tuple[list[str], list[str]]:
    """Return the namespaces removed and all commands run."""
    check_lab(lab)
    containers = [container["Names"][0] for container in list_containers(lab)]
    names = read_marked_namespaces(lab)
    if not check_mode:
        remove_containers(containers)
        remove_namespaces(names)
    commands = [f"podman rm --force {name}" for name in containers]
    return names, commands + [f"ip netns delete {name}" for name in names]


def change_wires(task: Task) -> Result:
    """Make or remove the parts of the lab. Raises FnnError."""
    absent = task.options["state"] == "absent"
    names, commands = remove(task.options["lab"], task.check_mode) if absent else make(task)
    return {"namespaces": names, **describe_commands(commands)}


def describe_module() -> ControllerModule:
    states = {"type": "str", "choices": ["present", "recabled", "absent"], "default": "present"}
    others = {"design": PATH, "variables": {"type": "dict"}, "state": states}
    needs = [("state", state, ("design", "variables")) for state in ("present", "recabled")]
    return ControllerModule(change_wires, {**OF_A_DESIGN, **SPEED_PERCENT, **others}, needs)


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
