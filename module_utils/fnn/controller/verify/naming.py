# SPDX-License-Identifier: GPL-3.0-or-later
"""Which switch of the design an observed group of NICs is: an assignment with capacities and media.

A name is worth as many cables as are right under it: nodes of the group that the design has on that switch, by a NIC of
the same medium. Within a node any NIC of a medium may serve any of its links, so nodes count, not NICs. Every cable
that is not right costs one move, so the linear assignment of greatest worth (Kuhn 1955) leaves the fewest moves. Where
that is a tie, sizes of groups and switches decide, then the numbers of NICs, then that a group hears no strangers: of
two cables that are alone, the one that leads into another network is rather the misplaced one. A group of NICs that
the design leaves unused, such as those in the house LAN, has a name only where no other group takes it, and none when
it hears strangers.

A group can only be a switch with enough ports, in all and of each medium:

    RED  has 5 ports for nodes, BLUE 4; k00's cable belongs to RED and k09's to BLUE, and they are swapped
    group 0  5 cables, 4 of them of RED      named BLUE it would need one move less, but has one cable too many

Three limits are known, the strictest first:

    FOR_NODES   ports less those that are reserved for the uplink
    ALL_PORTS   a cable may be in a reserved port by mistake, as long as no uplink cable is known to be in there
    ANY_SIZE    switches that a stray cable joins are one group, larger than any of them

A wider limit is used only where a group would have no name, or more than four times as many cables would be wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from .model import Cable, Wiring

FOR_NODES, ALL_PORTS, ANY_SIZE = LIMITS = 0, 1, 2
MUCH = 4  # a cable in a reserved port is told rather than more than so many moves
FORBIDDEN = 1e14  # more than all names are worth, and an integer of a float

Matrix = NDArray[np.float64]


class Naming:
    """uplinked: groups whose switch is known to be plugged into the uplink switch.

    Of each group, planned: whether a NIC that the design uses is in it; strange: whether it hears strangers.
    """

    def __init__(self, cables: list[Cable], wiring: Wiring, uplinked: Collection[int] = ()) -> None:
        self.wiring = wiring
        self.switches = list(wiring.members)
        self.plugs: dict[int, Counter[str]] = defaultdict(Counter)
        for cable in cables:
            if cable.group is not None:
                self.plugs[cable.group][wiring.medium(cable)] += 1
        self.groups = sorted(self.plugs)
        self.uplinked = frozenset(uplinked)
        used = {(node, nic) for node, wants in wiring.wants.items() for nic, _ in wants}
        self.planned = self.mark({cable.group for cable in cables if (cable.node, cable.nic) in used})
        self.strange = self.mark({cable.group for cable in cables if cable.strangers})
        self.right, self.worth = self.weigh(cables)
        self.fits = {limit: self.find_fitting(limit) for limit in LIMITS}
        self.is_complete = sum(map(len, wiring.wants.values())) == sum(cable.group is not None for cable in cables)

    def weigh(self, cables: list[Cable]) -> tuple[Matrix, Matrix]:
        """Group x switch: the cables that are right, and the same with what decides between equals."""
        rows = {group: index for index, group in enumerate(self.groups)}
        columns = {switch: index for index, switch in enumerate(self.switches)}
        right, own = np.zeros((len(rows), len(columns))), np.zeros((len(rows), len(columns)))
        counted = set()
        for cable in cables:
            for nic, switch in self.wiring.wants[cable.node] if cable.group is not None else ():
                place = rows[cable.group or 0], columns[switch]
                if self.wiring.media[cable.node, nic] == self.wiring.medium(cable):
                    # Two NICs of a node in one group count once: only one of them can be right.
                    right[place] += (cable.node, *place) not in counted
                    counted.add((cable.node, *place))
                    own[place] += nic == cable.nic
        members = [len(self.wiring.members[switch]) for switch in columns]
        sizes = np.minimum.outer([float(self.size(group)) for group in rows], members)
        unit = len(cables) + 1.0  # more than all sizes together, as well as all NICs
        worth = (right * unit + sizes) * unit + own - self.strange[:, np.newaxis] / 2
        worth[~self.planned] /= unit**3
        return right, worth

    def mark(self, groups: Collection[int | None]) -> NDArray[np.bool_]:
        return np.array([group in groups for group in self.groups], dtype=bool)

    def size(self, group: int) -> int:
        return sum(self.plugs[group].values())

    def find_fitting(self, limit: int) -> NDArray[np.bool_]:
        fits = [[self.has_room(group, switch, limit) for switch in self.switches] for group in self.groups]
        # With the uplinks in, strangers of the house are heard everywhere.
        foreign = self.strange & ~self.planned if not self.uplinked else np.zeros_like(self.strange)
        return np.array(fits, dtype=bool).reshape(len(self.groups), len(self.switches)) & ~foreign[:, np.newaxis]

    def has_room(self, group: int, switch: str, limit: int) -> bool:
        if limit == ANY_SIZE:
            return True
        ports, plugs = self.wiring.ports[switch], self.plugs[group]
        room = self.wiring.room[switch] if limit == FOR_NODES else sum(ports.values()) - (group in self.uplinked)
        return sum(plugs.values()) <= room and all(count <= ports.get(medium, 0) for medium, count in plugs.items())

    def choose(self, limit: int) -> tuple[dict[int, str], list[int]]:
        """Group -> switch, and the groups with more cables than their switch has ports for nodes."""
        named = self.assign(limit)
        overfull = [self.groups[row] for row, column in named.items() if not self.fits[FOR_NODES][row, column]]
        return {self.groups[row]: self.switches[column] for row, column in named.items()}, overfull

    def choose_feasible(self) -> dict[int, str]:
        """The naming of the strictest limit. A wider one replaces it that leaves fewer groups without a name, or so
        much fewer moves that a cable in a reserved port explains them better."""
        best = self.assign(FOR_NODES)
        for limit in (ALL_PORTS, ANY_SIZE):
            wider = self.assign(limit)
            if self.count_named(wider) > self.count_named(best) or MUCH * self.count_wrong(wider) < self.count_wrong(
                best
            ):
                best = wider
        return {self.groups[row]: self.switches[column] for row, column in best.items()}

    def count_named(self, named: dict[int, int]) -> int:
        """A cable by itself is no group."""
        return sum(self.size(self.groups[row]) > 1 for row in named)

    def count_wrong(self, named: dict[int, int]) -> float:
        """Cables; each is a move."""
        return sum(map(self.size, self.groups)) - sum(float(self.right[place]) for place in named.items())

    def assign(self, limit: int) -> dict[int, int]:
        """Row -> column. While every cable of the design is plugged in somewhere, a group that fits no other switch is
        one of those that are left, even if that makes no cable right."""
        fits = self.fits[limit] & (self.is_complete | (self.right > 0))
        worth = np.where(fits, self.worth, -FORBIDDEN if self.is_complete else 0.0)
        return {int(i): int(j) for i, j in zip(*linear_sum_assignment(worth, maximize=True)) if fits[i, j]}
