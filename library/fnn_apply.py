#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_apply
short_description: Apply the plan to a node's files and network, or restore both
description:
  - Writes those files of M(fnn_render) for this node that differ, and lets C(fnn-net) apply the difference between
    kernel and plan. One task and one connection carry all files.
  - The node gets the digests of all files, and the contents that it may lack. It compares the digests with its own
    files, and asks for contents of others in a second call.
  - Before any change, the new C(fnn-net) computes what it would do. It refuses a plan that would touch the interface of
    the Ansible connection, or whose NICs are not in the machine.
  - Changes only a marked block in files that belong to other software, such as C(/etc/hosts).
  - Removes files that an earlier run installed and the plan no longer has.
  - Refuses a node whose NICs another program owns, and reports each owner with the line to change.
  - When the kernel refuses the plan, restores the former files and applies the former plan again.
  - With O(confirm), a change must be confirmed over a new connection. The last pass of a node runs M(fnn_confirm) for
    that; a node without a former plan has only the first pass. Without confirmation in time, or if the node boots
    first, the node rolls back to the last confirmed state. Each pass restarts the timer.
options:
  bundle:
    description:
      - Directory on the controller with the files specific to this node and their C(manifest.json).
      - Absolute, or relative to the working directory of C(ansible-playbook).
    type: path
    required: true
  common:
    description:
      - Directory on the controller with the files identical on all nodes and their C(manifest.json). A satellite has
        none of them.
      - Absolute, or relative to the working directory of C(ansible-playbook).
    type: path
  linkd_keys:
    description:
      - File on the controller with the keys of C(fnn-linkd), see M(fnn_linkd_keys). A node with C(fnn-linkd) gets them
        as C(/etc/fnn/linkd.key) with mode 0600; their content appears neither in logs nor in diffs.
    type: path
  delivered:
    description:
      - File on the controller with the beginnings of the digests of all contents that the node had after the last
        delivery. The module writes it outside check mode. These contents travel only if the node asks for them.
      - Without this option, all contents travel.
    type: path
  pass:
    description:
      - Nodes change one after another, and no traffic may be lost while some have the new plan and others the former. A
        play therefore runs this module three times, and no node begins a pass before all nodes complete the previous
        one.
      - V(prepare) makes the node ready for traffic of its peers by the new plan, and keeps its former routes.
      - V(switch) installs the new routes, and keeps the node ready for traffic by the former ones.
      - V(clean) removes the state that only the former plan needed.
      - V(all) runs all passes at once, for a single node and for a preview in check mode.
    type: str
    choices: [all, prepare, switch, clean]
    default: all
  held:
    description:
      - Nodes that missed V(prepare). With O(pass=switch) and O(pass=clean), this node still reaches them by the former
        plan.
    type: list
    elements: str
    default: []
  confirm:
    description:
      - Seconds that a change waits for confirmation before the node rolls back. V(0) keeps the change at once.
      - Must be longer than any pass takes for all nodes. A run without changes needs no confirmation.
    type: int
    default: 0
  lease:
    description:
      - Seconds that the node keeps a change once the last pass has confirmed it. Then it rolls back by itself, with or
        without a controller. A later change that is confirmed ends the lease.
      - V(0) keeps the change for good.
      - Needs O(confirm), whose timer also ends the lease, and is at least as long.
    type: int
    default: 0
extends_documentation_fragment: [fnn, fnn.diff, fnn.node_root]
attributes:
  check_mode:
    description: Reports what would change and changes nothing.
  diff_mode:
    description: Shows the files that differ, and the lines that C(ip) would run.
"""

EXAMPLES = r"""
- name: Apply the plan to files and kernel
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
  description: Whether a cutover from a former plan is in progress, so that the other passes have work to do.
  returned: success
  type: bool
armed:
  description: Whether a change, of this run or an earlier one, waits for confirmation.
  returned: success
  type: bool
sent:
  description: Characters of the packed files that the node got, over all calls.
  returned: success
  type: int
  sample: 4210
actions:
  description: Programs that were reloaded, and whether C(fnn-net.service) was enabled.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.apply.apply import Request, apply_delivery
from ansible.module_utils.fnn.node.apply.passes import ALL
from ansible.module_utils.fnn.node.net.cutover import PASSES
from ansible.module_utils.fnn.shared.bundle import unpack


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            # It holds the keys of fnn-linkd.
            "bundle": {"type": "str", "required": True, "no_log": True},
            # Otherwise Ansible takes the option for a password because of its name.
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
        pass_name=module.params["pass"],
        held_nodes=module.params["held"],
        seconds=module.params["confirm"],
    )
    run_change(module, lambda: apply_delivery(unpack(module.params["bundle"]), request))


if __name__ == "__main__":
    main()
