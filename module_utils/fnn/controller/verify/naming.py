# SPDX-License-Identifier: GPL-3.0-or-later
"""How well each observed group of NICs fits each switch of the design, and the names that need the fewest moves.

The value of a name is the number of correct cables under it: nodes of the group that the design has on that switch, by
a NIC of the same kind. Nodes count, not NICs, because any NIC of a kind may serve any such link of its node. Every
incorrect cable costs one move, so the linear assignment of maximum value (Kuhn 1955) needs the fewest moves.

This holds where cables are only permuted: all have carrier, and there is one group for each switch. Where something is
dead, split, joined, silent or off, explain.py weighs the moves against those faults, with the same matrices.

The sizes of groups and switches break ties, then the NIC numbers, then the absence of strangers: of two single cables,
the one that leads into another network is more likely misplaced.

A group fits only a switch with enough ports, in total and of each medium:

    RED  has 5 ports for nodes, BLUE 4; k00's cable belongs to RED and k09's to BLUE, and they are swapped
    group 0  5 cables, 4 of them of RED      named BLUE it would need one move less, but has one cable too many

There are two limits:

    FOR_NODES   ports minus those reserved for the uplink
    ALL_PORTS   a cable may be in a reserved port by mistake, unless a known uplink cable takes that port

The wider limit applies only if a group would have no name, or more than four times as many cables would be wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from .cables import Key, ObservedCable
from .hearing import Grouping
from .model import Wiring

FOR_NODES, ALL_PORTS = LIMITS = 0, 1
MUCH = 4  # a wider limit must leave fewer wrong cables by more than this factor
FORBIDDEN = 1e14  # exceeds the value of all names, and is exact as a float

Matrix = NDArray[np.float64]


class Naming:
    """grouped: the cables in groups of several, each with its group. nodes: group -> node -> its NICs in the group.
    uplinked: groups whose switch is known to be plugged into the uplink switch.

    right, own: group x switch, the number of correct cables, and of those by their designed NIC. planned: whether each
    group contains a NIC that the design uses. strange: whether each group hears strangers.
    """

    def __init__(self, cables: Sequence[ObservedCable], grouping: Grouping, wiring: Wiring) -> None:
        self.wiring = wiring
        self.switches = list(wiring.members)
        sizes = Counter(grouping.numbers.values())
        numbers = {key: group for key, group in grouping.numbers.items() if sizes[group] > 1}
        self.grouped = [(cable, numbers[cable.key]) for cable in cables if cable.key in numbers]
        self.plugs: dict[int, Counter[str]] = defaultdict(Counter)
        self.nodes: dict[int, dict[str, list[Key]]] = defaultdict(lambda: defaultdict(list))
        for cable, group in self.grouped:
            self.plugs[group][wiring.medium(cable)] += 1
            self.nodes[group][cable.node].append(cable.key)
        self.groups = sorted(self.plugs)
        self.uplinked = grouping.uplinked
        self.planned = self.mark({group for cable, group in self.grouped if cable.key in wiring.wanted})
        self.strange = self.mark({group for cable, group in self.grouped if cable.strangers})
        self.right, self.own = self.count_right()
        self.fits = {limit: self.find_fitting(limit) for limit in LIMITS}

    def count_right(self) -> tuple[Matrix, Matrix]:
        rows = {group: index for index, group in enumerate(self.groups)}
        columns = {switch: index for index, switch in enumerate(self.switches)}
        right, own = np.zeros((len(rows), len(columns))), np.zeros((len(rows), len(columns)))
        counted = set()
        for cable, group in self.grouped:
            for nic, switch in self.wiring.list_wants(cable.node, self.wiring.kind(cable)):
                place = rows[group], columns[switch]
                # Two NICs of a node in one group count once: only one of them can be correct.
                right[place] += (cable.node, *place) not in counted
                counted.add((cable.node, *place))
                own[place] += nic == cable.nic
        return right, own

    def weigh(self) -> Matrix:
        """The number of correct cables with all tie-breakers."""
        members = [len(self.wiring.members[switch]) for switch in self.switches]
        sizes = np.minimum.outer([float(self.size(group)) for group in self.groups], members)
        unit = len(self.grouped) + 1.0  # exceeds the sum of all sizes and the number of NICs
        return (self.right * unit + sizes) * unit + self.own - self.strange[:, np.newaxis] / 2

    def mark(self, groups: Collection[int]) -> NDArray[np.bool_]:
        return np.array([group in groups for group in self.groups], dtype=bool)

    def size(self, group: int) -> int:
        return sum(self.plugs[group].values())

    def find_fitting(self, limit: int) -> NDArray[np.bool_]:
        fits = [[self.has_room(group, switch, limit) for switch in self.switches] for group in self.groups]
        # With the uplinks in, NICs of every switch hear strangers of the house LAN.
        foreign = self.strange & ~self.planned if not self.uplinked else np.zeros_like(self.strange)
        return np.array(fits, dtype=bool).reshape(len(self.groups), len(self.switches)) & ~foreign[:, np.newaxis]

    def has_room(self, group: int, switch: str, limit: int) -> bool:
        ports, plugs = self.wiring.ports[switch], self.plugs[group]
        room = self.wiring.room[switch] if limit == FOR_NODES else sum(ports.values()) - (group in self.uplinked)
        return sum(plugs.values()) <= room and all(count <= ports.get(medium, 0) for medium, count in plugs.items())

    def choose_fewest_moves(self) -> tuple[list[dict[int, str]], float, float]:
        """Group -> switch under the strictest limit, perhaps a second such naming of the same value, the moves, and the
        cables that are right only in the place of another one of their node. The wider limit replaces it if fewer
        groups stay without a name, or if so many fewer moves remain that a cable in a reserved port is the better
        explanation."""
        limit, best, wider = FOR_NODES, self.assign(FOR_NODES), self.assign(ALL_PORTS)
        if len(wider) > len(best) or MUCH * self.count_wrong(wider) < self.count_wrong(best):
            limit, best = ALL_PORTS, wider
        names = [
            {self.groups[row]: self.switches[column] for row, column in each.items()}
            for each in (best, *self.exchange(best, limit))
        ]
        renamed = sum(float(self.right[place] - self.own[place]) for place in best.items())
        return names, self.count_wrong(best), renamed

    def exchange(self, named: Mapping[int, int], limit: int) -> list[dict[int, int]]:
        """The first naming of the same value that differs in two groups, which have exchanged their names. Where cables
        join nodes there is none: it makes no difference which ends move."""
        if self.wiring.direct:
            return []
        worth, fits = self.weigh(), self.fits[limit]
        for (one, here), (other, there) in combinations(named.items(), 2):
            same = worth[one, here] + worth[other, there] == worth[one, there] + worth[other, here]
            if same and fits[one, there] and fits[other, here]:
                return [{**named, one: there, other: here}]
        return []

    def count_wrong(self, named: Mapping[int, int]) -> float:
        """Counts incorrect cables; each needs one move."""
        return len(self.grouped) - sum(float(self.right[place]) for place in named.items())

    def assign(self, limit: int) -> dict[int, int]:
        """Row -> column. A group that fits no other switch takes one of the remaining names, even if no cable is
        correct under it."""
        fits = self.fits[limit] & self.planned[:, np.newaxis]
        worth = np.where(fits, self.weigh(), -FORBIDDEN)
        return {int(i): int(j) for i, j in zip(*linear_sum_assignment(worth, maximize=True)) if fits[i, j]}
