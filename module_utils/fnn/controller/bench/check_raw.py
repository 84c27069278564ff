# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what a schema cannot express of a raw result: that it belongs to the design, and that its parts agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem
from .fabric import Fabric
from .flows import ALLTOALL, BARRIER, BISECTION, EXCHANGE, list_groups

Document = Mapping[str, Any]


def check_raw(raw: Document, fabric: Fabric, nodes: Sequence[str]) -> None:
    """nodes: of the design. Raises FnnError with all problems."""
    problems = [*_check_run(raw["run"], nodes), *_check_legs(raw["legs"], fabric)]
    ranks = len(raw["run"].get("nodes", nodes))
    for index, cell in enumerate(raw["cells"]):
        problems += _check_cell(f"/cells/{index}", cell, ranks)
    if problems:
        raise FnnError(problems)


def _check_run(run: Document, nodes: Sequence[str]) -> Iterator[Problem]:
    ranks = run.get("nodes", [])
    for index, name in enumerate(ranks):
        if name not in nodes:
            yield Problem(f"/run/nodes/{index}", f'the design has no node "{name}"')
        if name in ranks[:index]:
            yield Problem(f"/run/nodes/{index}", f"{name} is already rank {ranks.index(name)}")


def _check_legs(entries: Sequence[Document], fabric: Fabric) -> Iterator[Problem]:
    for index, each in enumerate(entries):
        for side in ("from", "to"):
            node, device, switch = each[side], each[f"{side}_nic"], each["switch"]
            if (node, device, switch) not in fabric.by_device:
                yield Problem(f"/legs/{index}/{side}", f"the design has no {device} of {node} on {switch}")
        if (each["from"], each["from_nic"]) == (each["to"], each["to_nic"]):
            yield Problem(f"/legs/{index}/to_nic", f"{each['to_nic']} of {each['to']} sends to itself")
        if (each["mbps"] is None) == (each["error"] is None):
            yield Problem(f"/legs/{index}/mbps", "expected a rate or an error, and not both")


def _check_cell(at: str, cell: Document, ranks: int) -> Iterator[Problem]:
    if cell["group"] > ranks:
        yield Problem(f"{at}/group", f"{cell['group']} ranks, and there are {ranks}")
    elif cell["samples"]:
        yield from _check_series(at, cell, ranks)


def _check_series(at: str, cell: Document, ranks: int) -> Iterator[Problem]:
    kind, series = cell["kind"], len(cell["samples"])
    if kind == BISECTION:
        flows = cell.get("flows", [])
        if [len(each) for each in flows] != [len(each) for each in cell["samples"]]:
            yield Problem(f"{at}/flows", "expected those of each series, one for each time")
        for index, each in enumerate(flows):
            if any(rank >= ranks for flow in each for rank in flow):
                yield Problem(f"{at}/flows/{index}", f"expected ranks below {ranks}")
        return
    groups = len(list_groups(ranks, cell["group"], cell["together"]))
    expected = {EXCHANGE: groups * cell["group"], ALLTOALL: cell["group"] - 1, BARRIER: groups}
    wanted = expected.get(kind, groups * (cell["group"] // 2))
    if series != wanted:
        yield Problem(f"{at}/samples", f"expected {wanted} series of {kind}, not {series}")
