# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of NICs counts: whatever fails, pairs that a fault cuts use another path soon, and no other pair changes.

The simulation has the switches of small designs, on which frames pass only where a fault lets them, one direction at a
time. A path of a pair is a switch over which frames pass both ways; a node uses those that its machine does not avoid.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from ansible.module_utils.fnn.node.net.membership import Settings
from ansible.module_utils.fnn.shared.mac import format_mac, to_octets
from clockwork import Clockwork, Passes, plane
from six_pcs import SIX

EIGHT = {f"n{rank}": ["red", "blue", "green"] for rank in range(8)}
NINE = plane(3)
DESIGNS = {"six": SIX, "eight": EIGHT, "nine": NINE}
OUTAGE = 1.5
FULL = bool(os.environ.get("FNN_TEST_FULL"))
Fault = tuple[str, Passes]


def list_singles(wiring: dict[str, list[str]]) -> Iterator[Fault]:
    """Each NIC dead, mute or deaf, and each switch frozen."""
    for node, switches in wiring.items():
        for switch in switches:
            yield f"{node} dead on {switch}", lambda at, one, two, n=node, s=switch: at != s or n not in (one, two)
            yield f"{node} mute on {switch}", lambda at, one, _, n=node, s=switch: (at, one) != (s, n)
            yield f"{node} deaf on {switch}", lambda at, _, two, n=node, s=switch: (at, two) != (s, n)
    for switch in sorted({each for switches in wiring.values() for each in switches}):
        yield f"{switch} frozen", lambda at, _, __, s=switch: at != s


def list_splits(wiring: dict[str, list[str]]) -> Iterator[Fault]:
    """Each division of each switch into two parts of two NICs or more, in no order of the ring."""
    for switch in sorted({each for switches in wiring.values() for each in switches}):
        nodes = [node for node in wiring if switch in wiring[node]]
        for size in range(2, len(nodes) // 2 + 1):
            for part in itertools.combinations(nodes, size):
                if len(nodes) != 2 * size or nodes[0] in part:
                    yield (
                        f"{switch} split, {' '.join(part)} apart",
                        lambda at, one, two, s=switch, p=part: at != s or (one in p) == (two in p),
                    )


def combine(one: Fault, other: Fault) -> Fault:
    return f"{one[0]}; {other[0]}", lambda *frame: one[1](*frame) and other[1](*frame)


class Watch:
    """A cluster whose frames pass where all faults let them."""

    def __init__(self, wiring: dict[str, list[str]], seed: int, **settings: Any) -> None:
        self.cluster = Clockwork(wiring, random.Random(seed), Settings(hold=1))
        for name, value in settings.items():
            setattr(self.cluster.membership, name, value)
        self.wiring = wiring
        self.cluster.run(8)

    def passes_both_ways(self, switch: str, node: str, peer: str) -> bool:
        passes = self.cluster.passes
        assert passes is not None
        return passes(switch, node, peer) and passes(switch, peer, node)

    def list_used(self, node: str, peer: str) -> list[str]:
        """The switches that a node uses for a peer: those that it does not avoid, else all that they share."""
        nics, others = (self.cluster.membership.members[each].nics for each in (node, peer))
        shared, avoided = [switch for switch in nics if switch in others], self.cluster.thinks(node)
        return [switch for switch in shared if not {nics[switch], others[switch]} & avoided]

    def find_lost(self) -> list[str]:
        """Ordered pairs that use a broken switch, though they share a working one."""
        passes, lost = self.cluster.passes, []
        assert passes is not None
        for node, peer in itertools.permutations(self.wiring, 2):
            shared = [switch for switch in self.wiring[node] if switch in self.wiring[peer]]
            works = [each for each in shared if self.passes_both_ways(each, node, peer)]
            used = self.list_used(node, peer)
            if works and (not used or set(used) - {each for each in shared if passes(each, node, peer)}):
                lost.append(f"{node} to {peer} over {' '.join(used) or 'nothing'}")
        return lost

    def find_disturbed(self, before: dict[tuple[str, str], list[str]], broken: set[tuple[str, str]]) -> list[str]:
        """Ordered pairs that no fault touches, but that use other switches than before. broken: (node, switch)."""
        return [
            f"{node} to {peer}: {before[node, peer]}, {self.list_used(node, peer)}"
            for node, peer in before
            if all(self.passes_both_ways(each, node, peer) for each in before[node, peer])
            and not any((end, each) in broken for end in (node, peer) for each in before[node, peer])
            and self.list_used(node, peer) != before[node, peer]
        ]


def check(wiring: dict[str, list[str]], fault: Fault, seed: int) -> None:
    watch = Watch(wiring, seed)
    cluster = watch.cluster
    before = {pair: watch.list_used(*pair) for pair in itertools.permutations(wiring, 2)}
    cluster.run(cluster.chance.random())
    name, watch.cluster.passes = fault
    cluster.run(OUTAGE)
    assert watch.find_lost() == [], name
    out_of_use = {mac for machine in cluster.machines.values() for mac in map(format_mac, machine.records.unused)}
    disturbed = watch.find_disturbed(before, {cluster.owner[mac] for mac in out_of_use})
    assert disturbed == [], name
    for _ in range(12):
        cluster.run(2)
        assert watch.find_lost() == [], name
    watch.cluster.passes = lambda *_: True
    cluster.run(12)
    assert {pair: watch.list_used(*pair) for pair in before} == before, f"{name}, repaired: {cluster.describe()}"


def draw(faults: list[Fault], some: int) -> list[Fault]:
    """All of them in the full run, else some by lot."""
    return faults if FULL else random.Random(1).sample(faults, some)


def list_faults(wiring: dict[str, list[str]]) -> list[Fault]:
    """Single faults and splits, then pairs of them."""
    single = [*list_singles(wiring), *list_splits(wiring)]
    chance = random.Random(2)
    pairs = [combine(*chance.sample(single, 2)) for _ in range(200 if FULL else 6)]
    return [*draw(single, 6), *pairs]


CASES = [(design, fault) for design, wiring in DESIGNS.items() for fault in list_faults(wiring)]


@pytest.mark.parametrize(("design", "fault"), CASES, ids=[f"{design}: {fault[0]}" for design, fault in CASES])
def test_pairs_that_a_fault_cuts_use_another_switch(design: str, fault: Fault) -> None:
    check(DESIGNS[design], fault, 1)


# --- loss, and busy machines


@pytest.mark.parametrize("directions", ["sends", "hears", "both"])
def test_a_nic_that_loses_a_tenth_of_the_frames_is_found_lossy_by_all_and_returns(directions: str) -> None:
    watch = Watch(EIGHT, 5)
    cluster, chance = watch.cluster, random.Random(2)
    mac = cluster.membership.members["n3"].nics["red"]

    def passes(at: str, one: str, two: str) -> bool:
        loses = (one == "n3" and directions != "hears") or (two == "n3" and directions != "sends")
        return not (at == "red" and loses and chance.random() < 0.1)

    watch.cluster.passes = passes
    cluster.run(60)
    assert all(mac in machine.lossy for machine in cluster.machines.values())
    others = {each for machine in cluster.machines.values() for each in machine.records.lossy} - {to_octets(mac)}
    assert others == set(), "peers of the NIC are not to blame"
    watch.cluster.passes = None
    cluster.run(40)
    assert all(not machine.lossy for machine in cluster.machines.values())


def test_one_frame_of_a_hundred_is_no_loss() -> None:
    watch = Watch(EIGHT, 6)
    chance = random.Random(3)
    watch.cluster.passes = lambda *_: chance.random() >= 0.01
    watch.cluster.run(60)
    assert all(not machine.records.lossy for machine in watch.cluster.machines.values())


@pytest.mark.parametrize("seconds", [0.7, 1.1, 1.4])
@pytest.mark.parametrize("wiring", [SIX, EIGHT, NINE], ids=["six", "eight", "nine"])
def test_a_process_that_is_not_scheduled_for_a_while_accuses_no_peer_and_is_not_accused(
    wiring: dict[str, list[str]], seconds: float
) -> None:
    watch = Watch(wiring, 4)
    for node in list(wiring)[:4]:
        watch.cluster.pause(node, seconds)
        watch.cluster.run(seconds + watch.cluster.chance.uniform(0.5, 3))
    watch.cluster.run(5)
    assert watch.cluster.flips == {}


# --- detours


def make_detour_watch(seed: int = 3, **settings: Any) -> Watch:
    """The six nodes; k00 and k02 share red alone."""
    watch = Watch(SIX, seed, uplinked=("red", "blue", "green"), **settings)
    assert watch.cluster.machines["k00"].detours == {}
    return watch


def test_without_a_common_switch_a_pair_takes_a_crossing_that_was_tested() -> None:
    """The half of red with k02 and k03 has no uplink; frames cross between all other switches."""
    watch = make_detour_watch(backup=True)
    cluster, part = watch.cluster, {"k02", "k03"}
    watch.cluster.passes = lambda at, one, two: at != "red" or (one in part) == (two in part)
    cluster.crosses = lambda one, two: not any(node in part and switch == "red" for node, switch in (one, two))
    cluster.run(OUTAGE)
    for one, two in itertools.product({"k00", "k01"}, part):
        for node, peer in ((one, two), (two, one)):
            switch, mac = cluster.machines[node].detours[peer]
            assert (cluster.owner[mac][0], cluster.owner[mac][1] == switch) == (peer, False)
            assert cluster.crosses((node, switch), cluster.owner[mac])
    watch.cluster.passes = None
    cluster.run(5)
    assert all(not machine.detours for machine in cluster.machines.values())


@pytest.mark.parametrize("gone", [False, True], ids=["works", "ends"])
def test_without_any_path_of_its_own_a_pair_takes_a_third_node_that_reaches_both(gone: bool) -> None:
    watch = make_detour_watch(relay=True)
    cluster = watch.cluster
    watch.cluster.passes = lambda at, one, two: at != "red" or {one, two} != {"k00", "k02"}
    third = set()
    cluster.run(OUTAGE)
    for node, peer in (("k00", "k02"), ("k02", "k00")):
        switch, mac = cluster.machines[node].detours[peer]
        between, at = cluster.owner[mac]
        assert switch == at and between not in (node, peer)
        assert watch.list_used(node, between)
        assert watch.list_used(between, peer)
        third.add(between)
    for between in third if gone else ():
        cluster.cut_power(between)
    cluster.run(OUTAGE)
    for node, peer in (("k00", "k02"), ("k02", "k00")):
        assert cluster.owner[cluster.machines[node].detours[peer][1]][0] in cluster.machines
    watch.cluster.passes = None
    cluster.run(8)
    assert all(not machine.detours.keys() & cluster.machines.keys() for machine in cluster.machines.values())


@pytest.mark.parametrize("seed", range(8))
def test_a_node_without_a_direct_path_to_the_peer_does_not_offer_one(seed: int) -> None:
    watch = make_detour_watch(seed, relay=True)
    watch.cluster.passes = lambda at, one, two: at != "red" or "k02" not in (one, two)
    watch.cluster.run(OUTAGE)
    for node in ("k00", "k01"):  # k03 reaches k02 over green
        (path,) = watch.cluster.machines[node].detours.values()
        assert watch.cluster.owner[path[1]][0] in {"k03", "k04", "k05"}
