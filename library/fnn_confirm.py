#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_confirm
short_description: Confirm a change of a node over a new connection
description:
  - A node that M(fnn_apply) or M(fnn_remove) changed rolls back by itself, unless this module confirms in time that the
    node is still reachable.
  - Opens a new connection, and the node checks that it is not the one that made the change. A connection that was open
    before proves nothing. Tries until O(timeout), as a network may take a moment to settle.
  - Fails with time and reason if the node has already rolled back.
  - With O(lease), the node keeps the change for a while only.
options:
  generation:
    description:
      - The generation of the plan that the node should have, as M(fnn_render) returned it.
      - V(removed) for a node that should no longer have a plan.
    type: str
    required: true
  timeout:
    description: Seconds to try.
    type: int
    default: 60
  lease:
    description:
      - Seconds until the node rolls back the change, counted from this confirmation. It rolls back earlier if it boots.
        A later change that is confirmed ends the lease.
      - V(0) keeps the change for good.
    type: int
    default: 0
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.node_root]
attributes:
  check_mode:
    description: Confirms nothing.
"""

EXAMPLES = r"""
- name: Confirm over a new connection
  fnn_confirm:
    generation: 8-3f2a9c1b0d2e
"""

RETURN = r"""
connection:
  description: Whether the connection is the one that made the change; the confirmation then needs another connection.
  returned: failure
  type: bool
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.node.net.rollback import confirm, lease
from ansible.module_utils.fnn.node.net.ssh import find_ssh_connection
from ansible.module_utils.fnn.shared.failed import Failed


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "generation": {"type": "str", "required": True},
            "lease": {"type": "int", "default": 0},
            "root": {"type": "path", "default": "/"},
        },
        supports_check_mode=True,
    )
    if module.check_mode:
        module.exit_json(changed=False)
    place, generation, seconds = Place(Path(module.params["root"])), module.params["generation"], module.params["lease"]
    try:
        if seconds:
            lease(place, generation, find_ssh_connection(), seconds)
            module.exit_json(changed=True)
        module.exit_json(changed=confirm(place, generation, find_ssh_connection()))
    except Failed as failure:
        module.fail_json(msg="\n".join(failure.messages), connection=failure.code == 4)


if __name__ == "__main__":
    main()
