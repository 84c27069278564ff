#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_directory
short_description: Create a directory of the toolkit, and record which directories are new
description:
  - Creates a directory and its missing parents, each with mode 0755.
  - Records the new directories in C(/var/lib/fnn/original.json), so that M(fnn_remove) removes only them.
options:
  path:
    description: Absolute path of the directory on the node.
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.node_root]
attributes:
  check_mode:
    description: Reports which directories it would create.
"""

EXAMPLES = r"""
- name: Make a place for the programs of the proof
  fnn_directory:
    path: /usr/local/libexec/fnn
"""

RETURN = r"""
made:
  description: Directories that did not exist before, parents first.
  returned: success
  type: list
  elements: str
  sample: ["/usr/local/libexec", "/usr/local/libexec/fnn"]
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.directories import make_directory
from ansible.module_utils.fnn.node.net.place import Place


def main() -> None:
    module = AnsibleModule(
        argument_spec={"path": {"type": "path", "required": True}, "root": {"type": "path", "default": "/"}},
        supports_check_mode=True,
    )
    try:
        made = make_directory(Place(Path(module.params["root"])), module.params["path"], check=module.check_mode)
    except OSError as error:
        module.fail_json(msg=f"{error.filename}: {error.strerror}")
    module.exit_json(changed=bool(made), made=made)


if __name__ == "__main__":
    main()
