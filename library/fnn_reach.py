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
    avoided: [["k05", "green"]]
    generation: 8-3f2a9c1b0d2e
"""

import subprocess

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.discover.node_facts import find_generation
from ansible.module_utils.fnn.node.net.egress import count_dropped
from ansible.module_utils.fnn.node.net.legs_down import RUN, read_avoided
from ansible.module_utils.fnn.node.reach.daemons import find_senders
from ansible.module_utils.fnn.node.reach.kernel import read_fabric_devices, read_peer_addresses
from ansible.module_utils.fnn.node.reach.reach import reach_peers
from ansible.module_utils.fnn.shared.failed import Failed
from ansible.module_utils.fnn.shared.peers import pack_peers


def main() -> None:
    module = AnsibleModule(
        argument_spec={"tries": {"type": "int", "default": 3}},
        supports_check_mode=True,
    )
    try:
        avoided = read_avoided(RUN)
        devices = read_fabric_devices()
        before = sum(count_dropped(devices).values())
        reach = reach_peers(read_peer_addresses(), devices, module.params["tries"])
        total = sum(count_dropped(devices).values())
        reach["egress"] = {
            "dropped": max(0, total - before),
            "total": total,
            "senders": find_senders(devices) if total else [],
        }
        reach["generation"] = find_generation()
        reach["avoided"] = [list(each) for each in avoided]
        reach["asked"] = len(reach["peers"])
        reach["peers"] = pack_peers(reach["peers"])
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        module.fail_json(msg=f"cannot read the network state of this node: {error}")
    module.exit_json(changed=False, reach=reach)


if __name__ == "__main__":
    main()
