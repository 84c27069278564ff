# SPDX-License-Identifier: GPL-3.0-or-later
"""The document that the engine writes when it evaluates a design; its format depends on the topology.

Both have `alternatives`, `comparison`, `cost`, `currency`, `prices`, `link_mbps`, `engine`, `seed` and `design_digest`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ..documents import Documents, identify_design
from ..segments import is_neighborhood_network


def name_evaluation(design: Mapping[str, Any]) -> tuple[str, str]:
    """(file name, format) of the evaluation of a design."""
    chosen = is_neighborhood_network(design["spec"])
    return ("evaluation.json", "fnn-evaluation") if chosen else ("network.json", "fnn-network")


def read_evaluation(documents: Documents, build: Path, design: Mapping[str, Any]) -> dict[str, Any]:
    """The evaluation of a design in this directory. Raises FnnError, also for that of another design."""
    name, format = name_evaluation(design)
    evaluation = documents.read(build / name, format)
    if evaluation.get("design_digest") != identify_design(design):
        raise problem(
            f"{name}#/design_digest", "another design was evaluated; playbooks/evaluate.yml evaluates this one"
        )
    for key in ("alternatives", "cost", "currency"):
        if key not in evaluation:
            raise problem(f"{name}#/{key}", "missing; playbooks/evaluate.yml evaluates the design again")
    return evaluation
