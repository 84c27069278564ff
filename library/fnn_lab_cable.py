#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_lab_cable
short_description: Swap, move, pull or plug in cables of a lab
description:
  - Injects and repairs faults. Moved and pulled cables stay so when the lab is brought up again.
  - Cables are named by node and NIC, such as C(k00:0). Runs as root on the machine that hosts the lab.
options:
  action:
    description:
      - V(swap) exchanges the switch ends of two cables; a second swap restores them.
      - V(move) plugs one cable into O(switch).
      - V(pull) pulls cables out of their switches.
      - V(plug) plugs cables into the switches that the design assigns.
      - V(pull-uplinks) and V(plug-uplinks) pull and plug in all cables of the uplink switch.
      - V(plug-head) plugs a device called C(head) into the uplink switch, in the namespace of the switches, for
        M(fnn_relearn); V(pull-head) removes it.
    type: str
    required: true
    choices: [swap, move, pull, plug, pull-uplinks, plug-uplinks, pull-head, plug-head]
  cables:
    description: The cables; two for V(swap), one for V(move), none for uplinks and head.
    type: list
    elements: str
    default: []
  switch:
    description: Switch to plug the cable into.
    type: str
extends_documentation_fragment: [fnn_lab, fnn_lab.commands, fnn, fnn.root, fnn.design, fnn.plan]
"""

EXAMPLES = r"""
- name: Swap two cables
  fnn_lab_cable:
    lab: fnn
    root: "{{ fnn_root }}"
    design: "{{ fnn_site_dir }}/design.json"
    variables: "{{ __fnn_plan_variables }}"
    action: swap
    cables: [k00:0, k05:1]
"""

RETURN = r"""
commands:
  description: Commands that were run, in shell syntax.
  returned: success
  type: list
  elements: str
  sample: ["ip -n fnn-sw link set dev k00.0 master green up"]
"""

from ansible.module_utils.fnn.controller.options import NAMES
from ansible.module_utils.fnn.controller.task import ControllerModule, Task
from ansible.module_utils.fnn.lab import wiring
from ansible.module_utils.fnn.lab.host import read_namespaces
from ansible.module_utils.fnn.lab.options import OF_A_DESIGN, read_layout, run_work
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn_module import run_module

#: Number of cables that an action takes; None is one or more.
CABLES = {
    **{"swap": 2, "move": 1, "pull": None, "plug": None},
    **{"pull-uplinks": 0, "plug-uplinks": 0, "pull-head": 0, "plug-head": 0},
}
OF_THE_WHOLE = {
    "pull-uplinks": wiring.pull_uplinks,
    "plug-uplinks": wiring.plug_uplinks,
    "pull-head": wiring.pull_head,
    "plug-head": wiring.plug_head,
}


def check_cables(action: str, cables: list[str]) -> None:
    """Raises FnnError when an action is given too few or too many cables."""
    expected = CABLES[action]
    if expected is None and not cables:
        raise problem("cables", f"{action} needs at least one")
    if expected is not None and len(cables) != expected:
        raise problem("cables", f"{action} needs {expected}, not {len(cables)}")


def compute_work(task: Task) -> wiring.Work:
    """Return the work of the action. Raises FnnError."""
    action, cables = task.options["action"], task.options["cables"]
    check_cables(action, cables)
    layout = read_layout(task)
    found = read_namespaces(layout.lab)
    if action == "swap":
        return wiring.swap(layout, found, *cables)
    if action == "move":
        return wiring.move(layout, found, cables[0], task.options["switch"])
    if action in ("pull", "plug"):
        return {"pull": wiring.pull, "plug": wiring.plug}[action](layout, found, cables)
    return OF_THE_WHOLE[action](layout, found)


def describe_module() -> ControllerModule:
    actions = {"type": "str", "required": True, "choices": list(CABLES)}
    others = {"action": actions, "cables": NAMES, "switch": {"type": "str"}}
    needs = [("action", "move", ("switch",))]
    return ControllerModule(lambda task: run_work(task, compute_work(task)), {**OF_A_DESIGN, **others}, needs)


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
