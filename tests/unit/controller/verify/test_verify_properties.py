# SPDX-License-Identifier: GPL-3.0-or-later
"""Random faults in, exact moves out: on small random wirings, on KLAT2, and on 1024 nodes with five NICs each.

Verify gives exactly as many moves as cables were misplaced. In its order, every move finds a free port, and afterwards
verify matches.
"""

from __future__ import annotations

import copy
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from six_pcs import Wires, words
from wirings import Cluster, Plugs, kinds, make_design, make_random, moved, names, the_finding

Key = tuple[str, int]
Fault = Callable[[Cluster, random.Random], tuple[list[str], set[Key]]]
#: `make test` takes the first few.
SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 25))]


@pytest.fixture(scope="module")
def klat2(root: Path) -> dict[str, Any]:
    design: dict[str, Any] = read_json(root / "inventory/klat2/design.json")
    return design


@pytest.fixture(scope="module")
def thousand(designer: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """1024 nodes with five NICs each, on 21 switches."""
    path = tmp_path_factory.mktemp("thousand") / "design.json"
    size = ["--nodes", "1024", "--nics", "5", "--ports", "244", "--switches", "21"]
    subprocess.run([designer, "design", *size, "-o", path, "--seed", "1"], check=True, capture_output=True)
    design: dict[str, Any] = read_json(path)
    return design


def of_seed(seed: int, nodes: int = 24) -> Cluster:
    """Random wirings need not cover any pair, so their coverage as wired is not evaluated."""
    return Cluster(make_design(make_random(seed, nodes), coverage="patterns"))


def plug_as_designed(cluster: Cluster) -> None:
    """Makes the moves in order, and expects a match afterwards."""
    cluster.do(cluster.verify())
    verification = cluster.verify()
    assert verification.verdict == "match", kinds(verification)
    assert not verification.moves


def pick(chance: random.Random, cluster: Cluster, count: int, but: set[str] | None = None) -> list[Key]:
    """Cables of different nodes in different switches, such that no node belongs on the switch of another cable."""
    wanted: dict[str, dict[int, str]] = {}
    for (node, nic), switch in cluster.list_designed().items():
        wanted.setdefault(node, {})[nic] = switch
    nodes = sorted(wanted.keys() - (but or set()))
    while True:
        cables = [(node, chance.choice(list(wanted[node]))) for node in chance.sample(nodes, count)]
        places = [wanted[node][nic] for node, nic in cables]
        strange = all(
            place not in wanted[node].values()
            for i, (node, _) in enumerate(cables)
            for j, place in enumerate(places)
            if i != j
        )
        if len(set(places)) == count and strange:
            return cables


# --- One fault at a time ---


@pytest.mark.parametrize("seed", SEEDS)
def test_any_swap_is_found(seed: int) -> None:
    cluster = of_seed(seed)
    cables = pick(random.Random(seed), cluster, 2)
    cluster.swap(*cables)
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding)) == ("swap", set(cables))
    plug_as_designed(cluster)


@pytest.mark.parametrize("length", [3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_any_cycle_is_found(seed: int, length: int) -> None:
    cluster = of_seed(seed, nodes=40)
    cables = pick(random.Random(seed), cluster, length)
    cluster.swap(*cables)
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding)) == ("cycle", set(cables))
    plug_as_designed(cluster)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cable_in_the_wrong_switch_is_found(seed: int) -> None:
    """The cable is in a free port of another switch, which the node may be on already."""
    cluster, chance = of_seed(seed), random.Random(seed)
    (node, nic) = pick(chance, cluster, 1)[0]
    own = {switch for (name, _), switch in cluster.plugs.items() if name == node}
    right = cluster.plugs[node, nic]
    for switch in sorted({str(each) for each in cluster.plugs.values()} - {str(right)}):
        cluster.plugs[node, nic] = switch
        finding = the_finding(cluster.verify())
        assert finding.kind == ("same-switch" if switch in own else "move")
        assert names(finding) == {(node, nic)}
        assert (finding.cables[0].expected, finding.cables[0].seen) == (right, switch)


@pytest.mark.parametrize("seed", SEEDS)
def test_swapped_nics_beside_a_swap_are_separate_findings(seed: int) -> None:
    cluster, chance = of_seed(seed), random.Random(seed)
    cables = pick(chance, cluster, 2)
    cluster.swap(*cables)
    node = chance.choice([each for each in cluster.ranks if each not in {name for name, _ in cables}])
    cluster.swap((node, 0), (node, 2))
    verification = cluster.verify()
    assert kinds(verification) == ["swap", "crossed"]
    assert verification.bindings == {node: [cluster.mac(node, nic) for nic in (2, 1, 0)]}


@pytest.mark.parametrize("seed", SEEDS)
def test_any_order_of_switches_and_of_nics_is_right(seed: int) -> None:
    """Only the documents adopt the order; no cable is moved."""
    cluster, chance = of_seed(seed), random.Random(seed)
    for node in cluster.ranks:
        keys = [key for key in cluster.plugs if key[0] == node]
        places = [cluster.plugs[key] for key in keys]
        cluster.plugs.update({key: f"box {place}" for key, place in zip(keys, chance.sample(places, len(places)))})
    verification = cluster.verify()
    assert (verification.verdict, verification.moves) == ("match", ())
    assert set(kinds(verification)) <= {"crossed"}


# --- As few moves as possible: brute force ---


def list_states(cluster: Cluster, switches: list[str]) -> Iterator[Plugs]:
    """All wirings that differ in one cable: moved, pulled, or plugged into an empty NIC."""
    for key, place in cluster.plugs.items():
        for switch in (None, *switches):
            if switch != place:
                yield {**cluster.plugs, key: switch}


def is_right(cluster: Cluster, plugs: Plugs) -> bool:
    """Whether some naming of the boxes puts every node on its switches, NICs in any order. Does not use verify."""
    wanted: dict[str, set[str]] = {}
    for (node, _), switch in cluster.list_designed().items():
        wanted.setdefault(node, set()).add(switch)
    has: dict[str, list[str]] = {node: [] for node in wanted}
    for (node, _), place in plugs.items():
        if place is not None:
            has[node].append(place)
    if any(len(set(places)) != len(places) or len(places) != len(wanted[node]) for node, places in has.items()):
        return False
    names: dict[str, set[str]] = {}
    for node, places in has.items():
        for place in places:
            names.setdefault(place, set()).add(node)
    designed: dict[str, set[str]] = {}
    for node, switches in wanted.items():
        for switch in switches:
            designed.setdefault(switch, set()).add(node)
    return sorted(map(sorted, names.values())) == sorted(map(sorted, designed.values()))


def count_fewest(cluster: Cluster, limit: int) -> int:
    """Breadth-first search over all wirings; `limit` if no right wiring is nearer."""
    switches = sorted(set(cluster.list_designed().values()))
    start = copy.copy(cluster)
    frontier: list[Plugs] = [cluster.plugs]
    seen = {tuple(cluster.plugs.items())}
    for depth in range(limit):
        if any(is_right(cluster, plugs) for plugs in frontier):
            return depth
        onward = []
        for plugs in frontier if depth + 1 < limit else ():
            start.plugs = plugs
            for after in list_states(start, switches):
                key = tuple(after.items())
                if key not in seen:
                    seen.add(key)
                    onward.append(after)
        frontier = onward
    return limit


#: Five nodes or more on each switch, so that three wrong cables do not look like a dead switch.
SMALL: Wires = {
    "a": ["r", "b"], "b": ["r", "b"], "c": ["r", "g"], "d": ["b", "g"], "e": ["r", "g"], "f": ["b", "g"],
    "h": ["r", "b"], "i": ["b", "g"],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_no_fewer_moves_could_repair_a_small_cluster(seed: int) -> None:
    """Up to three cables are pulled or plugged anywhere; the design leaves one NIC of "a" unused."""
    chance = random.Random(seed)
    cluster = Cluster(make_design(SMALL))
    cluster.plugs["a", 2] = None
    cluster.design["spec"]["nodes"][0]["nics"].append({"name": None, "speed_mbps": 1000, "media": "rj45"})
    cluster.macs = cluster.make_macs()
    for key in chance.sample(sorted(cluster.plugs), 3):
        cluster.plugs[key] = chance.choice(["r", "b", "g", None])
    moves = cluster.verify().moves
    assert len(moves) == count_fewest(cluster, len(moves))
    plug_as_designed(cluster)


# --- Free ports ---


def test_a_full_switch_is_relieved_before_it_is_filled() -> None:
    """b has six ports for its six cables. A cable of c took the port of d's cable, which is unplugged."""
    cluster = Cluster(make_design(SMALL, ports=6))
    cluster.plugs["c", 1] = "b"
    cluster.plugs["d", 0] = None
    verification = cluster.verify()
    cluster.do(verification)
    assert cluster.verify().verdict == "match"


def test_a_move_that_must_wait_names_the_cable_before_it() -> None:
    """d's second cable, which belongs to g, occupies the last port of b."""
    wiring = {"a": ["r", "b"], "b": ["r", "b"], "c": ["r", "g"], "d": ["b", "g"]}
    cluster = Cluster(make_design(wiring, ports=3))
    cluster.plugs["a", 1], cluster.plugs["d", 1] = None, "b"
    verification = cluster.verify()
    assert [(move.node, move.source, move.target, move.after) for move in verification.moves] == [
        ("d", "b", "g", None),
        ("a", None, "b", "d nic1"),
    ]
    assert any("(B is full until d nic1 is out of it)" in words(finding) for finding in verification.findings)
    plug_as_designed(cluster)


# --- Every fault, on KLAT2 and on a thousand nodes ---

Expected = tuple[list[str], set[Key]]  # the kinds that fail, the cables to move


def swap(cluster: Cluster, chance: random.Random) -> Expected:
    cables = pick(chance, cluster, 2)
    cluster.swap(*cables)
    return ["swap"], set(cables)


def turn_three(cluster: Cluster, chance: random.Random) -> Expected:
    cables = pick(chance, cluster, 3)
    cluster.swap(*cables)
    return ["cycle"], set(cables)


def turn_four(cluster: Cluster, chance: random.Random) -> Expected:
    cables = pick(chance, cluster, 4)
    cluster.swap(*cables)
    return ["cycle"], set(cables)


def move(cluster: Cluster, chance: random.Random) -> Expected:
    """Moves a cable to a switch its node should not be on, and unplugs the cable of another node to free the port."""
    one, other = pick(chance, cluster, 2)
    cluster.plugs[one], cluster.plugs[other] = cluster.plugs[other], None
    return ["missing", "move"], {one, other}


def pull(cluster: Cluster, chance: random.Random) -> Expected:
    cables = pick(chance, cluster, 2)
    cluster.plugs.update(dict.fromkeys(cables))
    return ["missing", "missing"], set(cables)


def double(cluster: Cluster, chance: random.Random) -> Expected:
    """Two NICs of a node on one switch."""
    (node, nic) = pick(chance, cluster, 1)[0]
    twin = chance.choice([key for key in cluster.list_designed() if key[0] == node and key[1] != nic])
    cluster.plugs[node, nic] = cluster.plugs[twin]
    return ["same-switch"], {(node, nic)}


def cross(cluster: Cluster, chance: random.Random) -> Expected:
    for node in chance.sample(list(cluster.ranks), 5):
        keys = [key for key in cluster.list_designed() if key[0] == node]
        cluster.swap(*keys)
    return [], set()


def permute(cluster: Cluster, chance: random.Random) -> Expected:
    order = [switch["name"] for switch in cluster.design["switches"]]
    turn = dict(zip(order, chance.sample(order, len(order))))
    cluster.plugs = {key: turn[switch] if switch else None for key, switch in cluster.plugs.items()}
    cluster.lldp = {switch: switch for switch in order}
    return [], set()


def die(cluster: Cluster, chance: random.Random) -> Expected:
    """A dead switch, and a swap of two cables of nodes that are not on it."""
    dead = chance.choice([switch["name"] for switch in cluster.design["switches"]])
    members = next(set(switch["nodes"]) for switch in cluster.design["switches"] if switch["name"] == dead)
    cables = pick(chance, cluster, 2, members)
    cluster.swap(*cables)
    cluster.plugs = {key: None if switch == dead else switch for key, switch in cluster.plugs.items()}
    return ["dead-switch", "swap"], set(cables)


def exchange_nodes(cluster: Cluster, chance: random.Random) -> Expected:
    wanted: dict[str, set[str]] = {}
    for (node, _), switch in cluster.list_designed().items():
        wanted.setdefault(node, set()).add(switch)
    while True:
        one, other = chance.sample(list(wanted), 2)
        if len(wanted[one] - wanted[other]) > 1:
            break
    ends = {node: [key for key in cluster.list_designed() if key[0] == node] for node in (one, other)}
    for cables in zip(ends[one], ends[other]):
        cluster.swap(*cables)
    moved = {key for key in ends[one] + ends[other] if cluster.plugs[key] not in wanted[key[0]]}
    return ["shifted-node"], moved


def do_many(cluster: Cluster, chance: random.Random) -> Expected:
    """Two swaps, a cycle, three missing cables and a node with swapped NICs, all of different nodes."""
    used: set[str] = set()
    misplaced: set[Key] = set()
    for length in (2, 2, 3, 1, 1, 1):
        cables = pick(chance, cluster, length, used)
        used.update(node for node, _ in cables)
        misplaced.update(cables)
        cluster.swap(*cables)
        if length == 1:
            cluster.plugs[cables[0]] = None
    swapped = pick(chance, cluster, 1, used)[0][0]
    nics = [key for key in cluster.list_designed() if key[0] == swapped]
    cluster.swap(nics[0], nics[-1])
    return ["cycle", *["missing"] * 3, "swap", "swap"], misplaced


FAULTS = [swap, turn_three, turn_four, move, pull, double, cross, permute, die, exchange_nodes, do_many]
#: Faults that no moves repair, with the findings besides those that fail.
UNMOVED: dict[Fault, set[str]] = {cross: {"crossed"}, permute: {"relabeled"}, die: set()}


def check_fault(cluster: Cluster, fault: Fault, seed: int) -> None:
    kinds_told, misplaced = fault(cluster, random.Random(seed))
    verification = cluster.verify()
    failing = [finding for finding in verification.findings if finding.breaks]
    assert len(verification.moves) == len(misplaced)
    broken = [finding.pairs_broken for finding in failing]
    assert broken == sorted(broken, reverse=True)
    if fault is not do_many:  # its swaps may share switches, and be reported as other cycles with as many moves
        assert sorted(finding.kind for finding in failing) == kinds_told
    if fault is not exchange_nodes:  # there, NICs of one node are interchangeable
        assert moved(verification) == misplaced
    if fault in UNMOVED:
        assert verification.verdict == ("miswired" if kinds_told else "match")
        assert set(kinds(verification)) - set(kinds_told) == UNMOVED[fault]
    else:
        plug_as_designed(cluster)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_every_fault_of_klat2_comes_out_exactly(klat2: dict[str, Any], fault: Fault, seed: int) -> None:
    check_fault(Cluster(klat2), fault, seed)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_thousand_nodes_comes_out_exactly(thousand: dict[str, Any], fault: Fault) -> None:
    check_fault(Cluster(thousand), fault, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_mess_of_klat2_takes_no_more_moves_than_cables_were_misplaced(klat2: dict[str, Any], seed: int) -> None:
    cluster, chance = Cluster(klat2), random.Random(seed)
    misplaced = chance.sample(sorted(cluster.plugs), 12)
    cluster.swap(*misplaced)
    assert len(cluster.verify().moves) <= len(misplaced)
    plug_as_designed(cluster)
