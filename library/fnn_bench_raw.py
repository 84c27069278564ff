#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_bench_raw
short_description: Write down what the nodes measured
description:
  - Writes the result of M(fnn_bench_run) as a document, with the results of other benchmarks.
options:
  measured:
    description: The file that M(fnn_bench_run) has written.
    type: path
    required: true
  outputs:
    description: Files that C(hpcc), the Intel MPI Benchmarks or OSU's have written for the same cluster.
    type: list
    elements: path
    default: []
  path:
    description: The document to write (format C(fnn-bench-raw)).
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root]
"""

EXAMPLES = r"""
- name: Write down what the nodes measured
  fnn_bench_raw:
    measured: build/six/bench/measured.json.gz
    path: build/six/bench/raw.json
    root: "{{ fnn_root }}"
"""

RETURN = r"""
programs:
  description: Programs of other benchmarks with a result in the document.
  returned: success
  type: list
  elements: str
  sample: [hpcc]
"""

from pathlib import Path

from ansible.module_utils.fnn.controller.bench.raw import make_raw
from ansible.module_utils.fnn.controller.options import require_paths
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def write_raw(task: Task) -> Result:
    """Write the document. A measurement never counts as a change. Raises FnnError."""
    raw = make_raw(task.path("measured"), map(Path, task.options["outputs"]))
    task.write(task.path("path"), raw)
    return {"programs": [each["program"] for each in raw["programs"]]}


def describe_module() -> ControllerModule:
    outputs = {"type": "list", "elements": "path", "default": []}
    return ControllerModule(write_raw, {**require_paths("measured", "path"), "outputs": outputs})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
