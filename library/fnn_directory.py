#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_directory
short_description: Make a directory of the toolkit, and record which directories were not there before
description:
  - Makes a directory and those above it, each with mode 0755.
  - Those that it makes are recorded in C(/var/lib/fnn/original.json), so that M(fnn_remove) removes them and no others.
options:
  path:
    description: The directory, as an absolute path on the node.
    type: path
    required: true
  root:
    description: Where the files of the node are. Anything but C(/) is for images and tests.
    type: path
    default: /
attributes:
  check_mode:
    support: full
    description: Reports which directories it would make.
  diff_mode:
    support: none
    description: The directories are in RV(made).
author: The FNN toolkit authors
"""

EXAMPLES = r"""
- name: Make a place for the programs of the proof
  fnn_directory:
    path: /usr/local/libexec/fnn
"""

RETURN = r"""
made:
  description: Directories that were not there before, the upper ones first.
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
    """Ansible's way in."""
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
