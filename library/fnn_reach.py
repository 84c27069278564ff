#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_reach
short_description: Ping every peer of the plan and record which NICs the frames use
description:
  - Pings the identity address of every node to which C(fnn-net) has set a route, and reads all frames on the fabric
    NICs meanwhile. Nothing is changed.
  - Counts the broadcast and multicast frames that the egress filters of these NICs drop, during the run and since they
    were set. Lists the programs that may have sent them.
  - Lists the claims of other programs on the NICs of the plan.
  - M(fnn_prove) evaluates the result on the controller.
options:
  tries:
    description: Number of pings before a peer counts as not reached.
    type: int
    default: 3
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Pings are sent in check mode too.
"""

EXAMPLES = r"""
- name: See which peers answer, and over which NICs
  fnn_reach:
  register: seen
"""

RETURN = r"""
reach:
  description:
    - The observations. C(asked) is the number of peers.
    - C(peers) has, packed, what was seen of each address. C(module_utils/fnn/node/reach/reach.py) describes it.
  returned: success
  type: dict
  sample:
    asked: 5
    peers: eJyrVjI0...
    complete: true
    frames: 12
    arp: 0
    dropped: 0
    egress: {dropped: 0, total: 0, senders: []}
    owners: []
    avoided: [["k05", "green"]]
    generation: 8-3f2a9c1b0d2e
    tree: ""
"""

import subprocess

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.reach.observe import observe_peers
from ansible.module_utils.fnn.shared.failed import Failed


def main() -> None:
    module = AnsibleModule(
        argument_spec={"tries": {"type": "int", "default": 3}},
        supports_check_mode=True,
    )
    try:
        reach = observe_peers(module.params["tries"])
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        module.fail_json(msg=f"cannot read the network state of this node: {error}")
    module.exit_json(changed=False, reach=reach)


if __name__ == "__main__":
    main()
