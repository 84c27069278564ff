# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells as an ideal network with noise would give them, for tests of documents and reports.

Times are computed here by the laws of the network, and not by the code that predicts them: a message takes a latency
and its octets over the payload rate of its link, times how many messages share the most loaded NIC on its path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from ansible.module_utils.fnn.controller.bench.cells import list_group_sizes
from ansible.module_utils.fnn.controller.plan.routing import Routing
from synthetic_network import PAYLOAD, Fault, SyntheticNetwork

LATENCY = 60e-6
SIZES = (0, 65536, 1048576)
Flow = tuple[int, int]
#: kind, mpi, group, together and bytes; with samples as the nodes describe it
Cell = dict[str, Any]


class SyntheticCells:
    """Draws cells of a flat neighborhood network with equal links and basic routing."""

    def __init__(self, design: Mapping[str, Any], routes: Mapping[str, Any], seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._table, self._ranks = Routing(routes), len(design["nodes"])
        nic = design["spec"]["nodes"][0]["nics"][0]
        self._mbps = min(nic["speed_mbps"], *(each["ports"][0]["speed_mbps"] for each in design["spec"]["switches"]))

    def measure(self, mpi: str = "Open MPI", slow: float = 1.0) -> list[Cell]:
        """All cells. slow: factor of all times."""
        cells = [
            self._make({"kind": kind, "mpi": mpi, "group": group, "together": together, "bytes": size})
            for kind in ("barrier", "pingpong", "exchange", "alltoall")
            for group in (list_group_sizes(self._ranks) if kind != "pingpong" else [2])
            for together in (["one", "all"] if self._ranks // group > 1 else ["one"])
            for size in (SIZES if kind != "barrier" else (0,))
        ]
        cells += [self._make_bisection(mpi, size, direction) for size in SIZES[1:] for direction in ("uni", "sym")]
        for cell in cells:
            cell["samples"] = [[slow * each for each in series] for series in cell["samples"]]
        return cells

    def _make(self, named: Cell) -> Cell:
        group = named["group"]
        groups = [range(at, at + group) for at in range(0, self._ranks - group + 1, group)]
        series = self._list_times(named["kind"], groups if named["together"] == "all" else groups[:1], named["bytes"])
        return _complete(named, [[self._disturb(each) for _ in range(12)] for each in series])

    def _list_times(self, kind: str, groups: Sequence[range], size: int) -> list[float]:
        if kind == "barrier":
            return [LATENCY * 4 for _ in groups]
        if kind == "pingpong":
            return [self._time(1, size) for _ in groups]
        if kind == "alltoall":
            return [self._time(1, size) for _ in range(len(groups[0]) - 1)]
        flows = [
            (rank, group[(at + by) % len(group)]) for group in groups for at, rank in enumerate(group) for by in (1, -1)
        ]
        loads = self._find_loads(flows)
        worst = [max(load for flow, load in zip(flows, loads) if rank in flow) for group in groups for rank in group]
        return [self._time(each, size) for each in worst]

    def _find_loads(self, flows: Sequence[Flow]) -> list[int]:
        """Of each flow, how many share the NIC that most flows share."""
        out = Counter((one, self._table.find(one, other)) for one, other in flows)
        into = Counter((other, self._table.find(one, other)) for one, other in flows)
        return [
            max(out[one, self._table.find(one, other)], into[other, self._table.find(one, other)])
            for one, other in flows
        ]

    def _make_bisection(self, mpi: str, size: int, direction: str) -> Cell:
        flows = []
        for _ in range(8):
            order = [int(each) for each in self._chance.permutation(self._ranks)]
            pairs = list(zip(order[::2], order[1::2]))
            back = [(other, one) for one, other in pairs] if direction == "sym" else []
            flows.append([list(each) for each in (*pairs, *back)])
        samples = [[self._disturb(self._time(1, size)) for _ in each] for each in flows]
        named = {"kind": "bisection", "mpi": mpi, "group": self._ranks, "together": "one", "bytes": size}
        return {**_complete(named, samples), "direction": direction, "flows": flows}

    def _time(self, load: int, size: int) -> float:
        return LATENCY + load * 8e-6 * size / (self._mbps * PAYLOAD)

    def _disturb(self, seconds: float) -> float:
        return float(f"{seconds * abs(self._chance.normal(1, 0.005)):.6g}")


def _complete(named: Cell, samples: Sequence[Sequence[float]]) -> Cell:
    """A cell as the nodes describe it."""
    measured = {"unit": "s", "samples": samples, "warmup": 2, "settled": True, "stop": "interval", "error": None}
    return {**named, **measured}


def make_raw(
    design: Mapping[str, Any], routes: Mapping[str, Any] | None, seed: int, faults: Sequence[Fault] = ()
) -> dict[str, Any]:
    """A raw result of a run. Without routes it has no cells."""
    names = [node["name"] for node in design["nodes"]]
    nics = [len(node["nics"]) for node in design["spec"]["nodes"]]
    quiet = {"before": {"rx_errors": 0, "rx_packets": 0}, "after": {"rx_errors": 0, "rx_packets": 100_000}}
    return {
        "format": "fnn-bench-raw",
        "version": 1,
        "run": {
            "date": f"2026-01-{seed:02}T12:00:00Z",
            "kernel": dict.fromkeys(names, "6.1.0-18-amd64"),
            "mpi": {"Open MPI": "4.1.4"},
            "iperf3": "3.12",
            "routing": "fnn",
            "nodes": names,
        },
        "legs": SyntheticNetwork(design).measure(seed, faults),
        "counters": {name: {f"nic{nic}": quiet for nic in range(many)} for name, many in zip(names, nics)},
        "cells": SyntheticCells(design, routes, seed).measure() if routes else [],
    }
