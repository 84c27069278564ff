# SPDX-License-Identifier: GPL-3.0-or-later
"""The state machine of fnn-linkd in simulated clusters: which faults it detects, how soon, and that all nodes agree."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from ansible.module_utils.fnn.node.net.membership import Settings
from ansible.module_utils.fnn.shared.mac import to_octets
from clockwork import Clockwork, Fault, make_membership, plane
from six_pcs import SIX

NINE = plane(3)
TWELVE = {f"n{rank:02}": ["red", "blue", "green"] for rank in range(12)}
HOLD = 3.0
FAULTS = {"dead": Fault(False, False), "mute": Fault(sends=False), "deaf": Fault(hears=False)}
DETECTED, RESTORED = 0.9, 1.2
GONE = 2.2  # a node that is off does not answer a suspicion
FULL = bool(os.environ.get("FNN_TEST_FULL"))
#: Faults one after another, and seeds of runs with one silent fault and with none.
EPISODES, SILENT, QUIET = (2000, 8, 5) if FULL else (8, 2, 1)
#: Seconds for which frames are lost at random, and the share of them.
LOSSY, LOSS = (300, 0.05) if FULL else (40, 0.1)
#: Orders of the planes whose NICs are counted; a switch has as many NICs.
ORDERS = (3, 7, 11) if FULL else (3, 5, 7)
#: Seconds for which frames are counted, and the fewest and most that a NIC sends to two and to four peers. A round
#: lasts 0.28125 s: 106.7 rounds in 30 s, 21.3 in 6 s. Every fourth round a NIC tests a further pair, and gets a reply.
WATCHED, OF_TWO, OF_FOUR = (30, (212, 215), (424, 500)) if FULL else (6, (42, 44), (84, 108))


def make(seed: int = 1, wiring: dict[str, list[str]] = SIX, **options: object) -> Clockwork:
    made = Clockwork(wiring, random.Random(seed), **options)  # type: ignore[arg-type]
    made.run(5)
    return made


def mac_of(cluster: Clockwork, node: str, switch: str) -> str:
    return cluster.membership.members[node].nics[switch]


def everyone_thinks(cluster: Clockwork, unusable: set[str], spared: tuple[str, ...] = ()) -> None:
    for node in cluster.machines:
        if node not in spared:
            assert cluster.thinks(node) == unusable, (node, cluster.describe())


def when_first(cluster: Clockwork, node: str, mac: str) -> float:
    return next(at for at, gone in cluster.flips[node, mac] if gone)


@pytest.mark.parametrize("seed", range(QUIET))
def test_without_faults_no_nic_is_suspected(seed: int) -> None:
    cluster = make(seed, NINE)
    cluster.run(120)
    assert cluster.flips == {}


def test_two_lost_frames_of_three_are_no_reason() -> None:
    cluster = make(wiring=NINE)
    mac = mac_of(cluster, "n003", NINE["n003"][0])
    for _ in range(20):
        cluster.faults[mac] = Fault(sends=False)
        cluster.run(0.55)
        del cluster.faults[mac]
        cluster.run(1)
    assert cluster.flips == {}


@pytest.mark.parametrize("wiring", [SIX, NINE], ids=["six", "plane"])
def test_a_lost_carrier_is_known_to_all_within_a_tenth_of_a_second(wiring: dict[str, list[str]]) -> None:
    cluster = make(wiring=wiring)
    node = next(iter(wiring))
    switch = wiring[node][0]
    cluster.set_carrier(node, switch, False)
    cluster.run(0.1)
    everyone_thinks(cluster, {mac_of(cluster, node, switch)})


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("seed", range(SILENT))
def test_a_silent_fault_reaches_all_in_time_and_no_other_nic_is_suspected(fault: Fault, seed: int) -> None:
    cluster = make(seed, NINE)
    node = cluster.chance.choice(list(NINE))
    mac = mac_of(cluster, node, cluster.chance.choice(NINE[node]))
    cluster.run(cluster.chance.random())
    began = cluster.now
    cluster.faults[mac] = fault
    cluster.run(RESTORED)
    everyone_thinks(cluster, {mac})
    assert min(when_first(cluster, each, mac) for each in NINE) - began <= DETECTED
    cluster.run(60)
    everyone_thinks(cluster, {mac})
    del cluster.faults[mac]
    cluster.run(HOLD + 1)
    everyone_thinks(cluster, set())
    assert {len(flips) for flips in cluster.flips.values()} == {2}, "once out and once back"


def test_a_frozen_switch_is_left_by_all_its_nodes_and_found_again() -> None:
    cluster = make(wiring=NINE)
    cluster.frozen.add("s1-0")
    cluster.run(RESTORED)
    stuck = {each.nics["s1-0"] for each in cluster.membership.members.values() if "s1-0" in each.nics}
    everyone_thinks(cluster, stuck)
    cluster.run(30)
    cluster.frozen.clear()
    cluster.run(HOLD + 1)
    everyone_thinks(cluster, set())
    assert {len(flips) for flips in cluster.flips.values()} == {2}


@pytest.mark.long
def test_two_that_do_not_hear_each_other_keep_apart_without_a_verdict_on_either() -> None:
    """The switch loses the frames of n000 to its successor, and nothing else."""
    cluster = make(wiring=plane(5))
    ring = cluster.membership.list_ring("s0-0")
    first, second = ring[0], ring[1]
    one, other = cluster.owner[first][0], cluster.owner[second][0]
    cluster.passes = lambda *frame: frame != ("s0-0", one, other)
    cluster.run(HOLD + 5)
    assert (cluster.thinks(one), cluster.thinks(other)) == ({second}, {first})
    everyone_thinks(cluster, set(), spared=(one, other))
    before = len(cluster.flips[other, first])
    cluster.run(120)
    assert len(cluster.flips[other, first]) == before, "no oscillation"
    cluster.passes = None
    cluster.run(5)
    everyone_thinks(cluster, set())


def test_a_restart_is_no_event() -> None:
    cluster = make()
    for stop in (cluster.stop, cluster.kill):
        stop("k02")
        cluster.start("k02", after=0.4)
        cluster.run(10)
    assert cluster.flips == {}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("how", ["restarted", "killed"])
def test_a_restart_may_last_nearly_as_long_as_the_timeout_of_the_peers(how: str, seed: int) -> None:
    """Less 50 ms for the exchange of challenges; less an interval if the daemon was killed at any moment in it."""
    cluster = make(seed)
    cluster.run(cluster.chance.uniform(0, 0.3))
    if how == "restarted":
        cluster.stop_for_restart("k02")
        cluster.start("k02", after=cluster.settings.timeout - 0.05)
    else:
        cluster.kill("k02")
        cluster.start("k02", after=cluster.settings.timeout - cluster.settings.pace - 0.05)
    cluster.run(2)
    assert cluster.flips == {}


def test_a_daemon_that_leaves_is_not_suspected() -> None:
    cluster = make()
    cluster.stop("k02")
    cluster.run(60)
    assert cluster.flips == {}


def test_a_daemon_that_leaves_withdraws_reports_on_its_own_nics() -> None:
    cluster = make()
    cluster.set_carrier("k02", "red", False)
    cluster.run(1)
    cluster.stop("k02")
    cluster.run(1)
    everyone_thinks(cluster, set())


def test_a_node_without_power_is_out_of_use_and_comes_back() -> None:
    cluster = make()
    cluster.cut_power("k02")
    cluster.run(GONE)
    everyone_thinks(cluster, {mac_of(cluster, "k02", "red"), mac_of(cluster, "k02", "green")})
    cluster.run(300)
    cluster.start("k02")
    cluster.run(HOLD + 2)
    everyone_thinks(cluster, set())


@pytest.mark.parametrize(
    "late", [86_400, *(pytest.param(each, marks=pytest.mark.long) for each in (-86_400, 1_700_000_000))]
)
def test_a_node_whose_wall_clock_is_wrong_after_a_boot_comes_back_as_soon(late: float) -> None:
    cluster = make()
    cluster.cut_power("k02")
    cluster.run(300)
    cluster.start("k02", late=late)
    cluster.run(HOLD + 2)
    everyone_thinks(cluster, set())
    cluster.set_carrier("k02", "red", False)
    cluster.run(1)
    everyone_thinks(cluster, {mac_of(cluster, "k02", "red")})


def test_a_daemon_that_starts_late_learns_all_records() -> None:
    cluster = make()
    cluster.stop("k05")
    cluster.set_carrier("k02", "red", False)
    cluster.run(120)
    cluster.start("k05")
    cluster.run(1)
    everyone_thinks(cluster, {mac_of(cluster, "k02", "red")})


def test_a_restart_keeps_a_broken_nic_out_of_use() -> None:
    cluster = make()
    mac = mac_of(cluster, "k02", "red")
    cluster.faults[mac] = Fault(False, False)
    cluster.run(2)
    cluster.kill("k02")
    cluster.start("k02", after=0.4, known={mac: (1, True)})
    cluster.run(30)
    everyone_thinks(cluster, {mac})
    assert {len(flips) for flips in cluster.flips.values()} == {1}


@pytest.mark.long
def test_a_flapping_cable_is_trusted_ever_less() -> None:
    cluster = make()
    mac = mac_of(cluster, "k02", "red")
    for _ in range(120):
        cluster.set_carrier("k02", "red", False)
        cluster.run(0.5)
        cluster.set_carrier("k02", "red", True)
        cluster.run(4)
    # 540 s. The hold-down is 3 s, then 6, 12, 24, 48, 60; as the cable never stays in for over 4 s, it returns once.
    assert len(cluster.flips["k00", mac]) <= 4
    cluster.run(61)
    everyone_thinks(cluster, set())


@pytest.mark.long
def test_with_frames_lost_at_random_all_agree_in_the_end() -> None:
    cluster = make(wiring=NINE, loss=LOSS, octets=True)
    cluster.run(LOSSY)
    assert cluster.flips, "frames lost in a row are taken for a fault"
    cluster.loss = 0.0
    cluster.run(70)
    everyone_thinks(cluster, set())


def test_frames_survive_the_wire() -> None:
    cluster = make(octets=True)
    mac = mac_of(cluster, "k01", "red")
    cluster.faults[mac] = Fault(False, False)
    cluster.run(RESTORED)
    everyone_thinks(cluster, {mac})


@pytest.mark.long
def test_a_nic_sends_to_2k_peers_in_an_interval_however_many_nodes_there_are() -> None:
    rates = []
    for order in ORDERS:
        cluster = make(wiring=plane(order))
        before = dict(cluster.sent)
        cluster.run(WATCHED)
        rates.append({(cluster.sent[node] - before[node]) / (order + 1) for node in cluster.sent})
    assert all(OF_TWO[0] <= rate <= OF_TWO[1] for rate in rates[0])  # with three NICs on a switch, only two peers
    assert all(OF_FOUR[0] <= rate <= OF_FOUR[1] for rate in rates[1] | rates[2])


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize(
    ("wiring", "switch"),
    [
        pytest.param(TWELVE, "red", id="twelve"),
        pytest.param(plane(7), "s0-0", id="plane", marks=pytest.mark.long),
    ],
)
def test_a_nic_sends_to_2k_peers_in_an_interval_again_after_a_fault(
    fault: Fault, wiring: dict[str, list[str]], switch: str
) -> None:
    cluster = make(wiring=wiring)
    mac = cluster.membership.list_ring(switch)[3]
    cluster.faults[mac] = fault
    cluster.run(2)
    del cluster.faults[mac]
    cluster.run(2 * HOLD + 3)
    before = dict(cluster.sent)
    cluster.run(WATCHED)
    everyone_thinks(cluster, set())
    rates = [(cluster.sent[node] - before[node]) / len(wiring[node]) for node in wiring]
    assert all(OF_FOUR[0] <= rate <= OF_FOUR[1] for rate in rates), rates


@pytest.mark.long
def test_two_nics_that_watched_each_other_past_a_third_do_not_accuse_each_other_after_its_return() -> None:
    cluster = make(wiring=plane(7))
    ring = cluster.membership.list_ring("s0-0")
    cluster.faults[ring[3]] = FAULTS["dead"]
    cluster.run(2)
    assert to_octets(ring[1]) in cluster.machines[cluster.owner[ring[4]][0]].nics["s0-0"].expected
    del cluster.faults[ring[3]]
    cluster.run(60)
    everyone_thinks(cluster, set())
    assert {mac for _, mac in cluster.flips} == {ring[3]}


def test_a_nic_whose_ring_neighbors_have_left_stays_in_use_though_it_watched_others_once() -> None:
    cluster = make(wiring=TWELVE)
    ring = cluster.membership.list_ring("red")
    cluster.faults[ring[3]] = FAULTS["dead"]
    cluster.run(2)
    del cluster.faults[ring[3]]
    cluster.run(HOLD + 2)
    for place in (0, 1, 3, 4):
        cluster.stop(cluster.owner[ring[place]][0])
    cluster.run(30)
    everyone_thinks(cluster, set())


def test_a_frame_of_a_nic_that_is_planned_elsewhere_is_no_sign_of_life() -> None:
    cluster = make()
    machine = cluster.machines["k00"]
    before = machine.counts["received"]
    green = cluster.machines["k02"]
    green.advance(green.wake_at)
    messages = [each for each in green.take_messages() if each.switch == "green"]
    assert messages
    for message in messages:
        machine.receive("red", message.frame, cluster.now)
    assert machine.counts["received"] == before
    assert machine.counts["misplaced"] >= 1


def test_settings_stretch_and_shrink_all_times() -> None:
    cluster = make(settings=Settings(interval=0.1, hold=1))
    mac = mac_of(cluster, "k01", "red")
    cluster.faults[mac] = Fault(False, False)
    cluster.run(0.4)
    everyone_thinks(cluster, {mac})
    del cluster.faults[mac]
    cluster.run(1.5)
    everyone_thinks(cluster, set())


# --- many random faults


def break_something(cluster: Clockwork) -> tuple[set[str], Iterator[None]]:
    """Injects one fault; returns the MACs that all nodes should avoid, and an iterator whose next step repairs it."""
    kind = cluster.chance.choice(["carrier", "dead", "mute", "deaf", "frozen", "power"])
    node = cluster.chance.choice(list(cluster.wiring))
    switch = cluster.chance.choice(cluster.wiring[node])
    mac = mac_of(cluster, node, switch)

    def run() -> Iterator[None]:
        if kind == "carrier":
            cluster.set_carrier(node, switch, False)
            yield
            cluster.set_carrier(node, switch, True)
        elif kind == "frozen":
            cluster.frozen.add(switch)
            yield
            cluster.frozen.discard(switch)
        elif kind == "power":
            cluster.cut_power(node)
            yield
            cluster.start(node)
        else:
            cluster.faults[mac] = Fault(sends=kind == "deaf", hears=kind == "mute")
            yield
            del cluster.faults[mac]
        yield

    blamed = {mac}
    if kind == "frozen":
        blamed = {each.nics[switch] for each in cluster.membership.members.values() if switch in each.nics}
    elif kind == "power":
        blamed = set(cluster.membership.members[node].nics.values())
    steps = run()
    next(steps)
    return blamed, steps


def mac_switch(cluster: Clockwork) -> Callable[[str], str]:
    return lambda mac: cluster.owner[mac][1]


@pytest.mark.parametrize("wiring", [SIX, NINE, TWELVE], ids=["six", "plane", "twelve"])
def test_any_fault_and_its_repair_reach_all_in_time(wiring: dict[str, list[str]]) -> None:
    """Faults of random kind and time, one after another: detected in time, no other NIC blamed, one change each way."""
    cluster = make(7, wiring, settings=Settings(hold=1))
    for episode in range(EPISODES):
        cluster.flips.clear()
        cluster.run(cluster.chance.uniform(0, 0.5))
        blamed, steps = break_something(cluster)
        cluster.run(RESTORED if len(blamed) == 1 or len(set(map(mac_switch(cluster), blamed))) == 1 else GONE)
        everyone_thinks(cluster, blamed)
        cluster.run(cluster.chance.uniform(0, 3))
        everyone_thinks(cluster, blamed)
        next(steps)
        cluster.run(1 + 2)
        everyone_thinks(cluster, set())
        assert all(len(flips) == 2 for flips in cluster.flips.values()), (episode, cluster.flips)
        # The cluster settles, so that the next fault does not count as flapping.
        cluster.run(5)


def exchange(cluster: Clockwork, node: str) -> str:
    """Swaps the switches of a node's NICs on red and blue, in two passes; returns the MAC now on blue."""
    member = cluster.membership.members[node]
    red, blue = member.nics["red"], member.nics["blue"]
    after = make_membership(TWELVE, cluster.settings)
    after.members[node] = replace(member, nics={**member.nics, "red": blue, "blue": red})
    for membership in (cluster.membership, after):
        for each, machine in cluster.machines.items():
            machine.adopt(membership.members[each].nics, after, cluster.now)
            cluster._after(each)
            cluster.run(0.1)
        cluster.run(5)
        cluster.owner = {mac: (each.name, at) for each in after.members.values() for at, mac in each.nics.items()}
    return red


@pytest.mark.long
def test_a_nic_that_changed_its_switch_is_found_dead_by_all() -> None:
    cluster = make(wiring=TWELVE)
    mac = exchange(cluster, "n02")
    cluster.run(30)
    everyone_thinks(cluster, set())
    cluster.faults[mac] = FAULTS["dead"]
    cluster.run(30)
    everyone_thinks(cluster, {mac})
    del cluster.faults[mac]
    cluster.run(60)
    everyone_thinks(cluster, set())


@pytest.mark.long
def test_a_node_that_ended_well_and_came_back_with_an_earlier_clock_is_found_dead_by_all() -> None:
    cluster = make(wiring=TWELVE)
    cluster.stop("n02")
    cluster.run(90)
    cluster.start("n02", late=86400 * 400)
    cluster.run(30)
    cluster.cut_power("n02")
    cluster.run(60)
    everyone_thinks(cluster, set(cluster.membership.members["n02"].nics.values()))


def test_a_pair_that_passes_one_way_only_is_avoided_by_both_after_a_restart() -> None:
    cluster = make(wiring={f"k0{rank}": ["red", "blue"] for rank in range(6)})
    one, other = mac_of(cluster, "k00", "red"), mac_of(cluster, "k01", "red")
    cluster.passes = lambda *frame: frame != ("red", "k00", "k01")
    cluster.run(30)
    assert other in cluster.thinks("k00") and one in cluster.thinks("k01")
    known = {mac: cluster.machines["k00"].records.find(to_octets(mac)) for mac in cluster.thinks("k00")}
    cluster.kill("k00")
    cluster.start("k00", after=0.4, known=known)
    cluster.run(30)
    assert other in cluster.thinks("k00") and one in cluster.thinks("k01")
    cluster.passes = None
    cluster.run(60)
    everyone_thinks(cluster, set())


def strain_across(cluster: Clockwork) -> tuple[str, str]:
    """Makes a pair of NICs that monitor each other past a dead NIC and lose all frames one way; then the NIC recovers.

    Returns the two nodes.
    """
    ring = cluster.membership.list_ring("red")
    cluster.faults[ring[3]] = FAULTS["dead"]
    cluster.run(2)
    one, other = cluster.owner[ring[2]][0], cluster.owner[ring[5]][0]
    cluster.passes = lambda *frame: frame != ("red", one, other)
    cluster.run(30)
    del cluster.faults[ring[3]]
    cluster.run(30)
    assert (cluster.thinks(one), cluster.thinks(other)) == ({ring[5]}, {ring[2]})
    return one, other


def test_a_strained_pair_that_is_no_longer_near_in_the_ring_recovers() -> None:
    cluster = make(wiring=TWELVE)
    one, other = strain_across(cluster)
    before = dict(cluster.sent)
    cluster.run(30)
    # In each interval both ends send a request, and the end that receives one sends a reply.
    assert cluster.sent[other] - before[other] <= 3 * 485 + 108
    assert cluster.sent[one] - before[one] <= 3 * 485 + 216
    assert all(cluster.thinks(one) for one in (one, other))
    cluster.passes = None
    cluster.run(HOLD + 2)
    everyone_thinks(cluster, set())


@pytest.mark.parametrize(
    ("end", "repaired"),
    [(0, False), *(pytest.param(*each, marks=pytest.mark.long) for each in ((0, True), (1, True), (1, False)))],
)
def test_a_strained_pair_that_is_no_longer_near_in_the_ring_recovers_after_a_restart(end: int, repaired: bool) -> None:
    cluster = make(wiring=TWELVE)
    node = strain_across(cluster)[end]
    known = {mac: cluster.machines[node].records.find(to_octets(mac)) for mac in cluster.thinks(node)}
    cluster.kill(node)
    cluster.passes = None if repaired else cluster.passes
    cluster.start(node, after=0.4, known=known)
    cluster.run(30)
    assert bool(cluster.thinks(node)) is not repaired
    cluster.passes = None
    cluster.run(HOLD + 2)
    everyone_thinks(cluster, set())


def test_a_restored_strained_pair_is_dropped_with_its_plan() -> None:
    cluster = make(wiring=TWELVE)
    mac = mac_of(cluster, "n01", "red")
    own = cluster.machines["n00"].nics["red"]
    own.active_peers.discard(to_octets(mac))  # as after a restart, before its first frame
    own.strain(to_octets(mac))
    own.adopt([each for each in own.ring if each != to_octets(mac)], 0, cluster.settings)
    assert to_octets(mac) not in own.strained
