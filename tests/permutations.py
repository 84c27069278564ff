# SPDX-License-Identifier: GPL-3.0-or-later
"""Permutations of cables on clusters with unequal switches, the moves that verify reports, and the minimum of moves.

The minimum comes from an integer program that is independent of verify:

    y[g, s]   box g is switch s: each box one, each switch one box; no box has more cables of a medium than s has ports
              of it, nor more cables than s has ports for nodes
    t[c, s]   cable c ends in switch s: one that its node should be on by a NIC of that medium; each of those once
    k[c, s]   cable c stays: k[c, s] <= t[c, s] and k[c, s] <= y[box of c, s]
    maximize  sum of k; every other cable is a move
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Move, Verification
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

Key = tuple[str, int]
Ports = dict[str, int]  # medium -> count

#: Ports of each switch, how many of them are reserved, NICs of a node.
SHAPES: dict[str, tuple[list[Ports], int, list[str]]] = {
    "2 x 6 and 5 x 5 with uplinks": ([{"rj45": 6}] * 2 + [{"rj45": 5}] * 5, 1, ["rj45"] * 3),
    "2 x 6 and 5 x 5": ([{"rj45": 6}] * 2 + [{"rj45": 5}] * 5, 0, ["rj45"] * 3),
    "3 to 8 ports": ([{"rj45": ports} for ports in (3, 4, 4, 5, 6, 7, 8)], 0, ["rj45"] * 3),
    "4 to 9 ports with uplinks": ([{"rj45": ports} for ports in (4, 5, 6, 9)], 1, ["rj45"] * 2),
    "mixed media": ([{"rj45": 4, "sfp": 2}] * 3 + [{"rj45": 6}, {"rj45": 5}, {"sfp": 4}], 0, ["rj45", "rj45", "sfp"]),
    "mixed media with uplinks": ([{"rj45": 5, "sfp": 3}] * 2 + [{"rj45": 6}] * 2 + [{"sfp": 5}], 1, ["rj45", "sfp"]),
}


@dataclass
class Site:
    """plugs: (node, NIC) -> the box its cable is in; boxes are named like switches, but verify does not see it."""

    design: dict[str, Any]
    plugs: dict[Key, str]

    def __post_init__(self) -> None:
        spec = self.design["spec"]
        self.wants = {
            (node["name"], link["nic"]): link["switch"] for node in self.design["nodes"] for link in node["links"]
        }
        self.media = {
            (node["name"], nic): each["media"] for node in spec["nodes"] for nic, each in enumerate(node["nics"])
        }
        self.ports: dict[str, Counter[str]] = defaultdict(Counter)
        for switch in spec["switches"]:
            for group in switch["ports"]:
                self.ports[switch["name"]][group["media"]] += group["count"]
        self.room = {
            each["name"]: sum(self.ports[each["name"]].values()) - each["reserved"] for each in spec["switches"]
        }
        self.macs = {key: f"02:f0:00:00:{rank >> 8:02x}:{rank & 255:02x}" for rank, key in enumerate(self.media)}

    def permute(self, cables: list[Key], chance: random.Random) -> None:
        """Permutes cables within each medium, as a cable fits only a port of its medium."""
        for medium in sorted({self.media[key] for key in cables}):
            own = [key for key in cables if self.media[key] == medium]
            places = [self.plugs[key] for key in own]
            chance.shuffle(places)
            self.plugs.update(zip(own, places))

    def verify(self) -> Verification:
        hears: dict[str, list[str]] = defaultdict(list)
        for key, box in self.plugs.items():
            hears[box].append(self.macs[key])
        nodes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        seen: dict[str, dict[str, Any]] = {}
        for (node, nic), mac in self.macs.items():
            box = self.plugs.get((node, nic))
            known = {"device": f"nic{nic}", "mac": mac}
            facts = {"carrier": box is not None, "speed_mbps": None, "duplex": None, "mtu": 1500}
            others = [each for each in hears[box or ""] if each != mac]
            answer = seen.setdefault(node, {"links": [], "heard": [], "lldp": []})
            answer["links"].append({**known, **facts})
            answer["heard"].append({**known, "hears": others, "loop": False})
            nodes[node].append({"nic": nic, "name": f"nic{nic}", "mac": mac})
        return compare_with_design(
            self.design, {"nodes": [{"name": node, "nics": nics} for node, nics in nodes.items()]}, seen
        )

    # --- Execution ---

    def execute(self, verification: Verification) -> list[Move]:
        """Makes the moves in their order; returns those for which there was no free port of their medium."""
        boxes = self.find_boxes(verification)
        refused = []
        moves = list(verification.moves)
        while moves:
            number = moves[0].exchange
            together = [each for each in moves if number is not None and each.exchange == number] or moves[:1]
            moves = [each for each in moves if each not in together]
            for move in together:
                self.plugs.pop((move.node, move.nic), None)
            for move in together:
                assert move.target is not None
                medium, target = self.media[move.node, move.nic], boxes[move.target]
                taken = self.count_plugged(target)
                full = taken.total() >= self.room[move.target] or taken[medium] >= self.ports[move.target][medium]
                refused += [move] if full else []
                self.plugs[move.node, move.nic] = target
        return refused

    def count_plugged(self, box: str) -> Counter[str]:
        """Cables in a box, by medium."""
        return Counter(self.media[key] for key, plugged in self.plugs.items() if plugged == box)

    def find_boxes(self, verification: Verification) -> dict[str, str]:
        """Switch -> the box that verify takes for it; a switch without one has any box that is left."""
        boxes = {cable.seen: self.plugs[cable.node, cable.nic] for cable in verification.cables if cable.seen}
        left = [name for name in self.room if name not in boxes.values()]
        return {name: boxes.get(name) or left.pop() for name in self.room}

    # --- The minimum of moves ---

    def count_fewest(self) -> int:
        """Raises AssertionError when no assignment of switches to boxes exists."""
        program = Program()
        boxes: dict[str, Counter[str]] = defaultdict(Counter)
        for key, box in self.plugs.items():
            boxes[box][self.media[key]] += 1
        for box, plugged in boxes.items():
            for switch, ports in self.ports.items():
                if plugged.total() <= self.room[switch] and all(n <= ports[medium] for medium, n in plugged.items()):
                    program.add(("y", box, switch))
            program.limit([("y", box, switch) for switch in self.ports], 1, 1)
        for switch in self.ports:
            program.limit([("y", box, switch) for box in boxes], 0, 1)
        for key, box in self.plugs.items():
            links = [link for link in self.wants if link[0] == key[0] and self.media[link] == self.media[key]]
            targets = {self.wants[link] for link in links}
            for switch in targets:
                program.add(("t", key, switch))
                if ("y", box, switch) in program.columns:
                    program.add(("k", key, switch), -1)
                    program.at_most(("k", key, switch), ("t", key, switch))
                    program.at_most(("k", key, switch), ("y", box, switch))
            program.limit([("t", key, switch) for switch in targets], 1, 1)
        for (node, _), switch in self.wants.items():
            program.limit([("t", key, switch) for key in self.plugs if key[0] == node], 1, 1)
        return len(self.plugs) - program.maximize()


class Program:
    """A 0-1 integer program."""

    def __init__(self) -> None:
        self.columns: dict[Any, int] = {}
        self.costs: list[float] = []
        self.rows: list[tuple[list[tuple[int, float]], float, float]] = []

    def add(self, name: Any, cost: float = 0) -> None:
        self.columns[name] = len(self.costs)
        self.costs.append(cost)

    def limit(self, names: list[Any], low: float, high: float) -> None:
        """low <= sum <= high, over the variables that exist."""
        self.rows.append(([(self.columns[name], 1.0) for name in names if name in self.columns], low, high))

    def at_most(self, one: Any, other: Any) -> None:
        self.rows.append(([(self.columns[one], 1.0), (self.columns[other], -1.0)], -1.0, 0.0))

    def maximize(self) -> int:
        entries = [(row, column, value) for row, (terms, _, _) in enumerate(self.rows) for column, value in terms]
        rows, columns, values = (np.array(each) for each in zip(*entries))
        matrix = csr_array((values, (rows, columns)), shape=(len(self.rows), len(self.costs)))
        limits = LinearConstraint(matrix, [low for _, low, _ in self.rows], [high for _, _, high in self.rows])
        found = milp(
            np.array(self.costs), constraints=limits, integrality=np.ones(len(self.costs)), bounds=Bounds(0, 1)
        )
        assert found.success, found.message
        return round(-found.fun)


# --- Clusters ---


def make_site(shape: str, chance: random.Random) -> Site:
    """A random cluster: as many nodes as find ports, at least three on each switch."""
    ports, reserved, nics = SHAPES[shape]
    while True:
        members = place_nodes(ports, reserved, nics, chance)
        if all(len({node for node, _ in each}) > 2 for each in members.values()):
            return Site(*make_design(members, ports, reserved, nics))


def place_nodes(ports: list[Ports], reserved: int, nics: list[str], chance: random.Random) -> dict[str, list[Key]]:
    """Switch -> (node, NIC); sometimes a few ports stay free."""
    room = {f"s{number}": sum(each.values()) - reserved for number, each in enumerate(ports)}
    left = {f"s{number}": dict(each) for number, each in enumerate(ports)}
    members: dict[str, list[Key]] = {switch: [] for switch in room}
    most = chance.choice([9, 12, 99])
    for number in range(most):
        own: dict[str, int] = {}
        for nic, medium in enumerate(nics):
            free = [s for s in room if s not in own and min(room[s] - len(members[s]), left[s].get(medium, 0)) > 0]
            if not free:
                return members
            own[chance.choices(free, [left[s][medium] for s in free])[0]] = nic
        for switch, nic in own.items():
            members[switch].append((f"k{number:02d}", nic))
            left[switch][nics[nic]] -= 1
    return members


def make_design(
    members: dict[str, list[Key]], ports: list[Ports], reserved: int, nics: list[str]
) -> tuple[dict[str, Any], dict[Key, str]]:
    """The parts of the document that verify reads, and the cables as designed."""
    plugs = {key: switch for switch, keys in members.items() for key in keys}
    names = sorted({node for node, _ in plugs})
    kinds = [{"name": None, "speed_mbps": 1000, "media": medium} for medium in nics]
    switches = [
        {
            "name": switch,
            "color": switch,
            "ports": [{"count": count, "speed_mbps": 1000, "media": medium} for medium, count in each.items()],
            "reserved": reserved,
        }
        for switch, each in zip(members, ports)
    ]
    design = {
        "cluster": "chance",
        "spec": {
            "nodes": [{"name": name, "nics": kinds} for name in names],
            "switches": switches,
            "uplink": {"name": "up", "ports": 16, "spares": [], "hosts": []} if reserved else None,
            "mtu": None,
            "coverage": "patterns",
            "redundancy": 1,
        },
        "nodes": [
            {"name": name, "links": [{"nic": nic, "switch": plugs[name, nic]} for nic in range(len(nics))]}
            for name in names
        ],
        "switches": [{"name": switch, "nodes": sorted({node for node, _ in keys})} for switch, keys in members.items()],
    }
    return design, dict(sorted(plugs.items()))


@dataclass
class Result:
    moves: int
    fewest: int
    refused: list[Move]
    verdict: str


def run(site: Site, seed: int) -> Result:
    """Permutes two to twelve cables, executes the moves that verify reports, and verifies again."""
    chance = random.Random(seed)
    keys = sorted(site.plugs)
    site.permute(chance.sample(keys, min(len(keys), chance.randint(2, 12))), chance)
    fewest = site.count_fewest()
    verification = site.verify()
    refused = site.execute(verification)
    return Result(len(verification.moves), fewest, refused, site.verify().verdict)
