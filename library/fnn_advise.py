#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_advise
short_description: Advise which network to build for a number of nodes
description:
  - Designs flat neighborhood networks of the switches in a price list with the engine, evaluates them and all other
    networks for as many nodes, and ranks all by price per effective bandwidth.
  - Writes C(advice.json), C(advice.txt) and C(advice.svg). Needs no design and no inventory.
options:
  variables:
    description: The variables of the role C(fnn_advise) by name. Those without a value may be none.
    type: dict
    required: true
  directory:
    description: Directory for the result, usually C(build/advice).
    type: path
    required: true
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.routing]
"""

EXAMPLES = r"""
- name: Advise which network to build
  fnn_advise:
    variables:
      fnn_advise_nodes: 64
      fnn_advise_nics: 4
      fnn_advise_prices: prices/klat2-2000.json
    directory: "{{ fnn_root | fnn_generated }}/advice"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
changed_files:
  description: Files that changed, below O(directory).
  returned: success
  type: list
  elements: str
lines:
  description: The answer and the first networks of the ranking.
  returned: success
  type: list
  elements: str
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from ansible.module_utils.fnn.controller.advise.chart import draw_ranking
from ansible.module_utils.fnn.controller.advise.gather import Gatherer
from ansible.module_utils.fnn.controller.advise.ranking import make_document
from ansible.module_utils.fnn.controller.advise.request import read_request
from ansible.module_utils.fnn.controller.advise.table import format_long, format_short
from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.options import ROUTING, require_paths
from ansible.module_utils.fnn.controller.spec.variable_source import read_source
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module


def advise(task: Task) -> Result:
    """Design, evaluate, rank, and write the files that differ. Raises FnnError."""
    known = read_source(task.root).variables
    request = read_request(task.options["variables"], known, task.documents, task.options["routing"])
    designer = task.open_designer()
    with TemporaryDirectory() as directory:
        gathered = Gatherer(request, designer, task.documents, Path(directory), task.report).gather()
    advice = make_document(request, gathered)
    task.documents.check(advice, "fnn-advice")
    text, picture = "".join(f"{line}\n" for line in format_long(advice)), draw_ranking(advice)
    files = {"advice.json": dumps(advice), "advice.txt": text, **({"advice.svg": picture} if picture else {})}
    changed = write_changed(task.path("directory"), files, task.check_mode)
    if not picture:
        changed += _remove(task.path("directory") / "advice.svg", task.check_mode)
    return {"changed": bool(changed), "changed_files": changed, "lines": format_short(advice)}


def _remove(path: Path, check: bool) -> list[str]:
    """Remove the picture of an earlier advice, unless `check`; return its name if it is there."""
    if not path.exists():
        return []
    if not check:
        path.unlink()
    return [path.name]


def describe_module() -> ControllerModule:
    variables = {"variables": {"type": "dict", "required": True}}
    return ControllerModule(advise, {**variables, **require_paths("directory"), **ROUTING})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
