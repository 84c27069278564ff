#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_relearn
short_description: Detect which NICs share a switch while the uplinks are plugged in
description:
  - Runs on the head, a machine with a NIC on the uplink switch, as root, while the nodes listen (M(fnn_links)). Sends
    frames with invented source MACs, and infers from what the switches learn which NICs share a switch.
  - Needs plain learning switches. A port that does not learn, an ageing time of 0, port security, or a guard against
    MACs that move leaves the NICs behind it unsure; on the uplink switch, all NICs. Control trials detect this.
  - Makes no lasting change; the switches age out the invented MACs after some minutes.
options:
  cluster:
    description: Name of the cluster; only NICs of the same cluster answer.
    type: str
    required: true
  key:
    description: The key of the run, the same as for M(fnn_links) with C(state=listen).
    type: str
    required: true
  device:
    description: The device that is plugged into the uplink switch. It must be up.
    type: str
    required: true
  namespace:
    description: Network namespace of the device, as in a lab.
    type: str
  expected:
    description:
      - Groups of MACs that the design puts on one switch, as the filter P(fnn_groups#filter) lists them.
      - Determines the first trials, which saves time. The result does not depend on it.
    type: list
    elements: list
    default: []
  seconds:
    description: Time limit in seconds, after which the module fails.
    type: float
    default: 60
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Makes no lasting change, so check mode does the same.
"""

EXAMPLES = r"""
- name: Determine which NICs share a switch
  fnn_relearn:
    cluster: six
    device: eno1
    key: "{{ key_of_this_run }}"
  delegate_to: head
  run_once: true
"""

RETURN = r"""
groups:
  description: MACs of NICs that share a switch, by switch. They are not matched with switches of the design yet.
  returned: success
  type: list
  elements: list
  sample: [["02:f0:00:00:00:00", "02:f0:00:00:01:00"]]
unsure:
  description: MACs of NICs that answered the head, but whose trials were inconclusive.
  returned: success
  type: list
  elements: str
reaches_head:
  description: MACs of all NICs that answered the head. A NIC on a switch without uplink does not.
  returned: success
  type: list
  elements: str
loop:
  description: Whether a frame of the head came back to it. The head then stopped at once, and all NICs are unsure.
  returned: success
  type: bool
trials:
  description: Number of trials.
  returned: success
  type: int
seconds:
  description: Duration in seconds.
  returned: success
  type: float
"""

from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.head.relearn.head import enter_namespace, probe
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain


def relearn(options: dict[str, Any]) -> dict[str, Any]:
    """Return the module's result. Raises FnnError and OSError."""
    if options["namespace"]:
        enter_namespace(options["namespace"])
    found: dict[str, Any] = probe(
        options["cluster"], options["device"], options["expected"], options["seconds"], options["key"]
    )
    return found


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "cluster": {"type": "str", "required": True},
            "key": {"type": "str", "required": True, "no_log": True},
            "device": {"type": "str", "required": True},
            "namespace": {"type": "str"},
            "expected": {"type": "list", "elements": "list", "default": []},
            "seconds": {"type": "float", "default": 60},
        },
        supports_check_mode=True,
    )
    try:
        module.exit_json(changed=False, **relearn(module.params))
    except (FnnError, OSError) as error:
        module.fail_json(msg=explain(error))


if __name__ == "__main__":
    main()
