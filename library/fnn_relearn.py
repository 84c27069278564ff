#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_relearn
short_description: Learn which NICs share a switch while the uplinks are plugged in
description:
  - Runs on the head, a machine with a NIC on the uplink switch, as root, while the nodes listen (M(fnn_links)).
    Finds out what the switches learn from frames with invented senders, and so which NICs share a switch.
  - Needs plain learning switches. A port that does not learn, an ageing time of 0, port security, or a guard against
    MACs that move leave the NICs behind it unsure, on the uplink switch all of them; control trials find that out.
  - Nothing lasting is changed; the switches forget the invented MACs after some minutes.
options:
  cluster:
    description: Name of the cluster; only NICs of the same cluster answer.
    type: str
    required: true
  key:
    description: The key of the run, as M(fnn_links) has it with C(state=listen).
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
      - Tells what to try first, which saves time. What is found does not depend on it.
    type: list
    elements: list
    default: []
  seconds:
    description: Fails when it takes longer.
    type: float
    default: 60
attributes:
  check_mode:
    support: full
    description: Nothing lasting is changed, so check mode does the same.
  diff_mode:
    support: none
    description: There is nothing to differ.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Learn which NICs share a switch
  fnn_relearn:
    cluster: six
    device: eno1
    key: "{{ key_of_this_run }}"
  delegate_to: head
  run_once: true
"""

RETURN = r"""
groups:
  description: MACs of NICs that share a switch, by switch. Which switch of the design that is remains to be seen.
  returned: success
  type: list
  elements: list
  sample: [["02:f0:00:00:00:00", "02:f0:00:00:01:00"]]
unsure:
  description: MACs of NICs that answered the head, but about which nothing certain came out.
  returned: success
  type: list
  elements: str
reaches_head:
  description: MACs of all NICs that answered the head. A NIC on a switch without uplink does not.
  returned: success
  type: list
  elements: str
loop:
  description: Whether the head heard a frame of its own come back. Then it stopped at once, and all NICs are unsure.
  returned: success
  type: bool
trials:
  description: How many trials it took.
  returned: success
  type: int
seconds:
  description: How long it took.
  returned: success
  type: float
"""

from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.head.relearn.head import enter_namespace, probe
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.failed import explain


def relearn(options: dict[str, Any]) -> dict[str, Any]:
    """What the module returns. Raises FnnError and OSError."""
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
