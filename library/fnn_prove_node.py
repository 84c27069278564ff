#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_prove_node
short_description: Prepare a node for the proof
description:
  - Asks the launcher of each MPI for its version.
  - Writes the source of the test program, and compiles it with each MPI that has a launcher. The names of the files
    contain a hash of the source, so only a changed source is compiled again; programs of former sources are removed.
    Each file is complete or absent, also after an interrupted run.
  - Records new directories in C(/var/lib/fnn/original.json), so that M(fnn_remove) removes only them.
  - Pings every peer of the plan, so that switches learn all MACs before M(fnn_reach) tests the pairs under a capture of
    the switch ports. Answers do not count.
  - Without a capture, O(reach) tests the pairs at once, so that a node needs only one task.
options:
  directory:
    description: Absolute path of the directory on the node. Created with its missing parents, each with mode 0755.
    type: path
    required: true
  source:
    description: Content of C(roles/fnn_prove/files/all_pairs.c).
    type: str
    required: true
  mpi:
    description: The MPIs to test.
  tries:
    description: Number of pings to a peer that does not answer.
    type: int
    default: 3
  reach:
    description: Whether to return what M(fnn_reach) returns.
    type: bool
    default: false
  settle:
    description:
      - Maximum number of seconds to wait until C(fnn-linkd) uses every NIC again. After a failure it avoids a NIC for a
        while, and routes differ from the plan meanwhile.
    type: float
    default: 0
  findings:
    description:
      - The digest of the findings of this run (M(fnn_verify)), to be recorded with the links of the node.
      - Empty keeps the record of an earlier run.
    type: str
    default: ""
  access:
    description: How Ansible reaches nodes. With V(nic), the device of the Ansible connection is a NIC of the fabric.
    type: str
    choices: [management, nic]
    default: management
  maintenance:
    description: Devices of the maintenance network on this node.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.diff, fnn.mpi, fnn.node_root, fnn.nics]
attributes:
  check_mode:
    description: Reports what would change, and sends nothing.
  diff_mode:
    description: Shows the source before and after.
"""

EXAMPLES = r"""
- name: Prepare a node for the proof
  fnn_prove_node:
    directory: /usr/local/libexec/fnn
    source: "{{ lookup('ansible.builtin.file', 'all_pairs.c', rstrip=false) }}"
    mpi:
      - flavor: Open MPI
        compiler: mpicc.openmpi
"""

RETURN = r"""
files:
  description: Directories and files that are new, changed or removed.
  returned: success
  type: list
  elements: str
  sample: ["/usr/local/libexec/fnn", "/usr/local/libexec/fnn/all_pairs-0123456789ab.c"]
reach:
  description: The observations of M(fnn_reach).
  returned: with O(reach), outside of check mode
  type: dict
programs:
  description: Path of the program of each compiler, of MPIs that have a launcher.
  returned: success
  type: dict
  sample: {mpicc.mpich: /usr/local/libexec/fnn/all_pairs-0123456789ab.mpicc.mpich}
versions:
  description: Version of each MPI; null if its launcher is missing or prints no version.
  returned: success
  type: dict
  sample: {Open MPI: 4.1.4, MPICH: 4.0.2}
"""

import subprocess
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.beacon.verified import Links, count_links
from ansible.module_utils.fnn.node.discover.node_facts import read_candidates
from ansible.module_utils.fnn.node.reach.mpi_programs import MPI, list_mpis
from ansible.module_utils.fnn.node.reach.prepare import Request, prepare
from ansible.module_utils.fnn.shared.errors import problem
from ansible.module_utils.fnn.shared.failed import Failed


def prepare_node(request: Request, options: dict[str, Any]) -> dict[str, Any]:
    """Return the module's result. Raises FnnError and OSError."""
    try:
        answer: dict[str, Any] = prepare(request, lambda: read_nics(options))
    except (Failed, subprocess.CalledProcessError) as error:
        raise problem("", f"cannot read the network state of this node: {error}") from None
    return answer


def read_nics(options: dict[str, Any]) -> Links:
    """Return the links of all NICs that send beacons. Raises FnnError and OSError."""
    found = read_candidates(options["match"], [], options["exclude"], options["access"])
    return count_links(found.links, options["maintenance"])


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "directory": {"type": "path", "required": True},
            "source": {"type": "str", "required": True},
            "mpi": MPI,
            "tries": {"type": "int", "default": 3},
            "reach": {"type": "bool", "default": False},
            "settle": {"type": "float", "default": 0},
            "findings": {"type": "str", "default": ""},
            "match": {"type": "list", "elements": "str"},
            "exclude": {"type": "list", "elements": "str", "default": []},
            "access": {"type": "str", "choices": ["management", "nic"], "default": "management"},
            "maintenance": {"type": "list", "elements": "str", "default": []},
            "root": {"type": "path", "default": "/"},
        },
        supports_check_mode=True,
    )
    options = module.params
    request = Request(
        root=Path(options["root"]),
        directory=options["directory"],
        source=options["source"],
        mpis=list_mpis(options["mpi"]),
        settle=options["settle"],
        tries=options["tries"],
        reach=options["reach"],
        check=module.check_mode,
        findings=options["findings"],
    )
    run_change(module, lambda: prepare_node(request, options))


if __name__ == "__main__":
    main()
