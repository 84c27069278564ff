#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_bench
short_description: Compare what nodes measured with what the design promises
description:
  - Writes C(bench/bench.json) below O(build), or C(bench/tree.json) for a run over the tree.
  - Names parts that are slower than all others, by a test of significance, with the likely cause and what to do.
  - Fails if a part is to blame, with its name and what to do. The document is written before.
  - Without O(raw), it shows the existing document again.
options:
  build:
    description:
      - Directory of C(routes.json), and of C(evaluation.json) or C(network.json), if there are any. Results are written
        to C(bench) below it.
  macs:
    description: C(macs.json), which has the names of the NICs.
  raw:
    description: What the nodes measured (format C(fnn-bench-raw)).
    type: path
  network:
    description: Which document to show where O(raw) is left out.
  earlier:
    description:
      - An earlier C(bench.json), to state what has changed. The comparison is written to C(bench/comparison.json).
    type: path
extends_documentation_fragment:
  - fnn
  - fnn.no_diff
  - fnn.root
  - fnn.design
  - fnn.macs
  - fnn.build
  - fnn.routing
  - fnn.weights
  - fnn.network
  - fnn.speed_percent
"""

EXAMPLES = r"""
- name: Judge the benchmark
  fnn_bench:
    design: "{{ fnn_site_dir }}/design.json"
    macs: "{{ fnn_site_dir }}/macs.json"
    raw: "{{ fnn_build_dir }}/bench/raw.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
lines:
  description: The result as text.
  returned: always
  type: list
  elements: str
verdict:
  description: C(delivers), C(faults), C(slow) or C(unknown).
  returned: always
  type: str
"""

from typing import Any

from ansible.module_utils.fnn.controller.bench.compare import compare_runs
from ansible.module_utils.fnn.controller.bench.document import Inputs, make_document
from ansible.module_utils.fnn.controller.bench.show import list_faults, show_bench
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.options import NETWORK, PATH, ROUTING, SPEED_PERCENT, WEIGHTS, require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

#: Network -> its document below the directory of results.
FILES = {"fnn": "bench/bench.json", "tree": "bench/tree.json"}


def judge_bench(task: Task) -> Result:
    """Write the document of a run, and the comparison with an earlier one. Raises FnnError."""
    build, raw = task.path("build"), task.read_existing("raw", "fnn-bench-raw")
    # Read first: it may be the file that is replaced.
    earlier = task.read("earlier", "fnn-bench") if task.options["earlier"] else None
    path = build / FILES[raw["run"]["routing"] if raw else task.options["network"]]
    bench = make_document(read_inputs(task, raw)) if raw else task.documents.read(path, "fnn-bench")
    changed = raw is not None and not task.check_mode
    if changed:
        task.documents.renew(path, bench)
    lines = show_bench(bench)
    if earlier:
        comparison = compare_runs(earlier, bench)
        task.write(build / "bench/comparison.json", comparison)
        lines += comparison["lines"]
    result: Result = {"changed": changed, "lines": lines, "verdict": bench["verdict"]}
    faults = list_faults(bench)
    return {**result, "failed": True, "msg": "\n".join(faults)} if faults else result


def read_inputs(task: Task, raw: dict[str, Any]) -> Inputs:
    """The documents that the run is compared with, as far as they exist and are of this design. Raises FnnError."""
    build, design, documents = task.path("build"), task.read("design"), task.documents
    name, format = name_evaluation(design)
    return Inputs(
        design,
        raw,
        task.read("macs"),
        documents.read_of(design, build / "routes.json", "fnn-routes"),
        documents.read_of(design, build / name, format),
        task.options["routing"],
        task.options["weights"],
        task.options["speed_percent"],
    )


def describe_module() -> ControllerModule:
    return ControllerModule(
        judge_bench,
        {
            **require_paths("design", "build", "macs"),
            "raw": PATH,
            "earlier": PATH,
            **ROUTING,
            **NETWORK,
            **WEIGHTS,
            **SPEED_PERCENT,
        },
    )


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
