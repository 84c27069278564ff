# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a benchmark (format "fnn-bench-plan"): pair tests in rounds, and the cells to measure."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...shared.errors import problem
from ..documents import identify_design
from .cells import SIZES, describe_sampling, fit_cells, list_cells
from .fabric import FULL_SPEED, Fabric
from .paths import ADVANCED, FNN, TREE, Choice, Paths
from .rounds import plan_rounds

Document = Mapping[str, Any]
VERSION = 1


@dataclass(frozen=True)
class Request:
    """What a run measures. network: "fnn" or "tree". kind: of routing. nodes: those that take part, None for all.

    seconds: for the cells of one MPI. at_once: the most pair tests of a round. sizes: octets of messages. shuffled:
    whether ranks are on random nodes. In rank order, neighbors often share a switch, also in the tree.
    speed_percent: of its speed, what each cable of a lab carries.
    """

    network: str = FNN
    kind: str = ADVANCED
    nodes: Sequence[str] | None = None
    seconds: float = 300.0
    at_once: int | None = None
    sizes: Sequence[int] = SIZES
    seed: int = 1
    shuffled: bool = False
    speed_percent: float = FULL_SPEED


def make_plan(design: Document, macs: Document | None, routes: Document | None, request: Request) -> dict[str, Any]:
    """Raises FnnError without two nodes, and for a tree without an uplink switch."""
    nodes = [each["name"] for each in design["nodes"] if request.nodes is None or each["name"] in request.nodes]
    if len(nodes) < 2:
        raise problem("", f"a benchmark needs two nodes, and {', '.join(nodes) or 'none'} takes part")
    if request.network == TREE and design["spec"]["uplink"] is None:
        raise problem("design.json#/spec/uplink", "the tree needs an uplink switch, and there is none")
    if request.shuffled:
        random.Random(request.seed).shuffle(nodes)
    fabric = Fabric(design, macs, frozenset(nodes), request.speed_percent)
    paths = Paths(fabric, nodes, request.network, Choice(request.kind, routes))
    rounds = plan_rounds(fabric, request.at_once) if request.network == FNN else []
    cells, left_out = fit_cells(list_cells(paths, request.sizes), request.seconds)
    return {
        "format": "fnn-bench-plan",
        "version": VERSION,
        "cluster": design["cluster"],
        "design_digest": identify_design(design),
        "routing": request.network,
        "seed": request.seed,
        "nodes": nodes,
        "rounds": [[test.to_json() for test in each] for each in rounds],
        "cells": [each.to_json() for each in cells],
        "sampling": describe_sampling(),
        "left_out": [each.to_json() for each in left_out],
    }
