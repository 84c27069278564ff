#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_bench_run
short_description: Run the benchmark of a plan over all its nodes
description:
  - Runs on one node, as the become user, who can log in to all other nodes without a prompt. Starts an agent on each
    node by ssh, which runs C(iperf3) and reads the counters of the NICs.
  - Measures the pair tests round by round, then the cells with each MPI, then C(hpcc) if all nodes have it.
  - A measurement that is not possible is in the result with the reason. Fails only when the benchmark was interrupted;
    all processes on all nodes have ended then.
options:
  plan:
    description: Content of the plan of M(fnn_bench_plan).
    type: str
    required: true
  node:
    description: Name of the node on which the module runs.
    type: str
    required: true
  programs:
    description: Path of the program for each MPI, on all nodes, as M(fnn_bench_node) returns it; null of an MPI that is
      not installed.
    type: dict
    default: {}
  directory:
    description: The directory of these programs. The benchmark ends when it is removed.
    type: path
    required: true
  legs:
    description: Whether to run the pair tests.
    type: bool
    default: true
  hpcc:
    description: Whether to run C(hpcc) where all nodes have it.
    type: bool
    default: false
  seconds:
    description: Duration of a pair test in seconds.
    type: int
    default: 1
  mpi_seconds:
    description: Seconds in which cells of an MPI begin; later ones are left out. An MPI that hangs is ended after twice
      as long and two minutes.
    type: int
    default: 50
  file:
    description: File of the controller for the result.
    type: path
    required: true
extends_documentation_fragment: [fnn.no_check, fnn, fnn.no_diff]
"""

EXAMPLES = r"""
- name: Run the benchmark
  fnn_bench_run:
    plan: "{{ lookup('ansible.builtin.file', fnn_build_dir ~ '/bench/plan.json') }}"
    node: "{{ inventory_hostname }}"
    programs: "{{ __fnn_bench_node.programs }}"
    directory: /usr/local/libexec/fnn/bench
    file: "{{ fnn_build_dir }}/bench/raw.json.gz"
  become: true
  become_user: fnn
"""

RETURN = r"""
file:
  description: O(file), with a document of the format C(fnn-bench-raw), compressed.
  returned: success
  type: str
  sample: build/six/bench/raw.json.gz
"""

import json
from pathlib import Path
from typing import Any

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.fnn.node.answer.pack import pack_answer
from ansible.module_utils.fnn.node.bench import agent
from ansible.module_utils.fnn.node.bench.run import Request, run_benchmark
from ansible.module_utils.fnn.node.bench.watch import Interrupted, Watch

OPTIONS: dict[str, Any] = {
    "plan": {"type": "str", "required": True},
    "node": {"type": "str", "required": True},
    "programs": {"type": "dict", "default": {}},
    "directory": {"type": "path", "required": True},
    "legs": {"type": "bool", "default": True},
    "hpcc": {"type": "bool", "default": False},
    "seconds": {"type": "int", "default": 1},
    "mpi_seconds": {"type": "int", "default": 50},
    "file": {"type": "path", "required": True},
}


def read_source() -> str:
    """Return the source of the agent, also from the zip file in which Ansible sends modules to a node."""
    loader: Any = agent.__loader__
    return str(loader.get_source(agent.__name__))


def main() -> None:
    module = AnsibleModule(argument_spec=OPTIONS)
    options = module.params
    request = Request(
        plan=json.loads(options["plan"]),
        node=options["node"],
        programs=options["programs"],
        agent=read_source(),
        watch=Watch(Path(options["directory"])),
        seconds=options["seconds"],
        mpi_seconds=options["mpi_seconds"],
        hpcc=options["hpcc"],
        legs=options["legs"],
    )
    try:
        raw = run_benchmark(request)
    except (Interrupted, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=False, packed=pack_answer(raw))


if __name__ == "__main__":
    main()
