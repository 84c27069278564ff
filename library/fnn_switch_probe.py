#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_switch_probe
short_description: Measure what a switch does with frames of several nodes
description:
  - O(state=start) starts a station on the NIC of a node at the switch, a small background process. A NIC that is down
    is brought up meanwhile.
  - O(state=wait) waits until the station receives all others, and returns whom it receives.
  - O(state=step) measures one property of the switch. Run it on one node, the coordinator, whose station gives orders
    to the others over the switch itself.
  - O(state=stop) ends the station and restores the NIC. A missing station is no error. A station also ends by itself,
    and restores its NIC, when a run was interrupted.
  - Never uses the device of the Ansible connection, nor its underlying devices.
options:
  state:
    description: Action of the module.
    type: str
    choices: [start, wait, step, stop]
    required: true
  mac:
    description: The MAC of the NIC at the switch, as in C(macs.json). Needed by O(state=start).
    type: str
  match:
    description: Device names of the fabric NICs, as globs. Without it, all physical Ethernet NICs.
    type: list
    elements: str
  key:
    description: The key of the run, 64 hexadecimal digits, the same for all nodes. Needed by O(state=start).
    type: str
  macs:
    description:
      - With O(state=wait), the MACs of all stations. With O(state=step), of those that take part, the coordinator
        first.
    type: list
    elements: str
    default: []
  timeout:
    description: Seconds that O(state=wait) waits for the others; spanning tree may block a port for half a minute.
    type: float
    default: 45
  step:
    description: What O(state=step) measures.
    type: str
    choices: [forwarding, sizes, learning, moves, pause, ring, incast, storm, ageing, table, start_delay]
  layer:
    description: The frames of the stations, V(experimental) (EtherType 0x88B5), or V(ip) where these do not pass.
    type: str
    choices: [experimental, ip]
    default: experimental
  seconds:
    description: Time limit of the station or of the step in seconds.
    type: float
    default: 600
  ageing:
    description: The longest ageing time in seconds that is waited for.
    type: float
    default: 330
  addresses:
    description: The most invented addresses that the switch gets.
    type: int
    default: 16384
  mbps:
    description: Rate of each port in Mb/s for V(ring) and V(incast); 0 for the speed of the NICs.
    type: int
    default: 0
  directory:
    description: Directory for the state of the station.
    type: path
    default: /run/fnn-switch-check
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Makes no lasting change, so check mode does the same.
"""

EXAMPLES = r"""
- name: Start the stations
  fnn_switch_probe:
    state: start
    mac: "02:f0:00:00:00:00"
    key: "{{ key_of_this_run }}"

- name: Measure the largest frame
  fnn_switch_probe:
    state: step
    step: sizes
    macs: ["02:f0:00:00:00:00", "02:f0:00:00:01:00"]
  register: sizes
"""

RETURN = r"""
device:
  description: The device of the station.
  returned: O(state=start)
  type: str
  sample: nic0
driver:
  description: The driver of that NIC.
  returned: O(state=start)
  type: str
  sample: igc
speed_mbps:
  description: Its speed, if the driver shows it.
  returned: O(state=start)
  type: int
received:
  description:
    - C(peers) are the other stations by MAC, with the number of messages received by layer. C(strangers) are senders
      that are no stations. C(loop) is true if a message of the station came back to it.
  returned: O(state=wait)
  type: dict
  sample: {"mac": "02:f0:00:00:00:00", "peers": {"02:f0:00:00:01:00": {"experimental": 3, "ip": 3}}, "loop": false}
step:
  description: O(step).
  returned: O(state=step)
  type: str
result:
  description: What was measured, or why not (C(error)). M(fnn_switch_check) explains it.
  returned: O(state=step)
  type: dict
  sample: {"limit": 9216, "all": 9000, "some": 9000, "short": []}
took:
  description: Seconds that the step took.
  returned: O(state=step)
  type: float
"""

import time
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.switch_check.measure import STEPS
from ansible.module_utils.fnn.node.switch_check.session import DIRECTORY, CheckSession
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain
from ansible.module_utils.fnn.shared.frames.switch_check import LAYERS
from ansible.module_utils.fnn.shared.nic_facts import read_links

OPTIONS = {
    "state": {"type": "str", "choices": ["start", "wait", "step", "stop"], "required": True},
    "mac": {"type": "str"},
    "match": {"type": "list", "elements": "str"},
    "key": {"type": "str", "no_log": True},
    "macs": {"type": "list", "elements": "str", "default": []},
    "timeout": {"type": "float", "default": 45},
    "step": {"type": "str", "choices": list(STEPS)},
    "layer": {"type": "str", "choices": list(LAYERS), "default": LAYERS[0]},
    "seconds": {"type": "float", "default": 600},
    "ageing": {"type": "float", "default": 330},
    "addresses": {"type": "int", "default": 16384},
    "mbps": {"type": "int", "default": 0},
    "directory": {"type": "path", "default": str(DIRECTORY)},
}


def probe(options: dict[str, Any]) -> dict[str, Any]:
    """Return the module's result. Raises FnnError and OSError."""
    session = CheckSession(Path(options["directory"]))
    if options["state"] == "stop":
        session.end()
        return {}
    if options["state"] == "start":
        device = session.start_station(options["mac"], options["match"], options["key"], options["seconds"])
        (link,) = read_links([device], [])
        return {"device": device, "driver": link["driver"], "speed_mbps": link["speed_mbps"]}
    if options["state"] == "wait":
        return {"received": session.wait_for(options["macs"], options["timeout"])}
    began = time.monotonic()
    request = {name: options[name] for name in ("step", "macs", "layer", "seconds")}
    limits = {name: options[name] for name in ("ageing", "addresses", "mbps")}
    result = session.run_step({**request, "options": limits})
    return {"step": options["step"], "result": result, "took": round(time.monotonic() - began, 1)}


def main() -> None:
    module = AnsibleModule(
        argument_spec=OPTIONS,
        required_if=[("state", "start", ("mac", "key")), ("state", "step", ("step", "macs"))],
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, **probe(module.params))
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))


if __name__ == "__main__":
    main()
