#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_apply
short_description: Bring a node's files and network to the plan, or leave both as they were
description:
  - Takes the files that M(fnn_render) made for this node, writes those that differ, and lets C(fnn-net) apply the
    difference between kernel and plan. Everything travels in one task, in one connection.
  - Before anything changes it asks the new C(fnn-net) what it would do. A plan that would touch the interface Ansible
    arrives on is refused there, and so is one whose NICs are not in the machine.
  - Of files that belong to others, such as C(/etc/hosts), only a marked block is changed.
  - Files that an earlier run brought and the plan no longer has are removed.
  - A node whose NICs netplan or ifupdown would configure is refused, with the lines that claim them.
  - When the kernel refuses the plan, the former files are put back and the former plan is applied again.
  - With O(confirm) the change waits to be confirmed by M(fnn_confirm) over a new connection. If that does not come in
    time, or the node is booted first, everything goes back to what was confirmed last. Each pass begins the time anew.
options:
  bundle:
    description:
      - Directory on the controller with the files that only this node has and their C(manifest.json).
      - Absolute, or relative to the working directory of C(ansible-playbook).
    type: path
    required: true
  common:
    description:
      - Directory on the controller with the files that all nodes have alike and their C(manifest.json). A satellite
        has none of them.
      - Absolute, or relative to the working directory of C(ansible-playbook).
    type: path
  linkd_keys:
    description:
      - File on the controller with the keys of C(fnn-linkd), see M(fnn_linkd_keys). A node with C(fnn-linkd) gets them
        as C(/etc/fnn/linkd.key) with mode 0600; their content is neither logged nor shown as a difference.
    type: path
  pass:
    description:
      - Nodes change one after another, and while some have the new plan and others the former, nothing may get lost.
        So a play runs this module three times, and no node begins a pass before all have ended the one before.
      - V(prepare) makes the node ready for what others will send by the new plan, and keeps its former routes.
      - V(switch) takes up the new routes, and stays ready for what comes by the former ones.
      - V(clean) lets go of what the former plan alone needed.
      - V(all) is all of it at once, for a node by itself, and for looking ahead in check mode.
    type: str
    choices: [all, prepare, switch, clean]
    default: all
  held:
    description:
      - Nodes that missed V(prepare). With O(pass=switch) and O(pass=clean) they are reached as before.
    type: list
    elements: str
    default: []
  confirm:
    description:
      - How many seconds a change waits to be confirmed before the node goes back by itself. V(0) keeps it at once.
      - Must be longer than any pass takes for all nodes. Where nothing changes, nothing waits.
    type: int
    default: 0
  root:
    description:
      - Where the files go. Anything but C(/) is for images and tests, and spares systemd.
    type: path
    default: /
attributes:
  check_mode:
    support: full
    description: Says what would change and changes nothing.
  diff_mode:
    support: full
    description: Shows the files that differ, and the lines that C(ip) would run.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Bring files and kernel to the plan
  fnn_apply:
    bundle: "build/six/nodes/{{ inventory_hostname }}"
    common: build/six/common
"""

RETURN = r"""
files:
  description: Files written, in the order of their names.
  returned: success
  type: list
  elements: str
  sample: ["/etc/fnn/links", "/etc/hosts"]
removed:
  description: Files removed, because the plan no longer has them.
  returned: success
  type: list
  elements: str
commands:
  description: Lines that C(ip -batch) ran, or would run in check mode.
  returned: success
  type: list
  elements: str
  sample: ["neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"]
sysctls:
  description: Kernel settings written.
  returned: success
  type: list
  elements: str
  sample: ["net/ipv4/fib_multipath_hash_policy=1"]
under_way:
  description: Whether a cutover from a former plan is under way, so that the other passes have something to do.
  returned: success
  type: bool
armed:
  description: Whether a change, of this run or an earlier one, waits to be confirmed.
  returned: success
  type: bool
actions:
  description: Who was told to read its files again, and whether C(fnn-net.service) was enabled.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.apply import Request, apply_bundle
from ansible.module_utils.fnn.node.apply.passes import ALL
from ansible.module_utils.fnn.node.net.cutover import PASSES
from ansible.module_utils.fnn.shared.bundle import unpack
from ansible.module_utils.fnn.shared.errors import FnnError


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            # It holds the keys of fnn-linkd.
            "bundle": {"type": "str", "required": True, "no_log": True},
            # Ansible takes the name for a password's otherwise.
            "pass": {"type": "str", "choices": [ALL, *PASSES], "default": ALL, "no_log": False},
            "held": {"type": "list", "elements": "str", "default": []},
            "confirm": {"type": "int", "default": 0},
            "root": {"type": "path", "default": "/"},
        },
        supports_check_mode=True,
    )
    request = Request(
        root=Path(module.params["root"]),
        check=module.check_mode,
        at=module.params["pass"],
        held=module.params["held"],
        seconds=module.params["confirm"],
    )
    try:
        answer = apply_bundle(unpack(module.params["bundle"]), request)
    except FnnError as error:
        module.fail_json(msg=str(error))
    if not module._diff:
        del answer["diff"]
    module.exit_json(**answer)


if __name__ == "__main__":
    main()
