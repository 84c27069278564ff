# SPDX-License-Identifier: GPL-3.0-or-later
"""One explanation for all that the NICs hear: the fewest faults that lead from the design to the observation.

The observation is a partition: groups of NICs that hear each other, silent NICs (carrier, but no frames in either
direction), and NICs without carrier. A rule for each kind of fault explains that kind alone; where two kinds meet, one
rule takes what belongs to the other. Example, with RED without power and one blocked port on BLUE:

    design     RED = k0 k1 k2 k3     BLUE = k0 k1 k4 k5     GREEN = k2 k3 k4 k5
    observed   {k1.1 k4.0 k5.0}  {k2.1 k3.1 k4.1 k5.1}  k0.1 silent    k0.0 k1.0 k2.0 k3.0 without carrier
    wrong      RED is the group {k0.1}; so k0's cables are crossed, and three others are missing
    right      RED has no power (1.2), k0.1 passes nothing (1)

So all faults compete in one 0-1 integer program, which HiGHS solves (Huangfu and Hall 2018). It has variables for
groups and switches, not for cables, as the cost of cables adds up per group and switch:

    y[g, s]    group g is switch s, or a part of it; benefit: the cables that are right under that name
    r[n]       cables of node n are right only because its NICs may take each other's place, RENAMED
    parts[s]   groups beyond the first that are s, SPLIT each: the switch passes nothing between them
    more[g]    switches beyond the first that are g, JOINED each: a cable joins them. Then each node counts as often as
               it has cables in g (k[n, g]), so a group without such nodes is one switch
    off[s]     s has no power, or hung[s], it passes nothing, DEAD each; no group is s then. z[n]: cables of node n that
               this explains: as many as it has without carrier, or silent, and no more than its dead switches
    alone[s]   the one NIC of s that is heard by none, without any other NIC there to hear it, is no fault

Each other cable costs one: a move, a plug, or a search for what blocks it. Faults of switches cost more than one cable
and less than two: two explained cables are the least evidence for them. Swapped NICs of a node are as likely as one
wrong cable. They count nothing where NIC numbers prove nothing, as most NICs are renamed anyway.

Where cables are only permuted, the moves alone decide (naming.py): no other explanation leaves fewer. The program
would take a split switch and two joined ones instead of three moves, as they cost less. Where most NICs have no
carrier, people are still plugging in cables: then an empty NIC shows nothing about the names, and a switch without any
is taken for dead.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import coo_array

from .cables import Key, ObservedCable
from .hearing import Grouping
from .model import Wiring
from .naming import ALL_PORTS, FOR_NODES, Naming

DEAD, SPLIT, JOINED, RENAMED = 1.2, 1.4, 1.4, 1.02
RENAMED_BETWEEN = 0.98  # where cables join nodes: a NIC in a wrong cable leaves the right one without its end
STRANGE = 0.5  # a cable in a group that hears strangers: its group is rather a foreign network than a switch
RESERVED = 3.5  # a cable in a port that is reserved for an uplink; see naming.MUCH
SMALL = 300  # variables; of larger programs no second solution is sought, as that takes long
FEW = 4  # a price at which permuted cables need no other explanation, and a split and joined switches no proof
TIE = 1e-3  # decides between explanations of one price


@dataclass(frozen=True)
class Explanation:
    """among: group -> the switches that it is; none for one on no planned switch. off: switches without power. hung:
    switches that pass no frames. alone: silent NIC -> its switch, without any other NIC there that could hear it."""

    among: Mapping[int, tuple[str, ...]]
    off: frozenset[str] = frozenset()
    hung: frozenset[str] = frozenset()
    alone: Mapping[Key, str] = field(default_factory=dict)

    @property
    def hidden(self) -> dict[str, str]:
        """Switch -> the switch whose group contains its cables."""
        return {other: host for host, *others in self.among.values() for other in others}


@contextmanager
def without_output() -> Iterator[None]:
    """Discard what C code writes to standard output: HiGHS prints a line for some programs despite its options."""
    sys.stdout.flush()
    kept, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


class Program:
    """A mixed 0-1 program to minimize."""

    def __init__(self) -> None:
        self.variables: list[tuple[float, float, bool]] = []  # cost, upper bound, whether it is integral
        self.entries: list[tuple[int, int, float]] = []
        self.most: list[float] = []

    def add(self, cost: float, upper: float = 1, integral: bool = True) -> int:
        self.variables.append((cost, upper, integral))
        return len(self.variables) - 1

    def limit(self, plus: Iterable[int], minus: Iterable[int], most: float) -> None:
        """sum(plus) - sum(minus) <= most"""
        row = len(self.most)
        self.entries += [(row, column, 1.0) for column in plus]
        self.entries += [(row, column, -1.0) for column in minus]
        self.most.append(most)

    def solve(self) -> tuple[set[int], float] | None:
        """The variables that are more than a half, and the cost; None if the limits exclude all."""
        rows, columns, values = (np.array(each) for each in zip(*self.entries))
        costs, upper, integral = (np.array(each) for each in zip(*self.variables))
        matrix = coo_array((values, (rows, columns)), shape=(len(self.most), len(costs))).tocsr()
        limits = LinearConstraint(matrix, -np.inf, np.array(self.most))
        options = {"mip_rel_gap": 0.0}
        with without_output():
            found = milp(costs, constraints=limits, integrality=integral, bounds=Bounds(0, upper), options=options)
        return None if found.x is None else ({*np.flatnonzero(found.x > 0.5).tolist()}, float(found.fun))


def explain(cables: Sequence[ObservedCable], grouping: Grouping, wiring: Wiring) -> list[Explanation]:
    """One explanation, or two with the same price."""
    naming = Naming(cables, grouping, wiring)
    explainer = Explainer(naming, cables, grouping)
    is_each_grouped = wiring.wanted.keys() <= {cable.key for cable, _ in naming.grouped}
    if not is_each_grouped or naming.planned.sum() != len(naming.switches):
        return explainer.explain()
    namings, moves, renamed = naming.choose_fewest_moves()
    permuted = [Explanation({group: (name,) for group, name in names.items()}) for names in namings]
    if moves + explainer.price * renamed / 2 <= FEW:
        return permuted
    # As many groups as switches may also be a split switch and two joined ones.
    other = explainer.explain()
    price = explainer.cost + len(naming.grouped)
    return other if other[0].hidden and (price <= FEW or 3 * price < 2 * moves) else permuted


class Explainer:
    """The integer program of one observation."""

    def __init__(self, naming: Naming, cables: Sequence[ObservedCable], grouping: Grouping) -> None:
        self.naming, self.wiring, self.program, self.cost = naming, naming.wiring, Program(), 0.0
        self.wanted = self.wiring.wanted
        self.observed = {cable.node for cable in cables}
        self.renamed: dict[str, int] = {}
        self.price = self.price_renamed()
        self.y: dict[tuple[int, int], int] = {}
        self.joined: set[int] = set()
        self.off: dict[str, int] = {}
        self.hung: dict[str, int] = {}
        self.alone: dict[str, dict[int, Key]] = defaultdict(dict)
        self.unplugged = [each for each in cables if each.present and not each.carrier and each.key in self.wanted]
        self.is_unfinished = 2 * len(self.unplugged) > sum(each.key in self.wanted for each in cables)
        untraced = [cable for cable in cables if not cable.has_trace and cable.key not in grouping.unsure]
        self.silent = [cable for cable in untraced if grouping.passes.get(cable.key) == "none"]
        grouped = {cable for cable, _ in naming.grouped}
        self.single = [cable for cable in untraced if cable.key in grouping.numbers and cable not in grouped]

    def explain(self) -> list[Explanation]:
        self.add_names()
        self.add_dead()
        self.limit_switches()
        best = self.program.solve() if self.program.most else None
        if best is None:
            return [self.read(())]
        chosen, self.cost = best
        states = {*self.y.values(), *self.off.values(), *self.hung.values(), *chain(*self.alone.values())}
        self.program.limit(chosen & states, states - chosen, len(chosen & states) - 1)
        # In large clusters the names of switches are distinct, and a second search takes seconds. Where cables join
        # nodes, it makes no difference which ends move.
        is_worth_it = self.cost < 0 and len(self.program.variables) <= SMALL and not self.wiring.direct
        other = self.program.solve() if is_worth_it else None
        if other is None or other[1] > self.cost + TIE / 10:
            return [self.read(chosen)]
        return [self.read(chosen), self.read(other[0])]

    def read(self, chosen: Collection[int]) -> Explanation:
        """The explanation with these variables."""
        among: dict[int, tuple[str, ...]] = {}
        places = [place for place, variable in self.y.items() if variable in chosen]
        for row, column in sorted(places, key=lambda place: -self.naming.right[place]):
            group = self.naming.groups[row]
            among[group] = (*among.get(group, ()), self.naming.switches[column])
        off = {switch for switch, variable in self.off.items() if variable in chosen}
        return Explanation(
            among,
            frozenset(off or (self.list_unplugged(among) if self.is_unfinished and not self.wiring.direct else ())),
            frozenset(switch for switch, variable in self.hung.items() if variable in chosen),
            {key: switch for switch, keys in self.alone.items() for each, key in keys.items() if each in chosen},
        )

    def list_unplugged(self, among: Mapping[int, tuple[str, ...]]) -> list[str]:
        """Switches without a group, most of whose cables have no carrier, at least two."""
        counts = Counter(self.wanted[cable.key] for cable in self.unplugged)
        named = {switch for switches in among.values() for switch in switches}
        return [
            switch
            for switch, count in counts.items()
            if count > 1 and switch not in named and 2 * count > len(self.observed & set(self.wiring.members[switch]))
        ]

    # --- Names ---

    def add_names(self) -> None:
        naming = self.naming
        for row, group in enumerate(naming.groups):
            alone = self.list_candidates(row)
            joined = {each for column in alone for each in self.list_joined(row, column)}
            columns = sorted({*alone, *joined} if joined else (c for c in alone if naming.fits[ALL_PORTS][row, c]))
            self.joined |= {row} if joined else set()
            strange = STRANGE if naming.strange[row] and not naming.uplinked else 0
            for column in columns:
                right, own = naming.right[row, column], naming.own[row, column]
                benefit = (0 if joined else right) - strange * right + TIE * own
                size = min(naming.size(group), len(self.wiring.members[naming.switches[column]]))
                full = 0 if joined or naming.fits[FOR_NODES][row, column] else RESERVED
                self.y[row, column] = self.program.add(full - benefit - TIE * size / (1 + naming.size(group)))
            names = {naming.switches[column]: self.y[row, column] for column in columns}
            more = [self.program.add(JOINED, len(columns), integral=False)] if joined else []
            self.program.limit(names.values(), more, 1)
            for column in columns if joined else ():
                if not naming.fits[ALL_PORTS][row, column]:
                    self.program.limit([self.y[row, column]], more, 0)  # too large for this switch alone
            for node, keys in naming.nodes[group].items():
                own_places = {self.wanted[key] for key in keys if key in self.wanted}
                wants = [switch for _, switch in self.wiring.wants[node] if switch in names]
                for switch in wants:
                    if switch not in own_places:
                        right_anyway = [names[each] for each in own_places if each in names]
                        self.program.limit([names[switch]], [self.rename(node), *right_anyway], 0)
                if joined:
                    fitting = [names[switch] for switch in wants]
                    self.program.limit([self.program.add(-1, len(keys), integral=False)], fitting, 0)

    def rename(self, node: str) -> int:
        """The variable that says that NICs of the node take each other's place."""
        if node not in self.renamed:
            self.renamed[node] = self.program.add(self.price, integral=False)
        return self.renamed[node]

    def list_joined(self, row: int, host: int) -> list[int]:
        """Switches that a group named `host` may be besides, with `host`: for most of the nodes of each, at least two,
        the group has a cable that is not right under that name."""
        naming, name = self.naming, self.naming.switches[host]
        left: Counter[str] = Counter()
        for node, keys in naming.nodes[naming.groups[row]].items() if naming.planned[row] else ():
            wants = {switch for _, switch in self.wiring.wants[node]}
            left.update(wants - {name} if len(keys) > (name in wants) else ())
        found = [
            column
            for column, switch in enumerate(naming.switches)
            if left[switch] > 1 and 2 * left[switch] >= len(self.observed & set(self.wiring.members[switch]))
        ]
        return [host, *found] if found else []

    def price_renamed(self) -> float:
        """Of a node with NICs that are right only in each other's place."""
        rows, columns = linear_sum_assignment(self.naming.own, maximize=True)
        if self.wiring.direct:
            return RENAMED_BETWEEN
        return RENAMED if 2 * self.naming.own[rows, columns].sum() >= len(self.naming.grouped) else TIE

    def list_candidates(self, row: int) -> list[int]:
        """Names under which at least half as many cables are right as under the best name, of the group or the switch.
        In large clusters, few remain."""
        right = self.naming.right
        if not self.naming.planned[row] and self.naming.strange[row]:
            return []
        least = np.minimum(right[row].max(), right.max(axis=0)) / 2
        return [int(column) for column in np.flatnonzero((right[row] > 0) & (right[row] >= least))]

    # --- Dead switches ---

    def add_dead(self) -> None:
        if not self.wiring.direct:
            self.off = self.add_mode([] if self.is_unfinished else self.unplugged)
            self.hung = self.add_mode(self.silent)
        single = Counter(self.wanted.get(cable.key) for cable in self.single)
        for cable in self.single:
            own, places = self.wanted.get(cable.key), []
            for _, switch in self.wiring.list_wants(cable.node, self.wiring.kind(cable)) if own else ():
                is_other = switch != own
                if single[switch] == 1 - is_other and not (is_other and self.wiring.direct):
                    places.append(self.program.add(-1))
                    self.alone[switch][places[-1]] = cable.key
                    if is_other:
                        self.program.limit(places[-1:], [self.rename(cable.node)], 0)
            if places:
                self.program.limit(places, [], 1)

    def add_mode(self, idle: list[ObservedCable]) -> dict[str, int]:
        """Switch -> the variable that says that it is dead. idle: the cables that this explains."""
        planned = [cable for cable in idle if cable.key in self.wanted]
        own = Counter(self.wanted[cable.key] for cable in planned)
        counts = Counter((cable.node, self.wiring.kind(cable)) for cable in planned)
        fitting = {each: self.wiring.list_wants(*each) for each in counts}
        possible = Counter(switch for wants in fitting.values() for _, switch in wants)
        dead = {switch: self.program.add(DEAD - TIE * own[switch]) for switch, count in possible.items() if count > 1}
        idle_keys = {cable.key for cable in planned}
        for (node, kind), count in counts.items():
            wants = [(nic, switch) for nic, switch in fitting[node, kind] if switch in dead]
            for nic, switch in wants:
                if (node, nic) not in idle_keys:
                    self.program.limit([dead[switch]], [self.rename(node)], 0)
            self.program.limit([self.program.add(-1, count, integral=False)], [dead[switch] for _, switch in wants], 0)
        return dead

    # --- Each switch is in one state ---

    def limit_switches(self) -> None:
        rows: dict[int, list[int]] = defaultdict(list)
        for row, column in self.y:
            rows[column].append(row)
        for column, switch in enumerate(self.naming.switches):
            names = [self.y[row, column] for row in rows[column]]
            modes = [mode[switch] for mode in (self.off, self.hung) if switch in mode]
            states = [*modes, *self.alone.get(switch, ())]
            for name in names:
                self.program.limit([name, *states], [], 1)
            if len(states) > 1:
                self.program.limit(states, [], 1)
            if len(names) > 1:
                self.program.limit(names, [self.program.add(SPLIT, len(names), integral=False)], 1)
            for one, other in combinations(rows[column], 2):
                if self.share_nodes(one, other, column):
                    self.program.limit([self.y[one, column], self.y[other, column]], [], 1)

    def share_nodes(self, one: int, other: int, column: int) -> bool:
        """Whether two groups have mostly the same nodes of a switch: a node has one cable there, so they are no parts
        of it."""
        here, there = (self.list_nodes(row, self.naming.switches[column]) for row in (one, other))
        return 2 * len(here & there) >= min(len(here), len(there))

    def list_nodes(self, row: int, switch: str) -> set[str]:
        """The nodes of a switch in a group; where it may be joined, those that are there by their designed NIC."""
        keys = self.naming.nodes[self.naming.groups[row]]
        nodes = set(self.wiring.members[switch]) & keys.keys()
        if row in self.joined:
            return {node for node in nodes if switch in {self.wanted.get(key) for key in keys[node]}}
        return nodes
