# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of `bench/cases_lab.py`: what runs, what the model predicts for it, and its measurement."""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ansible.module_utils.fnn.controller.bench.fabric import Edge, Fabric, FlowPath
from ansible.module_utils.fnn.controller.bench.paths import BASIC, Choice, Paths

from bench.lab_network import FRAME, Counts, Idle, Lab, subtract


def read_mbps(environment: Mapping[str, str]) -> int:
    """The rate of all cables, in Mb/s: FNN_BENCH_LAB_MBPS, or 4. Raises SystemExit."""
    text = environment.get("FNN_BENCH_LAB_MBPS", "4")
    if not text.isdecimal() or int(text) == 0:
        raise SystemExit(f"FNN_BENCH_LAB_MBPS: {text} is no positive integer")
    return int(text)


#: Of all cables. At 5 Mb/s, all groups at once kept two cores busy.
MBPS = read_mbps(os.environ)
BYTES = 65536
GROUPS = (2, 4, 8, 16, 32, 64)
IN_RANK_ORDER = (2, 8, 64)  # groups that are also measured with ranks on nodes in their order
BY_FLOW = (8, 64)  # groups that are also measured with a queue per flow
#: Of the 63 phases of an all-to-all exchange of all ranks, in which rank i sends to rank i + phase; a queue per flow.
PHASES = (1, 9, 21, 31, 47)
ONE_WAY = ("stream", "phase")  # kinds in which a connection carries data from its client alone
FLAT, TREE, BACK, FAIR = "flat", "tree", "back", "queue per flow"
#: Seconds before the count of a cell begins, and those that it lasts. An undisturbed round takes half a second.
WARM, COUNT = 1.0, {FLAT: 8.0, TREE: 10.0, BACK: 8.0, FAIR: 8.0}
REST = 0.5  # between two cells, in which queues run empty
SEED = 1  # of the places of ranks
PAYLOAD = 1448  # octets of TCP payload in a full frame

#: Source and destination, names of nodes.
Flow = tuple[str, str]


@dataclass(frozen=True)
class Cell:
    """What runs. ranks: names of nodes in the order of their ranks; each group is a slice of it.

    phase: the distance of the ranks that communicate.
    """

    kind: str
    group: int
    together: bool
    ranks: tuple[str, ...]
    phase: int = 1

    @property
    def groups(self) -> list[tuple[str, ...]]:
        groups = [self.ranks[at : at + self.group] for at in range(0, len(self.ranks), self.group)]
        return groups if self.together else groups[:1]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """(client, server) of each connection: each node and its right neighbor, in a group of two both ways; in a
        phase, each node and the one so many ranks further."""
        if self.kind not in ("exchange", "phase"):
            return [(group[0], group[1]) for group in self.groups]
        return [(group[at], group[(at + self.phase) % self.group]) for group in self.groups for at in range(self.group)]

    @property
    def flows(self) -> list[Flow]:
        there = self.pairs
        return there if self.kind in ONE_WAY else [*there, *((other, one) for one, other in there)]


@dataclass
class Result:
    """rates: of the nodes, in octets of payload per second, sent and received together. idle: share of the processors.

    crossing: octets of payload that were received from nodes on other switches. uplinks: port -> (octets, frames).
    """

    rates: dict[str, float]
    crossing: dict[Edge, int]
    uplinks: Counts
    idle: float

    @property
    def median(self) -> float:
        return statistics.median(self.rates.values())

    @property
    def slowest(self) -> float:
        """0 where a node received nothing, as one whose retransmissions wait for a timeout."""
        return min(self.rates.values())

    @property
    def frames(self) -> int:
        return sum(frames for _, frames in self.uplinks.values())

    @property
    def octets(self) -> int:
        return sum(octets for octets, _ in self.uplinks.values())


@dataclass
class Measured:
    """All cells, by routing; BACK: over shared switches after the tree. FAIR: there, with a queue per flow.

    frames_of_flat: on all uplinks while routes lead over shared switches.
    """

    results: dict[tuple[str, Cell], Result] = field(default_factory=dict)
    frames_of_flat: int = 0

    def find(self, routing: str, kind: str, group: int, together: bool, ordered: bool = False) -> tuple[Cell, Result]:
        """ordered: ranks on nodes in their order."""
        for (each, cell), result in self.results.items():
            is_ordered = list(cell.ranks) == sorted(cell.ranks)
            if (each, cell.kind, cell.group, cell.together, is_ordered) == (routing, kind, group, together, ordered):
                return cell, result
        raise KeyError((routing, kind, group, together, ordered))

    def find_phase(self, phase: int) -> tuple[Cell, Result]:
        """One of PHASES."""
        return next(
            (cell, each) for (_, cell), each in self.results.items() if (cell.kind, cell.phase) == ("phase", phase)
        )


class Model:
    """The predicted rates of the cells, from the paths of `./fnn bench`."""

    def __init__(self, design: dict[str, Any], routes: dict[str, Any]) -> None:
        self._fabric = Fabric(design)
        self._ranks = {node["name"]: rank for rank, node in enumerate(design["nodes"])}
        names = list(self._ranks)
        self._paths = {
            FLAT: Paths(self._fabric, names, choice=Choice(BASIC, routes)),
            TREE: Paths(self._fabric, names, "tree"),
        }
        #: All cables of the design have one speed.
        (self._mbps,) = {*self._fabric.speeds.values()}

    def find_path(self, routing: str, flow: Flow) -> FlowPath:
        one, other = (self._ranks[name] for name in flow)
        paths: list[FlowPath] = self._paths[TREE if routing == TREE else FLAT].find(one, other)
        return paths[0]

    def list_uplinks(self, flow: Flow) -> list[Edge]:
        """The directions of cables to the uplink switch that a flow crosses over the tree."""
        return [edge for edge in self.find_path(TREE, flow) if edge[0] == "uplink"]

    def predict(self, routing: str, cell: Cell) -> float:
        """The median rate of the nodes, sent and received together, in octets of payload per second.

        Rounds of a ring keep step, so the slowest flow of a group is the rate of all its flows. A phase ends with its
        slowest flow. In a ping-pong one flow of a pair runs at a time, so at most half of the flows share a cable.
        """
        flows = cell.pairs if cell.kind == "pingpong" else cell.flows
        rates = dict(zip(flows, self._fabric.share(self.find_path(routing, flow) for flow in flows)))
        group_of = {name: number for number, group in enumerate(cell.groups) for name in group}
        slowest: dict[int, float] = {}
        for (source, _), rate in rates.items():
            slowest[group_of[source]] = min(rate, slowest.get(group_of[source], rate))
        links: float = statistics.median(slowest.values()) / self._mbps * (4 if cell.kind == "exchange" else 1)
        return links * MBPS * 1e6 / 8 * PAYLOAD / FRAME


class Bench:
    """Runs all cells. Ranks are on nodes in an order drawn with SEED, except in cells "in rank order".

    The design orders nodes by the switch of NIC 0, so neighbors in rank order share a tree switch, by which a ring
    hardly crosses an uplink. That is the best case of a tree, and no property of the network.
    """

    def __init__(self, network: Lab, model: Model) -> None:
        self.network, self.model, self.measured = network, model, Measured()
        self.in_order = tuple(network.names)
        self.shuffled = tuple(random.Random(SEED).sample(network.names, len(network.names)))

    def list_cells(self) -> Iterator[Cell]:
        yield Cell("stream", 2, False, self.shuffled)
        for together in (False, True):
            yield Cell("pingpong", 2, together, self.shuffled)
            yield from (Cell("exchange", group, together, self.shuffled) for group in GROUPS)
        yield from (Cell("exchange", group, True, self.in_order) for group in IN_RANK_ORDER)

    def list_fair_cells(self) -> Iterator[Cell]:
        yield from (Cell("exchange", group, True, self.shuffled) for group in BY_FLOW)
        yield from (Cell("phase", max(GROUPS), True, self.shuffled, phase) for phase in PHASES)

    def run(self) -> Measured:
        network = self.network
        network.order_all(network.names, "announce")
        before = network.read_uplinks()
        self._run_all(FLAT, self.list_cells())
        self.measured.frames_of_flat += self._count_frames_since(before)
        network.apply(TREE)
        self._run_all(TREE, self.list_cells())
        network.apply(FLAT)
        time.sleep(REST)
        before = network.read_uplinks()
        self._run_all(BACK, [Cell("exchange", max(GROUPS), True, self.shuffled)])
        for cell in self.list_fair_cells():
            network.separate_flows(list_neighbors(cell))
            self._run_all(FAIR, [cell])
        self.measured.frames_of_flat += self._count_frames_since(before)
        return self.measured

    def _count_frames_since(self, before: Counts) -> int:
        return sum(frames for _, frames in subtract(self.network.read_uplinks(), before).values())

    def _run_all(self, routing: str, cells: Iterable[Cell]) -> None:
        for cell in cells:
            result = self._run(cell, COUNT[routing])
            self.measured.results[routing, cell] = result
            where = "" if cell.ranks is self.shuffled else ", in rank order"
            where += f", phase {cell.phase}" if cell.kind == "phase" else ""
            print(
                f"  {routing}: {cell.kind}, groups of {cell.group}, {'Multi' if cell.together else 'One'}{where}: "
                f"{result.median / 1e6:.3f} MB/s, at least {result.slowest / 1e6:.3f}, {result.frames} frames on "
                f"uplinks, {result.idle:.0%} idle",
                flush=True,
            )

    def _run(self, cell: Cell, seconds: float) -> Result:
        network = self.network
        orders = self.list_orders(cell)
        network.order(orders)
        network.order_all(orders, "run", answers=False)
        time.sleep(WARM)
        network.order_all(orders, "mark")
        before, idle = network.read_uplinks(), Idle()
        time.sleep(seconds)
        after, idle_share = network.read_uplinks(), idle.measure()
        answers = network.order_all(orders, "stop")
        network.order_all(orders, "close")
        time.sleep(REST)
        return self._evaluate(cell, answers, subtract(after, before), idle_share)

    def list_orders(self, cell: Cell) -> dict[str, dict[str, Any]]:
        """The orders that make the connections of a cell, by node."""
        addresses = self.network.addresses
        to: dict[str, list[str]] = {name: [] for pair in cell.pairs for name in pair}
        from_: dict[str, list[str]] = {name: [] for name in to}
        for one, other in cell.pairs:
            to[one].append(addresses[other])
            from_[other].append(addresses[one])
        same = {"do": "connect", "kind": cell.kind, "bytes": BYTES}
        return {name: {**same, "to": to[name], "from": from_[name]} for name in to}

    def _evaluate(self, cell: Cell, answers: dict[str, dict[str, Any]], uplinks: Counts, idle: float) -> Result:
        names = {address: name for name, address in self.network.addresses.items()}
        crossing: dict[Edge, int] = {}
        for name, answer in answers.items():
            for peer, octets in answer["received"].items():
                for edge in self.model.list_uplinks((names[peer], name)):
                    crossing[edge] = crossing.get(edge, 0) + octets
        # A flow in one direction counts at its receiver; elsewhere a node sends as much as it receives.
        receivers = [other for _, other in cell.pairs] if cell.kind in ONE_WAY else list(answers)
        times = 1 if cell.kind in ONE_WAY else 2
        rates = {name: times * sum(answers[name]["received"].values()) / answers[name]["seconds"] for name in receivers}
        return Result(rates, crossing, uplinks, idle)


def list_neighbors(cell: Cell) -> dict[str, list[str]]:
    """The nodes with which each node of a cell exchanges messages or acknowledgements."""
    neighbors: dict[str, list[str]] = {}
    for one, other in (*cell.pairs, *((other, one) for one, other in cell.pairs)):
        if other not in neighbors.setdefault(one, []):
            neighbors[one].append(other)
    return neighbors
