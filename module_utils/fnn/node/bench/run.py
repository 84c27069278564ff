# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a benchmark: its pair tests and its cells, and what else is installed (runs on one node, as the cluster user).

Returns the document fnn-bench-raw. A measurement that is not possible is in it with the reason, and the others go on.
Standard library only, Python 3.9.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..reach.mpi import LAUNCHERS, read_version
from .agents import Agents
from .cells import Cell, measure_cells, read_cells
from .hpcc import PROGRAM, measure_hpcc
from .launch import Launch, Outcome
from .legs import measure_legs
from .watch import Watch

#: Seconds for an agent to start and to read its NICs.
_READ = 60.0

Facts = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Request:
    """plan: of fnn_bench_plan. node: on which this runs. programs: path of fnn_bench.c, compiled, by MPI; None of an
    MPI that is not installed.

    agent: the source of agent.py. seconds: of a pair test. mpi_seconds: in which cells of an MPI begin.
    hpcc: whether to run it where all nodes have it. legs: whether to run the pair tests.
    """

    plan: Mapping[str, Any]
    node: str
    programs: Mapping[str, str | None]
    agent: str
    watch: Watch
    seconds: int = 1
    mpi_seconds: int = 50
    hpcc: bool = False
    legs: bool = True

    @property
    def limit(self) -> int:
        """Seconds until an MPI that hangs is ended."""
        return 2 * self.mpi_seconds + 120


def run_benchmark(request: Request) -> dict[str, Any]:
    """Raises Interrupted, after the end of all processes on all nodes."""
    plan, began = request.plan, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    devices = list_devices(plan["rounds"])
    commands = {node: {"do": "read", "devices": devices.get(node, [])} for node in plan["nodes"]}
    with Agents(plan["nodes"], request.node, request.agent, _find_limit(request), request.watch) as agents:
        before = agents.ask(commands, _READ)
        versions = {node: facts.get("iperf3") for node, facts in before.items()}
        rounds = plan["rounds"] if request.legs else []
        legs = measure_legs(agents, rounds, versions.values(), request.seconds)
        cells, programs = _run_programs(request, before)
        after = agents.ask(commands, _READ)
    return {
        "format": "fnn-bench-raw",
        "version": 1,
        "run": {"date": began, **describe_run(request, before, bool(rounds))},
        "legs": legs,
        "counters": compare_counters(before, after),
        "cells": cells,
        "programs": programs,
    }


def list_devices(rounds: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, list[str]]:
    """Node -> the devices of its NICs that the plan tests, sorted."""
    found: dict[str, set[str]] = {}
    for tests in rounds:
        for test in tests:
            for side in ("from", "to"):
                found.setdefault(test[side], set()).add(test[f"{side}_nic"])
    return {node: sorted(devices) for node, devices in found.items()}


def describe_run(request: Request, facts: Facts, has_legs: bool) -> dict[str, Any]:
    """With what and on what it was measured."""
    versions = {flavor: read_version(LAUNCHERS[flavor][0]) for flavor in request.programs}
    kept = ("driver", "speed_mbps")
    nics = {
        node: {device: {key: nic[key] for key in kept} for device, nic in each["nics"].items()}
        for node, each in facts.items()
        if each.get("nics")
    }
    releases = [each["iperf3"] for each in facts.values() if each.get("iperf3")]
    return {
        "kernel": {node: each["kernel"] for node, each in facts.items() if "kernel" in each},
        "mpi": {flavor: version for flavor, version in versions.items() if version},
        "iperf3": max(releases, key=releases.count) if has_legs and releases else None,
        "routing": request.plan["routing"],
        "nodes": list(request.plan["nodes"]),
        "nics": nics,
    }


def compare_counters(before: Facts, after: Facts) -> dict[str, Any]:
    """Node -> device -> its counters before and after, of NICs that were read twice."""
    return {
        node: {
            device: {"before": nic["counters"], "after": after[node]["nics"][device]["counters"]}
            for device, nic in facts.get("nics", {}).items()
            if device in after[node].get("nics", {})
        }
        for node, facts in before.items()
        if facts.get("nics")
    }


def _run_programs(request: Request, facts: Facts) -> tuple[list[Cell], list[dict[str, Any]]]:
    """The cells of all MPIs, and the results of hpcc if all nodes have it."""
    cells: list[Cell] = []
    for flavor, program in request.programs.items():
        how = Launch(flavor, request.limit, request.watch)
        missing = Outcome("", f"{flavor} is not installed on {request.node}")
        if program:
            cells += measure_cells(how, program, request.plan, request.mpi_seconds)
        else:
            cells += read_cells(missing, flavor, request.plan)
    if not request.hpcc or not all(each.get(PROGRAM) for each in facts.values()):
        return cells, []
    # Its input and output are files of rank 0, which therefore is this node.
    others = [node for node in request.plan["nodes"] if node != request.node]
    return cells, [measure_hpcc([request.node, *others], request.limit, request.watch)]


def _find_limit(request: Request) -> int:
    """Seconds after which an agent without a connection ends."""
    rounds = len(request.plan["rounds"]) * (2 * request.seconds + 60)
    return int(rounds + (len(request.programs) + 1) * (request.limit + 60) + 600 + 2 * _READ)
