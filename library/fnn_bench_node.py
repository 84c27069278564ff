#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_bench_node
short_description: Prepare a node for the benchmark, or remove what it needed
description:
  - Writes the source of the MPI program and compiles it with each MPI that has a launcher.
  - Installs no package, but reports those that are missing.
  - Removes all of it with O(state=collect). M(fnn_bench_run) ends when O(directory) is gone.
options:
  state:
    description: V(prepare) before the benchmark, V(collect) after it or after a failure.
    type: str
    choices: [prepare, collect]
    required: true
  directory:
    description: Absolute path of the directory on the node, for nothing but these programs.
    type: path
    required: true
  source:
    description: Content of C(roles/fnn_bench/files/fnn_bench.c).
    type: str
    default: ""
  mpi:
    description: The MPIs to measure.
  packages:
    description: Packages that the benchmark uses, by their names in Debian.
    type: list
    elements: str
    default: []
extends_documentation_fragment: [fnn, fnn.diff, fnn.mpi, fnn.node_root]
attributes:
  check_mode:
    description: Reports what would change, and changes nothing.
  diff_mode:
    description: Shows the source before and after.
"""

EXAMPLES = r"""
- name: Prepare a node for the benchmark
  fnn_bench_node:
    state: prepare
    directory: /usr/local/libexec/fnn/bench
    source: "{{ lookup('ansible.builtin.file', 'fnn_bench.c', rstrip=false) }}"
    mpi:
      - flavor: Open MPI
        compiler: mpicc.openmpi
    packages: [iperf3]
"""

RETURN = r"""
files:
  description: Directories and files that are new, changed or removed.
  returned: success
  type: list
  elements: str
  sample: ["/usr/local/libexec/fnn/bench", "/usr/local/libexec/fnn/bench/fnn_bench-0123456789ab.c"]
missing:
  description: The O(packages) that are not installed; all of them on a node without dpkg.
  returned: O(state=prepare)
  type: list
  elements: str
  sample: [iperf3]
programs:
  description: Path of the program for each MPI; null of one without a launcher.
  returned: O(state=prepare)
  type: dict
  sample: {MPICH: /usr/local/libexec/fnn/bench/fnn_bench-0123456789ab.mpicc.mpich}
versions:
  description: Version of each MPI; null if its launcher is missing or prints no version.
  returned: O(state=prepare)
  type: dict
  sample: {Open MPI: 4.1.4, MPICH: 4.0.2}
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.apply.answer import run_change
from ansible.module_utils.fnn.node.bench.prepare import Request, collect, prepare
from ansible.module_utils.fnn.node.reach.mpi_programs import MPI, list_mpis

STATES = {"prepare": prepare, "collect": collect}


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": list(STATES), "required": True},
            "directory": {"type": "path", "required": True},
            "source": {"type": "str", "default": ""},
            "mpi": MPI,
            "packages": {"type": "list", "elements": "str", "default": []},
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
        packages=options["packages"],
        check=module.check_mode,
    )
    run_change(module, lambda: STATES[options["state"]](request))


if __name__ == "__main__":
    main()
