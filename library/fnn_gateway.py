#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_gateway
short_description: Test the gateway of the cluster from this node
description:
  - On the gateway, checks that its rules are loaded, that its name service runs and that packets may pass.
  - On a node behind it, asks the name service for the node and for O(probe), and pings O(probe).
  - A node with a default route of its own is not behind the gateway, and nothing is tested there.
  - Fails with all problems of this node.
options:
  probe:
    description: Name or address of a host outside that answers to ping. Empty tests names of the cluster alone.
    type: str
    default: ""
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Questions and pings are sent in check mode too.
"""

EXAMPLES = r"""
- name: Test the gateway
  fnn_gateway:
    probe: deb.debian.org
"""

RETURN = r"""
place:
  description: What the node is, V(gateway), V(behind) it, or V(apart) with a default route of its own.
  returned: always
  type: str
  sample: behind
router:
  description: On the gateway, the next hop of its default route outside; empty where it has none.
  returned: always
  type: str
  sample: 192.0.2.1
tested:
  description: The names and addresses that answered.
  returned: always
  type: list
  elements: str
  sample: [k01 by 10.78.0.1, ping 192.0.2.1]
"""

from dataclasses import asdict

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.net.cutover import read_plan_in_force
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.node.reach.gateway import observe
from ansible.module_utils.fnn.shared.failed import Failed, explain


def main() -> None:
    module = AnsibleModule(argument_spec={"probe": {"type": "str", "default": ""}}, supports_check_mode=True)
    try:
        plan = read_plan_in_force(Place().plan, Place().sysctl)
        seen = asdict(observe(plan, module.params["probe"]))
    except Failed as failure:
        module.fail_json(msg="\n".join(failure.messages))
    except OSError as error:
        module.fail_json(msg=explain(error))
    problems = seen.pop("problems")
    if problems:
        module.fail_json(msg="\n".join(problems), **seen)
    module.exit_json(changed=False, **seen)


if __name__ == "__main__":
    main()
