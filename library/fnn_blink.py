#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_blink
short_description: Blink the LED of a NIC
description:
  - Runs C(ethtool -p) on the node, so that a person at the rack can identify the port. Returns when the blinking ends.
  - Finds the device by its MAC, regardless of its current name.
options:
  mac:
    description: MAC of the NIC, as in C(macs.json).
    type: str
    required: true
  seconds:
    description: Duration of the blinking in seconds.
    type: int
    default: 10
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Finds the device but does not blink its LED.
"""

EXAMPLES = r"""
- name: Blink a NIC for half a minute
  fnn_blink:
    mac: 00:1b:21:3a:4f:08
    seconds: 30
"""

RETURN = r"""
device:
  description: The device that blinked.
  returned: success
  type: str
  sample: eth2
"""

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.nic_facts import read_links


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "mac": {"type": "str", "required": True},
            "seconds": {"type": "int", "default": 10},
        },
        supports_check_mode=True,
    )
    mac, seconds = module.params["mac"].lower(), module.params["seconds"]
    try:
        links = read_links(["*"], [mac])
    except FnnError as error:
        module.fail_json(msg=str(error))
    if not links:
        module.fail_json(msg=f"no NIC here has the MAC {mac}")
    # A bond or a bridge over the NIC may have its MAC, and has no LED.
    device = next((link for link in links if link["permanent"]), links[0])["device"]
    program = module.get_bin_path("ethtool", opt_dirs=["/usr/sbin", "/sbin"])
    if program is None:
        module.fail_json(msg="ethtool: not found; install ethtool")
    if not module.check_mode:
        code, _, error_text = module.run_command([program, "-p", device, str(seconds)])
        if code:
            module.fail_json(msg=f"{device} does not blink: {error_text.strip() or f'ethtool ended with {code}'}")
    module.exit_json(changed=False, device=device)


if __name__ == "__main__":
    main()
