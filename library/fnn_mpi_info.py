#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_mpi_info
short_description: Read the version of each MPI on a node
description:
  - Asks the launcher of each MPI for its version. Changes nothing.
options:
  flavors:
    description: MPI implementations.
    type: list
    elements: str
    choices: [Open MPI, MPICH]
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff]
attributes:
  check_mode:
    description: Reads the same in check mode.
"""

EXAMPLES = r"""
- name: Read the versions
  fnn_mpi_info:
    flavors: [Open MPI, MPICH]
"""

RETURN = r"""
versions:
  description: Version of each MPI; null if its launcher is missing or prints no version.
  returned: success
  type: dict
  sample: {Open MPI: 4.1.4, MPICH: 4.0.2}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.reach.mpi import LAUNCHERS, read_version


def main() -> None:
    module = AnsibleModule(
        argument_spec={"flavors": {"type": "list", "elements": "str", "choices": list(LAUNCHERS), "required": True}},
        supports_check_mode=True,
    )
    versions = {flavor: read_version(LAUNCHERS[flavor][0]) for flavor in module.params["flavors"]}
    module.exit_json(changed=False, versions=versions)


if __name__ == "__main__":
    main()
