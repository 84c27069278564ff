# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/suspects.py: power and false alarms on synthetic networks, and rare faults.

Of 100 seeds, each fault must be named with its cause in at least 99, and a network without a fault must have a suspect
in at most 5. `make test` tests 64 nodes with fewer seeds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ansible.module_utils.fnn.controller.bench.counters import measure_growth
from ansible.module_utils.fnn.controller.bench.describe import advise, describe_suspect
from ansible.module_utils.fnn.controller.bench.groups import make_tests
from ansible.module_utils.fnn.controller.bench.suspects import Suspect, find_payload_share, find_suspects
from ansible.module_utils.fnn.controller.documents import Documents
from synthetic_network import (
    Fault,
    Outcome,
    SyntheticNetwork,
    make_half_rate_switch,
    make_lossy_cable,
    make_oversubscribed_switch,
    make_slow_node,
    make_slow_port,
)

#: Site -> nodes.
SIZES = {"lab": 6, "sixteen": 16, "klat2": 64}
#: (cause, kind of the part, its name, its NIC)
Blame = tuple[str, str | None, str | None, int | None]
Case = Callable[["Site", int], tuple[Fault, Blame]]


class Site:
    """A synthetic network on a committed design."""

    def __init__(self, root: Path, documents: Documents, site: str) -> None:
        self.design = documents.read(root / "inventory" / site / "design.json", "fnn-design")
        self.network = SyntheticNetwork(self.design)
        self.switches = [each["name"] for each in self.design["switches"]]
        self.nodes = [each["name"] for each in self.design["nodes"]]

    def blame(self, seed: int, *faults: Fault, counters: Any = None, **more: Any) -> list[Suspect]:
        tests = make_tests(self.network.measure(seed, faults), self.network.fabric)
        return find_suspects(tests, measure_growth(counters or {}), **more)

    def choose(self, things: Sequence[Any], seed: int) -> Any:
        return things[int(np.random.default_rng(seed + 1000).integers(len(things)))]


@pytest.fixture(scope="module")
def find_site(root: Path, documents: Documents) -> Callable[[str], Site]:
    return functools.cache(lambda site: Site(root, documents, site))


def identify(suspect: Suspect) -> Blame:
    part = suspect.part
    return (suspect.cause, *((part.kind, part.name, part.nic) if part else (None, None, None)))


def slow_port(site: Site, seed: int) -> tuple[Fault, Blame]:
    leg = site.choose(site.network.legs, seed)
    return make_slow_port(leg, (0.1, 0.5)[seed % 2]), ("slow-port", "leg", leg.node, leg.nic)


def lossy_cable(site: Site, seed: int) -> tuple[Fault, Blame]:
    leg = site.choose(site.network.legs, seed)
    return make_lossy_cable(leg, seed % 2 == 0, seed % 4 < 2), ("lossy-cable", "leg", leg.node, leg.nic)


def slow_node(site: Site, seed: int) -> tuple[Fault, Blame]:
    node = site.choose(site.nodes, seed)
    return make_slow_node(node), ("slow-node", "node", node, None)


def half_rate_switch(site: Site, seed: int) -> tuple[Fault, Blame]:
    switch = site.choose(site.switches, seed)
    return make_half_rate_switch(switch), ("slow-switch", "switch", switch, None)


def oversubscribed_switch(site: Site, seed: int) -> tuple[Fault, Blame]:
    switch = site.choose(site.switches, seed)
    return make_oversubscribed_switch(switch), ("oversubscribed", "switch", switch, None)


FAULTS: list[Case] = [slow_port, lossy_cable, slow_node, half_rate_switch, oversubscribed_switch]
SEEDS = [
    ("lab", 100),
    ("sixteen", 20),
    ("klat2", 5),
    *(pytest.param(site, 100, marks=pytest.mark.long) for site in ("sixteen", "klat2")),
]


@pytest.mark.parametrize(("site", "seeds"), SEEDS)
@pytest.mark.parametrize("make", FAULTS, ids=lambda each: each.__name__)
def test_each_fault_is_named_with_its_cause(
    find_site: Callable[[str], Site], site: str, seeds: int, make: Case
) -> None:
    network, missed, more = find_site(site), [], []
    for seed in range(seeds):
        fault, blame = make(network, seed)
        named = [identify(each) for each in network.blame(seed, fault)]
        missed += [] if blame in named else [(seed, blame, named)]
        more += [(seed, named)] if len(named) > 1 else []
    assert len(missed) <= seeds / 100, missed
    assert len(more) <= 5 * seeds / 100, more


@pytest.mark.parametrize(("site", "seeds"), SEEDS)
def test_a_network_without_a_fault_seldom_has_a_suspect(
    find_site: Callable[[str], Site], site: str, seeds: int
) -> None:
    alarms = [seed for seed in range(seeds) if find_site(site).blame(seed)]
    assert len(alarms) <= 5 * seeds / 100, alarms


@pytest.mark.parametrize("site", ["lab", "sixteen"])
def test_a_very_noisy_network_without_a_fault_seldom_has_a_suspect(find_site: Callable[[str], Site], site: str) -> None:
    def disturb(outcome: Outcome, chance: np.random.Generator) -> None:
        outcome.factor *= float(chance.lognormal(-0.05, 0.15))
        outcome.loss *= float(chance.lognormal(0, 1))

    alarms = [seed for seed in range(100) if any(each.part for each in find_site(site).blame(seed, disturb))]
    assert len(alarms) <= 5, alarms


def test_several_faults_are_all_named(find_site: Callable[[str], Site]) -> None:
    site = find_site("klat2")
    legs = {(leg.node, leg.nic): leg for leg in site.network.legs}
    faults = [
        make_slow_port(legs["k03", 1]),
        make_lossy_cable(legs["k20", 3], True, False),
        make_slow_node("k40"),
        make_half_rate_switch("blue"),
    ]
    named = {identify(each) for each in site.blame(1, *faults)}
    assert named == {
        ("slow-port", "leg", "k03", 1),
        ("lossy-cable", "leg", "k20", 3),
        ("slow-node", "node", "k40", None),
        ("slow-switch", "switch", "blue", None),
    }


@pytest.mark.parametrize("site", ["lab", "sixteen"])
def test_a_difference_within_the_margin_is_no_fault(find_site: Callable[[str], Site], site: str) -> None:
    def slow_down(outcome: Outcome, _: np.random.Generator) -> None:
        outcome.factor *= 0.97 if outcome.sender.node == "k01" else 1.0

    alarms = [seed for seed in range(50) if find_site(site).blame(seed, slow_down)]
    assert len(alarms) <= 2


def test_a_port_that_is_slow_in_one_direction_is_named_with_it(find_site: Callable[[str], Site]) -> None:
    site = find_site("sixteen")
    leg = site.network.legs[5]

    def slow_down(outcome: Outcome, _: np.random.Generator) -> None:
        outcome.factor *= 0.3 if outcome.receiver == leg else 1.0

    (suspect,) = site.blame(1, slow_down)
    assert suspect.part is not None
    assert (suspect.part.name, suspect.part.direction, suspect.cause) == (leg.node, "in", "slow-port")
    assert "when it receives" in describe_suspect(suspect)


def test_on_one_switch_a_leg_cannot_be_distinguished_from_its_node(find_site: Callable[[str], Site]) -> None:
    site = find_site("one-switch")
    (suspect,) = site.blame(1, make_slow_port(site.network.legs[1]))
    assert suspect.part is not None
    assert [suspect.part.kind, *(each.kind for each in suspect.same)] == ["leg", "node"]
    assert describe_suspect(suspect).startswith("k1 nic0 on ")
    assert " or k1 gets " in describe_suspect(suspect)


@pytest.mark.parametrize("site", ["two-switches-30", "one-switch", "ring", "ring-stp", "ring-bonded", "star", "mesh"])
def test_other_topologies_without_a_fault_seldom_have_a_suspect(find_site: Callable[[str], Site], site: str) -> None:
    alarms = [seed for seed in range(20) if find_site(site).blame(seed)]
    assert len(alarms) <= 1, alarms


@pytest.mark.parametrize("site", ["ring", "mesh", "star"])
def test_between_nodes_a_slow_cable_is_named(find_site: Callable[[str], Site], site: str) -> None:
    network = find_site(site)
    leg = network.network.fabric.legs["cable1"][0]
    named = [identify(each) for each in network.blame(1, make_slow_port(leg))]
    assert named == [("slow-cable", "cable", "cable1", None)]


def test_in_a_tree_a_slow_trunk_is_named(find_site: Callable[[str], Site]) -> None:
    def slow_down(outcome: Outcome, _: np.random.Generator) -> None:
        outcome.factor *= 0.5 if outcome.sender.switch != outcome.receiver.switch else 1.0

    (suspect,) = find_site("two-switches-30").blame(1, slow_down)
    assert identify(suspect) == ("slow-trunk", "trunk", "blue-red", None)


def test_tests_that_all_fail_name_the_silent_part(find_site: Callable[[str], Site]) -> None:
    site = find_site("sixteen")
    entries = site.network.measure(1)
    for each in entries:
        if ("k02", "nic0") in ((each["from"], each["from_nic"]), (each["to"], each["to_nic"])):
            each.update(mbps=None, retransmits=None, seconds=None, rtt_us=None, error="no route to host")
    (suspect,) = find_suspects(make_tests(entries, site.network.fabric), {})
    assert identify(suspect) == ("silent", "leg", "k02", 0)
    assert "passed nothing in most tests" in describe_suspect(suspect)
    assert "./fnn verify" in advise(suspect)


def test_a_network_that_is_slow_everywhere_is_named_as_a_whole(find_site: Callable[[str], Site]) -> None:
    def slow_down(outcome: Outcome, _: np.random.Generator) -> None:
        outcome.factor *= 0.7

    (suspect,) = find_site("lab").blame(1, slow_down)
    assert identify(suspect) == ("slow-network", None, None, None)
    assert describe_suspect(suspect).startswith("the whole network gets ")


def test_jumbo_frames_promise_more(find_site: Callable[[str], Site]) -> None:
    assert find_payload_share(1500) == pytest.approx(1448 / 1538)
    assert find_payload_share(9000) == pytest.approx(8948 / 9038)
    assert [each.cause for each in find_site("lab").blame(1, mtu=9000)] == []


class TestSlowOrLossy:
    """A leg that is slow and loses frames: by round trips, the reported speed, counters, or the rate."""

    def blame(self, site: Site, rtt: float | None, **more: Any) -> Suspect:
        leg = site.network.legs[4]

        def spoil(outcome: Outcome, chance: np.random.Generator) -> None:
            if leg in (outcome.sender, outcome.receiver):
                outcome.factor *= 0.37 * float(chance.normal(1, 0.01))
                outcome.loss += 0.01
                outcome.rtt *= rtt or 1.0

        entries = site.network.measure(1, [spoil])
        for each in entries if rtt is None else ():
            del each["rtt_us"]
        (suspect,) = find_suspects(make_tests(entries, site.network.fabric), **{"growth": {}, **more})
        return suspect

    def test_full_queues_mean_a_slow_port(self, find_site: Callable[[str], Site]) -> None:
        assert self.blame(find_site("sixteen"), rtt=6.0).cause == "slow-port"

    def test_empty_queues_mean_a_lossy_cable(self, find_site: Callable[[str], Site]) -> None:
        assert self.blame(find_site("sixteen"), rtt=0.8).cause == "lossy-cable"

    def test_without_round_trips_an_odd_rate_means_a_lossy_cable(self, find_site: Callable[[str], Site]) -> None:
        assert self.blame(find_site("sixteen"), rtt=None).cause == "lossy-cable"

    def test_a_reported_speed_means_a_slow_port(self, find_site: Callable[[str], Site]) -> None:
        site = find_site("sixteen")
        leg = site.network.legs[4]
        suspect = self.blame(site, rtt=None, slow_links={(leg.node, leg.device): 1000.0})
        assert suspect.cause == "slow-port"
        assert describe_suspect(suspect).endswith("its link runs at 1 Gb/s")

    def test_bad_frames_mean_a_lossy_cable(self, find_site: Callable[[str], Site]) -> None:
        site = find_site("sixteen")
        leg = site.network.legs[4]
        growth = measure_growth(count_frames(site, {(leg.node, leg.device): 50}))
        suspect = self.blame(site, rtt=6.0, growth=growth)
        assert suspect.cause == "lossy-cable"
        assert "rx_crc_errors +50" in describe_suspect(suspect)


def count_frames(site: Site, bad: dict[tuple[str, str], int]) -> dict[str, Any]:
    """Counters of NICs, of which some counted bad frames."""
    counters: dict[str, Any] = {}
    for leg in site.network.legs:
        before = {"rx_packets": 1000, "rx_crc_errors": 3, "rx_dropped": 5}
        grown = bad.get((leg.node, leg.device), 0)
        after = {"rx_packets": 101_000, "rx_crc_errors": 3 + grown, "rx_dropped": 9}
        counters.setdefault(leg.node, {})[leg.device] = {"before": before, "after": after}
    return counters


def test_a_nic_with_bad_frames_is_named_although_its_tests_are_fast(find_site: Callable[[str], Site]) -> None:
    site = find_site("klat2")
    (suspect,) = site.blame(1, counters=count_frames(site, {("k07", "nic2"): 12, ("k08", "nic0"): 1}))
    assert suspect.part is not None
    assert (suspect.cause, suspect.part.name, suspect.part.device) == ("bad-frames", "k07", "nic2")
    assert "counted bad frames, more than other NICs (rx_crc_errors +12, rx_dropped +4)" in describe_suspect(suspect)


def test_bad_frames_everywhere_accuse_no_nic(find_site: Callable[[str], Site]) -> None:
    site = find_site("lab")
    counters = count_frames(site, {(leg.node, leg.device): 10 for leg in site.network.legs})
    assert site.blame(1, counters=counters) == []


def test_no_tests_have_no_suspects(find_site: Callable[[str], Site]) -> None:
    assert find_suspects(make_tests([], find_site("lab").network.fabric), {}) == []


@pytest.mark.parametrize("make", FAULTS, ids=lambda each: each.__name__)
def test_each_fault_is_a_sentence_with_what_to_do(find_site: Callable[[str], Site], make: Case) -> None:
    site = find_site("lab")
    fault, _ = make(site, 1)
    (suspect,) = site.blame(1, fault)
    text, advice = describe_suspect(suspect), advise(suspect)
    assert ": " in text and text[-1] not in ".;" and "None" not in text
    assert len(text) < 200 and len(advice) < 200


def test_the_sentences_of_faults_say_what_was_measured(find_site: Callable[[str], Site]) -> None:
    site = find_site("lab")
    legs = {(leg.node, leg.nic): leg for leg in site.network.legs}
    (port,) = site.blame(3, make_slow_port(legs["k02", 0]))
    assert describe_suspect(port) == (
        "k02 nic0 on red gets 94.1 Mb/s, 9.4 % of the design; others get 94.3 % (24 tests): its link runs at a lower"
        " speed or is limited"
    )
    assert advise(port) == (
        "compare the speed in `ethtool nic0` on k02 with its port of red; replace the cable, then try another port"
    )
    (switch,) = site.blame(3, make_oversubscribed_switch("red"))
    assert describe_suspect(switch).startswith("red passes 1.")
    assert describe_suspect(switch).endswith(
        "and a pair alone gets the full rate (48 tests): its backplane carries less than its links together"
        " (oversubscribed)"
    )
    assert advise(switch).startswith("state internal_gbps: 1.")
