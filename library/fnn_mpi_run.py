#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_mpi_run
short_description: Run the all-pairs MPI program over every node of the hostfile
description:
  - Starts the program as the become user, with the launcher and hostfile that a user would type and no other settings.
  - Never fails. C(mpi.error) contains any error, and M(fnn_prove) evaluates it with all other evidence.
options:
  flavor:
    description: MPI implementation.
    type: str
    choices: [Open MPI, MPICH]
    required: true
  program:
    description: Path of the compiled program on every node.
    type: path
    required: true
  seconds:
    description: Time limit in seconds.
    type: int
    default: 60
extends_documentation_fragment: [fnn.no_check, fnn, fnn.no_diff]
"""

EXAMPLES = r"""
- name: All pairs over Open MPI
  fnn_mpi_run:
    flavor: Open MPI
    program: /usr/local/libexec/fnn/all_pairs.openmpi
  become: true
  become_user: fnn
"""

RETURN = r"""
mpi:
  description: Output of the program.
  returned: success
  type: dict
  sample:
    flavor: Open MPI
    version: 4.1.4
    command: mpirun.openmpi -hostfile /etc/fnn/hosts.openmpi /usr/local/libexec/fnn/all_pairs.openmpi
    ranks: 2
    pairs: 2
    message: 65536
    hosts: [k00, k01]
    sent: [70316, 70250]
    error: null
"""

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.reach.mpi import FLAVOR, run_program


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "flavor": FLAVOR,
            "program": {"type": "path", "required": True},
            "seconds": {"type": "int", "default": 60},
        }
    )
    options = module.params
    mpi = run_program(options["flavor"], options["program"], options["seconds"])
    module.exit_json(changed=False, mpi=mpi)


if __name__ == "__main__":
    main()
