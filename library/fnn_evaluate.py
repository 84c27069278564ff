#!/usr/bin/python
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
module: fnn_evaluate
short_description: Predict what a design delivers
description:
  - Predicts bandwidths, bottlenecks, exposure to failures and cost of a design with the engine, before a cable is
    bought. Writes C(evaluation.json), or C(network.json) for a tree, ring, star or mesh. Runs once, on the controller.
  - Runs the engine only if an input or the document has changed, by C(engine-runs.json) beside the document.
options:
  seed:
    description: Seed of the routes and of random patterns. With 1, the default of the engine, the routes are those of
      the nodes.
    type: int
  patterns:
    description: Number of random patterns per estimate; 10000 by default.
    type: int
  threads:
    description: Number of threads; all processors by default. Does not affect the results.
    type: int
  alternatives:
    description:
      - Names of other networks on the same nodes to evaluate with the design, or one of C(all) and C(none).
      - All by default. docs/reference/evaluation.md lists them.
    type: list
    elements: str
  prices:
    description: Price list for hardware without a price in the spec, as in C(prices/).
    type: path
extends_documentation_fragment: [fnn, fnn.no_diff, fnn.root, fnn.design, fnn.build]
"""

EXAMPLES = r"""
- name: Predict the performance of the design
  fnn_evaluate:
    design: "{{ fnn_site_dir }}/design.json"
    build: "{{ fnn_build_dir }}"
    root: "{{ fnn_root }}"
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
headlines:
  description: The main figures; docs/reference/evaluation.md defines them.
  returned: success
  type: dict
  contains:
    switches_traversed:
      description: Mean number of switches over the ordered pairs that are reached; none without such pairs.
      type: float
    pairwise:
      description: Mean bandwidth of two nodes on an otherwise idle fabric, in links.
      type: float
    best_gbps:
      description: Best bisection bandwidth, both directions.
      type: float
    conservative_gbps:
      description: Conservative bisection bandwidth, both directions.
      type: float
    ratio:
      description: >-
        Least share of the optimal throughput in the worst permutation and in all patterns, with C(basic) routing, and
        with advanced routing in equal parts (C(advanced)) and by weights (C(weighted)).
      type: dict
    price:
      description: Price of the network with uplink switch and spares; none where NICs or switches have no price.
      type: float
    currency:
      description: Currency of the prices; none if neither C(fnn_prices) nor the price list names one.
      type: str
neighborhoods:
  description: Whether the design is a flat neighborhood network or one switch. For others, C(network.json) is written.
  returned: success
  type: bool
comparison:
  description: Wins and losses of the design, measure by measure.
  returned: success
  type: list
  elements: dict
"""

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ansible.module_utils.fnn.controller.documents import dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.engine_runs import EngineRun
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.files import write_changed
from ansible.module_utils.fnn.controller.options import PATH, require_paths
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from ansible.module_utils.fnn.controller.task import ControllerModule, Result, Task
from ansible.module_utils.fnn_module import run_module

_NUMBERS = ("seed", "patterns", "threads")


def evaluate(task: Task) -> Result:
    """Measure the design and write the evaluation, unless it is of the same inputs. Raises FnnError."""
    design = task.read("design")
    name, format = name_evaluation(design)
    files = [task.path("design")]
    if task.options["prices"]:
        # Check the prices here, since the engine would attribute their errors to the design.
        task.read("prices")
        files.append(task.path("prices"))
    designer = task.open_designer()
    options = _engine_options(task.options)
    run = EngineRun(task, designer, name, files, {key: options[key] for key in ("seed", "patterns", "alternatives")})
    content = run.read_unchanged() or measure(task, designer, format, options)
    changed = write_changed(task.path("build"), {name: content}, task.check_mode)
    run.record(content)
    evaluation = json.loads(content)
    return {
        "changed": bool(changed),
        "neighborhoods": is_neighborhood_network(design["spec"]),
        "comparison": evaluation["comparison"],
        "headlines": pick_headlines(evaluation),
    }


def measure(task: Task, designer: Designer, format: str, options: Mapping[str, Any]) -> str:
    """Return the text of the evaluation that the engine makes. Raises FnnError."""
    with TemporaryDirectory() as directory:
        measured = Path(directory) / "evaluation.json"
        designer.evaluate(task.path("design"), measured, options)
        text: str = dumps(task.documents.read(measured, format))
    return text


def _engine_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for the engine."""
    names = options["alternatives"]
    given = {name: options[name] for name in (*_NUMBERS, "prices")}
    return {**given, "alternatives": ",".join(names) if names else None}


def pick_headlines(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Return the main figures."""
    traversed = (evaluation["switches_traversed"] or {}).get("mean")
    price = evaluation["cost"]["price"]
    return {
        "switches_traversed": traversed and traversed["value"],
        "pairwise": evaluation["pairwise"]["mean"]["value"],
        "best_gbps": evaluation["bisection"]["best"]["gbps"],
        "conservative_gbps": evaluation["bisection"]["conservative"]["gbps"],
        "ratio": evaluation["worst_case"] and evaluation["worst_case"].get("ratio"),
        "price": price and price["total"],
        "currency": evaluation["currency"],
    }


def describe_module() -> ControllerModule:
    numbers = {number: {"type": "int"} for number in _NUMBERS}
    others = {"alternatives": {"type": "list", "elements": "str"}, "prices": PATH}
    return ControllerModule(evaluate, {**require_paths("design", "build"), **numbers, **others})


def main() -> None:
    run_module(describe_module())


if __name__ == "__main__":
    main()
