#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_remove
short_description: Take the toolkit off a node, or leave it as it is
description:
  - Removes the files that M(fnn_apply) brought, takes our blocks out of files of others, and gives back what
    C(fnn-net) owns in the kernel. NICs and settings become what they were before they were first touched.
  - It is a change like any other. What is there is kept first, and comes back when something fails.
  - A node on which nothing of ours is left is not changed.
options:
  network:
    description: The plan, C(fnn-net), and all that it owns in the kernel.
    type: bool
    default: true
  files:
    description: Other files of ours, as absolute paths in which C(*) stands for any letters.
    type: list
    elements: str
    default: []
  marked:
    description: Files that may be somebody else's; they go only if they say that the FNN toolkit wrote them.
    type: list
    elements: str
    default: []
  blocks:
    description: Other files of others that hold a marked block of ours.
    type: list
    elements: str
    default: []
  confirm:
    description:
      - How many seconds the change waits for M(fnn_confirm) before the node goes back by itself. V(0) keeps it at
        once. Without O(network) nothing waits.
    type: int
    default: 0
  root:
    description:
      - Where the files are. Anything but C(/) is for images and tests, and spares systemd.
    type: path
    default: /
attributes:
  check_mode:
    support: full
    description: Says what would change and changes nothing.
  diff_mode:
    support: full
    description: Shows the files that go, and the lines that C(ip) would run.
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Take the network off
  fnn_remove:
    confirm: 120
  register: taken
"""

RETURN = r"""
files:
  description: Files of others that lose our block.
  returned: success
  type: list
  elements: str
  sample: ["/etc/hosts"]
removed:
  description: Files that go.
  returned: success
  type: list
  elements: str
  sample: ["/etc/fnn/links"]
commands:
  description: Lines that C(ip -batch) ran, or would run in check mode.
  returned: success
  type: list
  elements: str
sysctls:
  description: Kernel settings written.
  returned: success
  type: list
  elements: str
armed:
  description: Whether the change waits to be confirmed.
  returned: success
  type: bool
generation:
  description: What to confirm it by.
  returned: success
  type: str
  sample: removed
actions:
  description: Who was told to read its files again.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.remove import Removal, remove
from ansible.module_utils.fnn.shared.errors import FnnError


def main() -> None:
    """Ansible's way in."""
    paths = {"type": "list", "elements": "str", "default": []}
    module = AnsibleModule(
        argument_spec={
            "network": {"type": "bool", "default": True},
            "files": paths,
            "marked": paths,
            "blocks": paths,
            "confirm": {"type": "int", "default": 0},
            "root": {"type": "path", "default": "/"},
        },
        supports_check_mode=True,
    )
    wanted = Removal(
        network=module.params["network"],
        files=module.params["files"],
        marked=module.params["marked"],
        blocks=module.params["blocks"],
        root=Path(module.params["root"]),
        check=module.check_mode,
        seconds=module.params["confirm"],
    )
    try:
        answer = remove(wanted)
    except FnnError as error:
        module.fail_json(msg=str(error))
    if not module._diff:
        del answer["diff"]
    module.exit_json(**answer)


if __name__ == "__main__":
    main()
