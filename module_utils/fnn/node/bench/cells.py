# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cells of a plan with one MPI: runs fnn_bench.c over all nodes, one rank on each (runs on a node).

Standard library only, Python 3.9.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .launch import Launch, Outcome, launch

Cell = dict[str, Any]
_SAMPLING = ("warmup", "least", "most", "pairings", "confidence", "share")
_KEYS = ("kind", "group", "together", "bytes")


def write_input(plan: Mapping[str, Any], seconds: int) -> str:
    """The input of fnn_bench. seconds: in which cells of the plan begin."""
    lines = [" ".join(["nodes", *plan["nodes"]]), f"seed {plan['seed']}", f"limit {seconds}"]
    lines.append(" ".join(["sampling", *(str(plan["sampling"][key]) for key in _SAMPLING)]))
    for cell in plan["cells"]:
        words = [cell[key] for key in (*_KEYS, "most_seconds")]
        lines.append(" ".join(["cell", *map(str, words), cell.get("direction", "")]).strip())
    return "\n".join(lines) + "\n"


def measure_cells(how: Launch, program: str, plan: Mapping[str, Any], seconds: int) -> list[Cell]:
    """The cells of the plan, as in fnn-bench-raw. Cells that were not measured have the reason. Raises Interrupted.

    seconds: in which cells begin. Nodes that share processors, as in a lab, take longer than the plan expects.
    """
    return read_cells(launch(how, plan["nodes"], [program], write_input(plan, seconds)), how.flavor, plan)


def read_cells(outcome: Outcome, flavor: str, plan: Mapping[str, Any]) -> list[Cell]:
    """The cells that the program printed, in the order of the plan, and all others with the reason."""
    hosts, measured = _read_lines(outcome.output)
    wrong = _compare_hosts(hosts, plan["nodes"]) if hosts else None
    reason = wrong or outcome.error or "the program ended before it measured this cell"
    cells = []
    for index, wanted in enumerate(plan["cells"]):
        names = {key: wanted[key] for key in (*_KEYS, "direction") if key in wanted}
        found = measured[index] if index < len(measured) and not wrong else None
        result = _describe(found) if found else _fail(reason, plan["sampling"]["warmup"])
        cells.append({**names, "mpi": flavor, "unit": "s", **result})
    return cells


def _read_lines(output: str) -> tuple[list[str], list[Cell]]:
    """The host of each rank, and what was measured, from lines among which the MPI may print its own."""
    hosts: list[str] = []
    measured = []
    for line in output.splitlines():
        try:
            found = json.loads(line) if line.startswith("{") else {}
        except ValueError:  # cut short
            continue
        hosts = found.get("hosts", hosts)
        if "kind" in found:
            measured.append(found)
    return hosts, measured


def _compare_hosts(hosts: Sequence[str], nodes: Sequence[str]) -> str | None:
    """The first rank that is on another node than planned."""
    if len(hosts) != len(nodes):
        return f"{len(hosts)} ranks have started instead of {len(nodes)}"
    for rank, (host, node) in enumerate(zip(hosts, nodes)):
        if host != node:
            return f"rank {rank} runs on {host} instead of {node}"
    return None


def _describe(found: Mapping[str, Any]) -> dict[str, Any]:
    flows = {"flows": found["flows"]} if "flows" in found else {}
    kept = {key: found[key] for key in ("samples", "times", "warmup", "stop", "error")}
    return {**flows, **kept, "settled": found["stop"] == "interval"}


def _fail(reason: str, warmup: int) -> dict[str, Any]:
    return {"samples": [], "warmup": warmup, "settled": False, "error": reason}
