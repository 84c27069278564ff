# SPDX-License-Identifier: GPL-3.0-or-later
"""The rival where links differ in speed: OR-tools CP-SAT, with one worker, for the same goals in the same order.

    python -m bench.cpsat_speeds SPEC SECONDS

One Boolean per node, class of its NICs, switch and group of ports (`cables`), one per node, switch and speed for a link
of at least that speed (`at_least`), and one per pair, switch and speed for two such links. Solves three times: for the
worst pair, then for the NICs at full speed, then for the sum of the bandwidths of all pairs. That sum needs no pairs:
with n links of at least a speed on a switch, n(n-1)/2 pairs have it. Answers with one JSON object.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any

from ortools.sat.python import cp_model

Kind = tuple[str, int]  # media and Mb/s


class Model:
    """The wirings of a spec whose NICs and ports are lists of objects, and their measures in units of Mb/s."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.model = cp_model.CpModel()
        self.nics = [Counter((nic["media"], nic["speed_mbps"]) for nic in node["nics"]) for node in spec["nodes"]]
        self.ports = [_count_ports(switch) for switch in spec["switches"]]
        self.usable = [
            sum(ports.values()) - switch.get("reserved", 0) for switch, ports in zip(spec["switches"], self.ports)
        ]
        kinds = {nic for nics in self.nics for nic in nics}
        groups = {group for ports in self.ports for group in ports}
        self.speeds = sorted({min(nic[1], port[1]) for nic in kinds for port in groups if nic[0] == port[0]})
        self.unit = math.gcd(*self.speeds)
        self.steps = [high - low for low, high in zip([0, *self.speeds], self.speeds)]
        self.cables: dict[tuple[int, Kind, int, Kind], Any] = {}
        self.at_least: dict[tuple[int, int, int], Any] = {}
        self._plug()
        self.bandwidths = [self._bandwidth(a, b) for a, b in itertools.combinations(range(len(self.nics)), 2)]
        everything = sum(self.steps) * max(map(len, map(list, self.nics)), default=1) * 8
        self.worst = self.model.new_int_var(0, everything // self.unit, "worst")
        for bandwidth in self.bandwidths:
            self.model.add(self.worst <= bandwidth)
        self.full = sum(cable for (_, nic, _, port), cable in self.cables.items() if port[1] >= nic[1])

    def _plug(self) -> None:
        for node, switch in itertools.product(range(len(self.nics)), range(len(self.ports))):
            here = {
                (nic, port): self.model.new_bool_var(f"x{node}.{nic}.{switch}.{port}")
                for nic in self.nics[node]
                for port in self.ports[switch]
                if nic[0] == port[0]
            }
            self.cables.update({(node, nic, switch, port): cable for (nic, port), cable in here.items()})
            self.model.add_at_most_one(here.values())
            for index, speed in enumerate(self.speeds):
                fast = [cable for (nic, port), cable in here.items() if min(nic[1], port[1]) >= speed]
                link = self.at_least[node, switch, index] = self.model.new_bool_var(f"l{node}.{switch}.{speed}")
                self.model.add(link == sum(fast))
        for node, nics in enumerate(self.nics):
            for nic, count in nics.items():
                self.model.add(sum(x for key, x in self.cables.items() if key[:2] == (node, nic)) <= count)
        for switch, ports in enumerate(self.ports):
            self.model.add(sum(x for key, x in self.cables.items() if key[2] == switch) <= self.usable[switch])
            for port, count in ports.items():
                self.model.add(sum(x for key, x in self.cables.items() if key[2:] == (switch, port)) <= count)

    def _bandwidth(self, a: int, b: int) -> Any:
        terms = []
        for switch, (index, step) in itertools.product(range(len(self.ports)), enumerate(self.steps)):
            both = self.model.new_bool_var(f"b{a}.{b}.{switch}.{index}")
            self.model.add_implication(both, self.at_least[a, switch, index])
            self.model.add_implication(both, self.at_least[b, switch, index])
            terms.append(both * (step // self.unit))
        return sum(terms)

    def total(self) -> Any:
        """The sum of the bandwidths of all pairs."""
        terms = []
        nodes = range(len(self.nics))
        pairs = [n * (n - 1) // 2 for n in range(len(self.nics) + 1)]
        for switch, (index, step) in itertools.product(range(len(self.ports)), enumerate(self.steps)):
            count = self.model.new_int_var(0, min(len(self.nics), self.usable[switch]), f"n{switch}.{index}")
            self.model.add(count == sum(self.at_least[node, switch, index] for node in nodes))
            sharing = self.model.new_int_var(0, pairs[-1], f"q{switch}.{index}")
            self.model.add_element(count, pairs, sharing)
            terms.append(sharing * (step // self.unit))
        return sum(terms)


def solve(spec: dict[str, Any], limit: float) -> dict[str, Any]:
    """Worst pair and mean in Gb/s, NICs below their speed, and whether all three are proved; or found: false."""
    deadline = time.monotonic() + limit
    known = Model(spec)
    optimal = True
    values: list[int] = []
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    for goal in (known.worst, known.full, known.total()):
        known.model.maximize(goal)
        solver.parameters.max_time_in_seconds = max(0.1, deadline - time.monotonic())
        status = solver.solve(known.model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return {"found": False, "optimal": status == cp_model.INFEASIBLE}
        optimal = optimal and status == cp_model.OPTIMAL
        values.append(round(solver.value(goal)))
        known.model.add(goal >= values[-1])
        known.model.clear_hints()
        for cable in (*known.cables.values(), *known.at_least.values()):
            known.model.add_hint(cable, solver.value(cable))
    worst, full, total = values
    nics = sum(nics.total() for nics in known.nics)
    return {
        "found": worst > 0,
        "optimal": optimal,
        "worst": worst * known.unit / 1000,
        "below": nics - full,
        "mean": total * known.unit / 1000 / len(known.bandwidths),
    }


def _count_ports(switch: dict[str, Any]) -> Counter[Kind]:
    ports: Counter[Kind] = Counter()
    for group in switch["ports"]:
        ports[group["media"], group["speed_mbps"]] += group["count"]
    return ports


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spec", type=Path)
    parser.add_argument("seconds", type=float)
    chosen = parser.parse_args()
    print(json.dumps(solve(json.loads(chosen.spec.read_text()), chosen.seconds)))


if __name__ == "__main__":
    main()
