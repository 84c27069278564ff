#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_remove
short_description: Remove the toolkit from a node, or restore the node
description:
  - Removes the files that M(fnn_apply) installed, the toolkit's blocks in files of other software, and the kernel state
    of C(fnn-net). NICs and settings return to their state before the first change.
  - The removal is a change like any other. It first saves the present state, and restores it on failure.
  - Does not change a node on which nothing of the toolkit is left.
options:
  network:
    description: Whether to remove the plan, C(fnn-net), and all its kernel state.
    type: bool
    default: true
  files:
    description: Other files of the toolkit, as absolute paths in which C(*) matches any characters.
    type: list
    elements: str
    default: []
  marked:
    description: Files that may belong to other software. Removed only if they say that the FNN toolkit wrote them.
    type: list
    elements: str
    default: []
  blocks:
    description: Further files of other software that contain a marked block of the toolkit.
    type: list
    elements: str
    default: []
  confirm:
    description:
      - Seconds that the change waits for M(fnn_confirm) before the node rolls back. V(0) keeps it at once. Without
        O(network), the change needs no confirmation.
    type: int
    default: 0
extends_documentation_fragment: [fnn, fnn.diff, fnn.node_root]
attributes:
  check_mode:
    description: Reports what would change and changes nothing.
  diff_mode:
    description: Shows the removed files, and the lines that C(ip) would run.
"""

EXAMPLES = r"""
- name: Take the network off
  fnn_remove:
    confirm: 120
  register: taken
"""

RETURN = r"""
files:
  description: Files of other software that lose the toolkit's block.
  returned: success
  type: list
  elements: str
  sample: ["/etc/hosts"]
removed:
  description: Files that are removed.
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
  description: Whether the change waits for confirmation.
  returned: success
  type: bool
generation:
  description: Generation to pass to M(fnn_confirm).
  returned: success
  type: str
  sample: removed
actions:
  description: Programs that were reloaded.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.apply.remove import Removal, remove


def main() -> None:
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
    run_change(module, lambda: remove(wanted))


if __name__ == "__main__":
    main()
