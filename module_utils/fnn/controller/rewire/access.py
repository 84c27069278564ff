# SPDX-License-Identifier: GPL-3.0-or-later
"""How a rewiring affects access to nodes over the fabric (fnn_access: nic).

While a cable of a batch moves, its node is reachable over another NIC on a switch with a cable to the uplink switch.
Without such a NIC, the node is unreachable from outside until the cable is plugged in again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ...shared.errors import FnnError, Problem
from ..plan.outside import list_uplinked
from .wiring import JOB, find_present_spec, list_cables

Document = Mapping[str, Any]


def find_cut(job: Document, number: int) -> list[str]:
    """Nodes that are unreachable from outside while the cables of a batch move. number: counts from 1."""
    out = {(move["node"], move["nic"]) for move in job["batches"][number - 1]["moves"]}
    within = _list_within(job, number - 1, out)
    moving = {node for node, _ in out}
    return [node["name"] for node in job["goal"]["nodes"] if node["name"] in moving - within]


def format_warning(job: Document, number: int) -> str:
    """The warning to show before a cable is pulled; empty if all nodes stay reachable."""
    cut = find_cut(job, number)
    if not cut:
        return ""
    return f"NOT REACHABLE from outside while these cables are unplugged: {', '.join(cut)}"


def check_reachability(job: Document) -> None:
    """Raises FnnError with every node that is unreachable from outside after a batch, with all its cables in."""
    problems = [problem for number in range(1, len(job["batches"]) + 1) for problem in _find_lost(job, number)]
    if problems:
        raise FnnError(problems)


def _find_lost(job: Document, number: int) -> Iterator[Problem]:
    within = _list_within(job, number, ())
    for node in job["goal"]["nodes"]:
        if node["name"] not in within:
            text = "is on a switch with a cable to the uplink switch, as fnn_access: nic requires"
            yield Problem(f"{JOB}#/batches/{number - 1}", f"after this batch, no NIC of {node['name']} {text}")


def _list_within(job: Document, batches: int, out: Collection[tuple[str, int]]) -> set[str]:
    """Nodes that are reachable from outside after `batches` batches, without the NICs of `out`."""
    uplinked = list_uplinked({"spec": find_present_spec(job)})
    cables = list_cables(job, batches)
    return {node for node, nic, switch in cables if switch in uplinked and (node, nic) not in out}
