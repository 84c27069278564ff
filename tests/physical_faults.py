# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of physical faults for a Cluster (wirings.py), how they are caused, and which findings name them.

A verification is right if it accuses what the faults made, and nothing else. Other faults may give the same
observations (a plug pulled out of a switch without power). So it is also right if the cluster that it describes gives
the observations that it was given, by faults that cost no more than those that were caused (`is_as_good`). On small
designs a brute force over all sets of at most two faults, which asks nothing of verify, shows that none costs less
(`Explanations`).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from ansible.module_utils.fnn.controller.spec.ports import count_ports
from ansible.module_utils.fnn.controller.verify.cables import JudgedCable
from ansible.module_utils.fnn.controller.verify.model import Finding, Verification
from wirings import Cluster, Key

RENAMED = 0.51  # cost of each NIC that has the place of another one of its node
EQUAL = 0.11  # costs that differ by less are equal: no evidence tells a renamed pair of NICs from one moved cable
HOUSE, ECHO, SPARE = "house LAN", "echoing device", "cable between NICs"


@dataclass(frozen=True)
class Fault:
    """cables, switches, nodes: where it is. names: kinds of findings that name it; empty where none is needed. moves:
    cables that a finding may ask to plug elsewhere. cost: of the prices of verify, 0 for what is no fault of a cable.
    """

    kind: str
    cables: tuple[Key, ...] = ()
    switches: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    moves: frozenset[Key] = frozenset()
    cost: float = 1.0
    targets: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = [f"{node}:{nic}" for node, nic in self.cables] + [*self.switches, *self.nodes]
        return " ".join([self.kind, *where, *(f"-> {each}" for each in self.targets)])

    def cause(self, cluster: Cluster) -> None:
        CAUSES[self.kind](cluster, self)


# --- How they are caused ---


def _swap(cluster: Cluster, fault: Fault) -> None:
    cluster.swap(*fault.cables)


def _plug(cluster: Cluster, fault: Fault) -> None:
    target = cluster.boxes.get(fault.targets[0], fault.targets[0]) if fault.targets else None
    cluster.plugs.update(dict.fromkeys(fault.cables, target))


def _to_place(place: str) -> Callable[[Cluster, Fault], None]:
    def cause(cluster: Cluster, fault: Fault) -> None:
        name = " ".join([place, *map(str, fault.cables)])
        cluster.plugs.update(dict.fromkeys(fault.cables, name))
        if place == HOUSE:
            cluster.houses.add(name)
        if place == ECHO:
            cluster.echoing.add(name)

    return cause


def _mark(*sets: str) -> Callable[[Cluster, Fault], None]:
    def cause(cluster: Cluster, fault: Fault) -> None:
        for name in sets:
            boxes = [cluster.boxes.get(each, each) for each in fault.switches]
            getattr(cluster, name).update(fault.cables or boxes or fault.nodes)

    return cause


def _split(cluster: Cluster, fault: Fault) -> None:
    """The ports of a switch are split, whichever NIC of the node is in them."""
    box = cluster.boxes.get(fault.switches[0], fault.switches[0])
    for node, nic in fault.cables:
        in_port = (key for key, place in cluster.plugs.items() if key[0] == node and place == box)
        cluster.parts[next(in_port, (node, nic))] = " part"


def _join(cluster: Cluster, fault: Fault) -> None:
    one, other = (cluster.boxes.get(each, each) for each in fault.switches)
    here = cluster.joined.get(one, one)
    for each in (one, other):
        group = cluster.joined.get(each, each)
        cluster.joined.update({switch: here for switch, at in cluster.joined.items() if at == group})
        cluster.joined[each] = here


def _move_meanwhile(cluster: Cluster, fault: Fault) -> None:
    before = cluster.boxes.get(fault.targets[0], fault.targets[0])
    cluster.before.update(dict.fromkeys(fault.cables, before))


def _permute(cluster: Cluster, fault: Fault) -> None:
    turn = dict(zip(fault.switches, fault.targets, strict=True))
    cluster.plugs = {key: turn.get(place or "", place) for key, place in cluster.plugs.items()}
    cluster.boxes = {name: turn.get(cluster.boxes.get(name, name), name) for name in cluster.list_designed().values()}


CAUSES: Mapping[str, Callable[[Cluster, Fault], None]] = {
    "swap": _swap,
    "cycle": _swap,
    "move": _plug,
    "unplugged": _plug,
    "silent port": _mark("mute", "deaf"),
    "carries nothing to the switch": _mark("mute"),
    "carries nothing to the node": _mark("deaf"),
    "switch without power": _mark("off"),
    "hung switch": _mark("hung"),
    "split switch": _split,
    "ports in another VLAN": _split,
    "switches joined": _join,
    "node off": _mark("silent"),
    "foreign network": _to_place(HOUSE),
    "cable between NICs": _to_place(SPARE),
    "moved meanwhile": _move_meanwhile,
    "permuted switches": _permute,
    "renamed NICs": _swap,
    "echoing device": _to_place(ECHO),
    "tagged port": _mark("tagging"),
}
KINDS = tuple(CAUSES)
#: Faults of labels and places are caused first: the others name cables by where the design has them.
_ORDER = ("permuted switches", "renamed NICs", "swap", "cycle", "move")


def cause_all(design: dict[str, Any], faults: Iterable[Fault]) -> Cluster:
    cluster = Cluster(design)
    for fault in sorted(faults, key=lambda each: _ORDER.index(each.kind) if each.kind in _ORDER else len(_ORDER)):
        fault.cause(cluster)
    return cluster


def is_possible(faults: Faults, cluster: Cluster) -> bool:
    """Whether each switch has a port for each of its cables, and the moved cables had others before."""
    taken = Counter(cluster.plugs.values())
    moved = all(cluster.plugs[key] != before for key, before in cluster.before.items())
    return moved and all(taken[cluster.boxes.get(each, each)] <= faults.room[each] for each in faults.on)


# --- All faults of a kind ---


class Faults:
    """All faults of each kind on a design; of some, a drawn part where there are very many."""

    def __init__(self, design: dict[str, Any], chance: random.Random) -> None:
        self.design, self.chance = design, chance
        whole = Cluster(design)
        self.cables = whole.list_designed()
        self.on: dict[str, list[Key]] = defaultdict(list)
        for cable, switch in self.cables.items():
            self.on[switch].append(cable)
        self.nodes = list(whole.ranks)
        self.at = {node: {switch for key, switch in self.cables.items() if key[0] == node} for node in self.nodes}
        spec = design["spec"]
        self.ports = {each["name"]: count_ports(each) for each in spec["switches"]}
        self.room = {each["name"]: count_ports(each) - each["reserved"] for each in spec["switches"]}
        self.media = {
            (node["name"], nic): each["media"] for node in spec["nodes"] for nic, each in enumerate(node["nics"])
        }

    def list(self, kind: str) -> Sequence[Fault]:
        """In a fixed order."""
        return _list_faults(self, kind)

    def draw(self, one: str, other: str, most: int) -> Iterator[tuple[Fault, Fault]]:
        """Pairs of faults of two kinds: all of them where they are at most `most`, else drawn ones."""
        ones, others = self.list(one), self.list(other)
        if one == other:
            pairs: Sequence[tuple[Fault, Fault]] | None = list(combinations(ones, 2)) if len(ones) < 2000 else None
        else:
            pairs = list(product(ones, others)) if len(ones) * len(others) <= 200_000 else None
        if pairs is None:
            yield from ((self.chance.choice(ones), self.chance.choice(others)) for _ in range(most))
        else:
            yield from pairs if len(pairs) <= most else self.chance.sample(pairs, most)


_MOVES = frozenset({"swap", "cycle", "move", "same-switch", "shifted-node"})
_SINGLE = {
    "unplugged": "missing",
    "silent port": "silent",
    "carries nothing to the switch": "one-way",
    "carries nothing to the node": "one-way",
    "foreign network": "foreign-network",
    "echoing device": "echo",
    "tagged port": "tagged",
}
_CURED_BY_PLUG = ("unplugged", "foreign network", "echoing device")


@cache
def _list_faults(faults: Faults, kind: str) -> Sequence[Fault]:
    return tuple(_LISTS.get(kind, _list_single)(faults, kind))


def _list_single(faults: Faults, kind: str) -> Iterator[Fault]:
    for key in faults.cables:
        yield Fault(kind, (key,), names=frozenset({_SINGLE[kind]}), moves=frozenset([key][: kind in _CURED_BY_PLUG]))


def _list_exchanges(faults: Faults, kind: str) -> Iterator[Fault]:
    for chosen in _choose_cables(faults, 2 if kind == "swap" else 3):
        yield Fault(kind, chosen, names=_MOVES, moves=frozenset(chosen), cost=len(chosen))


def _list_moves(faults: Faults, kind: str) -> Iterator[Fault]:
    for key, switch in product(faults.cables, faults.on):
        if switch != faults.cables[key]:
            yield Fault(kind, (key,), names=_MOVES, moves=frozenset([key]), targets=(switch,))


def _list_meanwhile(faults: Faults, kind: str) -> Iterator[Fault]:
    for key, switch in product(faults.cables, faults.on):
        if switch != faults.cables[key]:
            yield Fault(kind, (key,), names=frozenset({"moved-meanwhile"}), cost=0.9, targets=(switch,))


def _list_dead(faults: Faults, kind: str) -> Iterator[Fault]:
    for switch in faults.on:
        yield Fault(kind, switches=(switch,), names=frozenset({"dead-switch"}), cost=1.2)


def _list_splits(faults: Faults, kind: str) -> Iterator[Fault]:
    for switch in faults.on:
        for part in _choose_parts(faults, kind, switch):
            yield Fault(kind, part, (switch,), names=frozenset({"split-switch", "isolated"}), cost=1.5)


def _list_joined(faults: Faults, kind: str) -> Iterator[Fault]:
    for pair in combinations(faults.on, 2):
        yield Fault(kind, switches=pair, names=frozenset({"switches-joined", "unknown"}), cost=1.5)


def _list_nodes(faults: Faults, kind: str) -> Iterator[Fault]:
    yield from (Fault(kind, nodes=(node,), cost=0) for node in faults.nodes)


def _list_cables_between(faults: Faults, kind: str) -> Iterator[Fault]:
    for pair in combinations(faults.cables, 2):
        if faults.cables[pair[0]] != faults.cables[pair[1]]:
            yield Fault(kind, pair, names=frozenset({"joined-nics"}), moves=frozenset(pair), cost=2)


def _list_permutations(faults: Faults, kind: str) -> Iterator[Fault]:
    first = next(iter(faults.on))
    names = tuple(name for name in faults.on if faults.ports[name] == faults.ports[first])
    for turn in range(1, min(len(names), 4)):
        yield Fault(kind, switches=names, targets=(*names[turn:], *names[:turn]), cost=0)


def _list_renamed(faults: Faults, kind: str) -> Iterator[Fault]:
    for pair in combinations(faults.cables, 2):
        (one, _), (other, _) = pair
        if one == other and faults.media[pair[0]] == faults.media[pair[1]]:
            yield Fault(kind, pair, nodes=(one,), cost=2 * RENAMED)


_LISTS: Mapping[str, Callable[[Faults, str], Iterator[Fault]]] = {
    **dict.fromkeys(("swap", "cycle"), _list_exchanges),
    "move": _list_moves,
    "moved meanwhile": _list_meanwhile,
    **dict.fromkeys(("switch without power", "hung switch"), _list_dead),
    **dict.fromkeys(("split switch", "ports in another VLAN"), _list_splits),
    "switches joined": _list_joined,
    "node off": _list_nodes,
    "cable between NICs": _list_cables_between,
    "permuted switches": _list_permutations,
    "renamed NICs": _list_renamed,
}


def _choose_cables(faults: Faults, number: int) -> Iterator[tuple[Key, ...]]:
    """Cables of different nodes and switches, each of which the next one's switch does not want."""
    most, made = 4000, 0
    every = list(faults.cables)
    choices: Iterable[tuple[Key, ...]] = combinations(every, number)
    if len(every) ** number > 100_000:
        choices = (tuple(faults.chance.sample(every, number)) for _ in range(20 * most))
    for chosen in choices:
        turn = [*chosen[1:], chosen[0]]
        fits = all(
            faults.cables[there] not in faults.at[key[0]] and faults.media[key] == faults.media[there]
            for key, there in zip(chosen, turn, strict=True)
        )
        if fits and len({key[0] for key in chosen}) == number:
            yield chosen
            made += 1
            if made == most:
                return


def _choose_parts(faults: Faults, kind: str, switch: str) -> Iterator[tuple[Key, ...]]:
    """The smaller part; of two halves, that without the first cable."""
    members = faults.on[switch]
    if kind == "ports in another VLAN":
        sizes: Iterable[int] = [2] if len(members) > 4 else []
    else:
        sizes = range(2 if len(members) < 6 else 3, len(members) // 2 + 1)
    for size in sizes:
        every = list(combinations(members, size)) if len(members) <= 10 else []
        parts = every or [tuple(sorted(faults.chance.sample(members, size))) for _ in range(30)]
        yield from (part for part in parts if 2 * size < len(members) or members[0] not in part)


# --- What a verification accuses ---

#: Findings about a whole switch: its cables are witnesses.
OF_SWITCHES = frozenset({"dead-switch", "split-switch", "switches-joined", "isolated", "unknown"})


def list_faults_of_answer(
    faults: Sequence[Fault], verification: Verification, on: Mapping[str, Sequence[Key]]
) -> list[str]:
    """What is wrong with a verification if these faults are the truth; empty for nothing."""
    wrong = []
    cables = {key for fault in faults for key in fault.cables}
    movable = {key for fault in faults for key in fault.moves}
    switches = {switch for fault in faults for switch in fault.switches}
    nodes = {node for fault in faults for node in fault.nodes}
    witnesses = {key for switch in switches for key in on[switch]} | cables
    if extra := {(move.node, move.nic) for move in verification.moves} - movable:
        wrong.append(f"moves right cables {_format(extra)}")
    for finding in verification.findings:
        named = {(cable.node, cable.nic) for cable in finding.cables}
        guilty = witnesses if finding.kind in OF_SWITCHES else cables
        if finding.kind == "crossed":
            guilty = {key for key in named if key[0] in nodes}
        if finding.kind == "relabeled" or (finding.kind == "unknown" and not named):
            continue
        if named & guilty and _names_one_of(finding):
            continue
        if innocent := named - guilty:
            wrong.append(f"{finding.kind} accuses {_format(innocent)}")
    wrong += [f"{fault} is not named" for fault in faults if fault.names and not _is_named(fault, verification, on)]
    return wrong


def _names_one_of(finding: Finding) -> bool:
    """Whether one of its cables is at fault, and the evidence does not show which. Of two NICs on a switch, one that
    sends or receives nothing makes the other hear nothing, too; no carrier shows on each alone."""
    has_carrier = all(cable.carrier for cable in finding.cables)
    is_pair = finding.kind in ("one-way", "dead-switch") and len(finding.cables) == 2
    return finding.kind == "either" or (is_pair and has_carrier)


def _is_named(fault: Fault, verification: Verification, on: Mapping[str, Sequence[Key]]) -> bool:
    found = [each for each in verification.findings if each.kind in fault.names or _names_one_of(each)]
    named = [{(cable.node, cable.nic) for cable in finding.cables} for finding in found]
    if not fault.cables:  # of whole switches
        return any(not keys or keys & {key for switch in fault.switches for key in on[switch]} for keys in named)
    if fault.kind in ("split switch", "ports in another VLAN"):
        rest = {*on[fault.switches[0]]} - {*fault.cables}
        return any(keys & {*fault.cables} or keys & rest for keys in named)
    covered = {key for keys in named for key in keys}
    return {*fault.cables} <= covered


def _format(keys: Iterable[Key]) -> str:
    return " ".join(sorted(f"{node}:{nic}" for node, nic in keys))


# --- Whether what a verification describes gives the observations ---

_COST = {
    **dict.fromkeys(("missing", "silent", "one-way", "foreign-network", "echo", "tagged"), 1.0),
    **{"dead-switch": 1.2, "split-switch": 1.5, "switches-joined": 1.5, "moved-meanwhile": 0.9, "unknown": 1.5},
}


def is_as_good(faults: Sequence[Fault], cluster: Cluster, verification: Verification) -> bool:
    """Whether the cluster that a verification describes looks like this one, at no higher cost than these faults."""
    described, cost = Cluster(cluster.design), 0.0
    described.silent, described.echoing, described.houses = cluster.silent, {ECHO}, {HOUSE}
    described.plugs = dict.fromkeys(described.plugs)
    of = {(cable.node, cable.nic): cable for cable in verification.cables}
    described.plugs.update({key: _find_seen(cable) for key, cable in of.items()})
    names = {cluster.plugs[key]: cable.seen for key, cable in of.items() if cable.seen}
    for finding in verification.findings:
        keys = [(cable.node, cable.nic) for cable in finding.cables]
        cost += _cost(finding)
        _describe(described, finding, keys, {key: names.get(box) or box for key, box in cluster.before.items()})
    renamed = sum(len(finding.cables) for finding in verification.findings if finding.kind == "crossed")
    if any(finding.kind == "either" for finding in verification.findings):
        cost += len(verification.moves) - sum(len(each.cables) for each in verification.findings if each.moves)
    if not _is_permuted(verification, cluster):
        cost += RENAMED * renamed
    return sign(described) == sign(cluster) and cost <= sum(fault.cost for fault in faults) + EQUAL


def _is_permuted(verification: Verification, cluster: Cluster) -> bool:
    """Whether cables are only permuted: there are as many groups of NICs as switches, and no switch is at fault. Then a
    renamed NIC costs nothing, as macs.json adopts it without a move, and the fewest moves count."""
    groups = {cable.group for cable in verification.cables}
    is_one_each = None not in groups and len(groups) == len(cluster.design["switches"])
    return not cluster.silent and is_one_each and not {each.kind for each in verification.findings} & OF_SWITCHES


def _cost(finding: Finding) -> float:
    return _COST.get(finding.kind, len(finding.cables) if finding.moves else 0)


def _find_seen(cable: JudgedCable) -> str | None:
    if not cable.carrier:
        return None
    is_elsewhere = cable.seen is None and (cable.state == "wrong" or cable.hears or cable.heard_before)
    return f"{SPARE} {cable.group}" if is_elsewhere else cable.seen or cable.expected or SPARE


def _describe(described: Cluster, finding: Finding, keys: list[Key], before: Mapping[Key, str]) -> None:
    where = {"foreign-network": HOUSE, "echo": ECHO, "joined-nics": f"{SPARE} {keys}"}
    if finding.kind in where and not (finding.kind == "foreign-network" and not finding.moves):
        described.plugs.update(dict.fromkeys(keys, where[finding.kind]))
    for cable, key in zip(finding.cables, keys, strict=True):
        if finding.kind == "dead-switch":
            described.plugs[key] = cable.expected
            (described.hung if cable.carrier else described.off).add(cable.expected)
        if finding.kind == "silent" or (finding.kind == "one-way" and cable.passes == "in"):
            described.mute.add(key)
        if finding.kind == "silent" or (finding.kind == "one-way" and cable.passes == "out"):
            described.deaf.add(key)
        if finding.kind == "one-way" and len(keys) == 2 and key == keys[0]:
            described.mute.add(key)
        if finding.kind == "split-switch":
            described.parts[key] = f" part {cable.group}"
        if finding.kind == "moved-meanwhile" and key in before:
            described.before[key] = before[key]
        if finding.kind == "tagged":
            described.tagging.add(key)
        if finding.kind == "switches-joined":
            described.joined.update(dict.fromkeys(cable.among, cable.among[0]))
    if finding.kind == "unknown" and not keys:
        described.joined.update(dict.fromkeys(described.list_designed().values(), "joined"))


# --- Brute force: all sets of faults with the same observations ---


def sign(cluster: Cluster) -> Hashable:
    """The observations as one value. Two clusters with the same value look the same to verify."""
    seen = list(cluster.observe().values())
    live = frozenset(link["mac"] for each in seen for link in each["links"] if link["carrier"])
    nics = [pair for each in seen for pair in zip(each["links"], each["heard"], strict=True)]
    return frozenset(_sign(link, heard, live) for link, heard in nics)


def _sign(link: Mapping[str, Any], heard: Mapping[str, Any], live: frozenset[str]) -> Hashable:
    """live: MACs of NICs with carrier at the end. Of another one it is no matter what it heard, and where it was."""
    before = heard["heard_before"] if link["carrier"] else ()
    macs = (live.intersection(each) for each in (heard["hears"], before, heard["tagged"]))
    return heard["mac"], link["carrier"], heard["loop"], bool(heard["strangers"]), *macs


class Explanations:
    """All sets of at most two faults of a design by their observations. cheapest: those of the least cost."""

    def __init__(self, faults: Faults, kinds: Sequence[str] = KINDS) -> None:
        every = [fault for kind in kinds for fault in faults.list(kind)]
        self.by_sign: dict[int, list[tuple[Fault, ...]]] = defaultdict(list)
        self._cost: dict[int, float] = {}
        for chosen in [(), *((each,) for each in every), *combinations(every, 2)]:
            cluster = cause_all(faults.design, chosen)
            if is_possible(faults, cluster):
                self._add(chosen, hash(sign(cluster)))

    def _add(self, chosen: tuple[Fault, ...], mark: int) -> None:
        cost = sum(fault.cost for fault in chosen)
        least = self._cost.get(mark, float("inf"))
        if cost < least - EQUAL:
            self._cost[mark], self.by_sign[mark] = cost, [chosen]
        elif cost < least + EQUAL:
            self.by_sign[mark].append(chosen)

    def find(self, cluster: Cluster) -> Sequence[tuple[Fault, ...]]:
        """Return the cheapest sets of faults with the observations of a cluster."""
        return self.by_sign[hash(sign(cluster))]


@dataclass
class Tally:
    """Wrong answers by pair of kinds."""

    tried: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def try_kinds(self, faults: Faults, most: int, explanations: Explanations | None = None) -> None:
        """All pairs of kinds, at most so many pairs of faults of each."""
        for one, other in combinations_with_replacement(KINDS, 2):
            for pair in faults.draw(one, other, most):
                if pair[0] != pair[1]:
                    self.try_pair(faults, pair, explanations)

    def try_pair(self, faults: Faults, pair: tuple[Fault, Fault], explanations: Explanations | None = None) -> None:
        kinds = pair[0].kind, pair[1].kind
        cluster = cause_all(faults.design, pair)
        if not is_possible(faults, cluster):
            return
        verification = cluster.judge()
        self.tried[kinds] += 1
        problems = list_faults_of_answer(pair, verification, faults.on)
        cheapest = explanations.find(cluster) if explanations else [pair]
        if not problems and any({*pair} == {*each} for each in cheapest):
            return
        if any(not list_faults_of_answer(each, verification, faults.on) for each in cheapest):
            return
        if is_as_good(cheapest[0], cluster, verification):
            return
        problems = problems or [f"{' + '.join(map(str, cheapest[0]))} costs less"]
        said = "; ".join(format_finding(each) for each in verification.findings)
        self.wrong[kinds].append(f"{pair[0]} + {pair[1]}: {', '.join(problems)} [said: {said}]")

    def format_table(self) -> str:
        lines = [
            f"{len(self.wrong[kinds]):5} of {tried:5}  {kinds[0]} + {kinds[1]}" for kinds, tried in self.tried.items()
        ]
        total = f"{sum(map(len, self.wrong.values()))} of {sum(self.tried.values())} wrong"
        return "\n".join([*lines, total])


def format_finding(finding: Finding) -> str:
    return f"{finding.kind} {_format((cable.node, cable.nic) for cable in finding.cables)}"
