# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/loss.py: which cables lose frames, and which do not."""

from __future__ import annotations

import random

import pytest
from ansible.module_utils.fnn.controller.verify.cables import JudgedCable
from ansible.module_utils.fnn.controller.verify.loss import Side, count_legs, list_sides
from six_pcs import SIX, words
from wirings import Cluster, kinds, make_design, names, six, the_finding

Key = tuple[str, int]
BOTH = (True, True)


def lose(
    cluster: Cluster, cables: dict[Key, tuple[bool, bool]], rate: float, beacons: int = 100, seed: int = 1
) -> None:
    """Sets the beacon counts of NICs whose cables lose frames they send, frames they receive, or both."""
    chance = random.Random(seed)
    keys = {cluster.mac(*key): key for key in cluster.plugs}
    arrived = {
        mac: [not (cables.get(key, (False, False))[0] and chance.random() < rate) for _ in range(beacons)]
        for mac, key in keys.items()
    }
    for node, seen in cluster.observe().items():
        for observed in seen["heard"]:
            nic = int(observed["device"][3:])
            received = {}
            for mac in observed["hears"]:
                deaf = cables.get((node, nic), (False, False))[1]
                got = [n for n, ok in enumerate(arrived[mac]) if ok and not (deaf and chance.random() < rate)]
                if got:
                    received[mac] = [len(got), got[-1] - got[0] + 1]
            counts = {"sent": beacons, "received": received, "overflow": 0, "backlog": 0, "carrier_losses": 0}
            cluster.heard.setdefault((node, nic), {})["counts"] = {**counts, "errors": 0}


def test_no_loss_no_finding() -> None:
    cluster = six()
    lose(cluster, {}, 0)
    verification = cluster.verify()
    assert (verification.verdict, verification.findings) == ("match", ())


@pytest.mark.parametrize("rate", [0.3, 0.9])
@pytest.mark.parametrize("ways", [(True, False), (False, True), BOTH], ids=["sends", "receives", "both"])
@pytest.mark.parametrize("key", [("k00", 0), ("k02", 1), ("k05", 0)])
@pytest.mark.parametrize("seed", range(5))
def test_the_one_cable_that_loses_is_named(rate: float, ways: tuple[bool, bool], key: Key, seed: int) -> None:
    cluster = six()
    lose(cluster, {key: ways}, rate, seed=seed)
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, finding.breaks, names(finding)) == ("miswired", "lossy", True, {key})
    assert ("of what it sends to" in words(finding), "of what it receives from" in words(finding)) == ways


def test_the_figures_are_those_of_the_beacons() -> None:
    cluster = six()
    lose(cluster, {("k00", 0): (True, False)}, 0.3)
    finding = the_finding(cluster.verify())
    assert words(finding) == (
        "k00: the cable in nic0 loses 26 % of what it sends to RED; try another cable, then another port of RED"
    )
    assert finding.evidence == "beacons: k01 nic0, k02 nic0 and k03 nic0 lost 26 of 99 of k00 nic0"


def test_a_cable_of_which_one_beacon_arrived_loses_nearly_all() -> None:
    cluster = six()
    lose(cluster, {}, 0)
    for node in ("k01", "k02", "k03"):
        cluster.heard[node, 0]["counts"]["received"][cluster.mac("k00", 0)] = [1, 1]
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding), finding.breaks) == ("lossy", {("k00", 0)}, True)
    assert "loses 95 % of what it sends to RED" in words(finding)


@pytest.mark.parametrize("seed", range(20))
def test_two_lossy_cables_of_a_switch_of_six_are_both_named_and_no_other(seed: int) -> None:
    wiring = {f"k{number:02}": ["red", "blue"] for number in range(6)}
    cluster = Cluster(make_design(wiring))
    lose(cluster, {("k01", 0): BOTH, ("k04", 0): (True, False)}, 0.3, seed=seed)
    verification = cluster.verify()
    assert {key for finding in verification.findings for key in names(finding)} == {("k01", 0), ("k04", 0)}
    assert kinds(verification) == ["lossy", "lossy"]


def test_a_switch_that_loses_between_all_is_one_finding() -> None:
    cluster = six()
    lose(cluster, {(node, wires.index("red")): BOTH for node, wires in SIX.items() if "red" in wires}, 0.3)
    finding = the_finding(cluster.verify())
    assert words(finding).startswith("RED loses ")
    assert len(finding.cables) == 4


def test_two_nics_alone_on_a_switch_are_one_finding() -> None:
    cluster = Cluster(make_design({"k00": ["red"], "k01": ["red"]}))
    lose(cluster, {("k00", 0): BOTH}, 0.3)
    finding = the_finding(cluster.verify())
    assert words(finding).startswith("frames between k00 nic0 and k01 nic0 are lost, up to ")


def test_frames_lost_in_a_loop_do_not_count_as_loss_of_a_cable() -> None:
    cluster = six()
    lose(cluster, {("k00", 0): BOTH}, 0.3)
    cluster.heard["k04", 1]["loop"] = True
    assert kinds(cluster.verify()) == ["loop"]


def test_a_few_missed_beacons_are_no_finding() -> None:
    cluster = six()
    lose(cluster, {("k00", 0): BOTH}, 0.02)
    assert cluster.verify().findings == ()


def test_frames_that_a_busy_node_dropped_itself_are_not_the_loss_of_its_cable() -> None:
    cluster = six()
    lose(cluster, {("k00", 0): (False, True)}, 0.3)
    counts = cluster.heard["k00", 0]["counts"]
    missing = sum(expected - received for received, expected in counts["received"].values())
    for name in ("overflow", "backlog"):
        cluster.heard["k00", 0]["counts"] = {**counts, name: missing}
        assert cluster.verify().findings == ()


def test_a_cable_that_loses_nearly_all_makes_no_pair_unknown_or_isolated() -> None:
    cluster = six()
    lose(cluster, {("k00", 0): BOTH}, 0.9)
    mac = cluster.mac("k00", 0)
    cluster.heard["k02", 0]["hears"] = [cluster.mac("k01", 0), cluster.mac("k03", 0)]
    cluster.heard["k00", 0]["hears"] = [cluster.mac("k01", 0), cluster.mac("k02", 0)]
    cluster.heard["k03", 0]["hears"] = [mac, cluster.mac("k01", 0), cluster.mac("k02", 0)]
    assert kinds(cluster.verify()) == ["lossy"]


def test_a_carrier_that_comes_and_goes_is_named_and_one_loss_is_not() -> None:
    for losses, expected in ((1, []), (2, ["flapping"])):
        cluster = six()
        cluster.heard["k03", 1] = {"counts": {"carrier_losses": losses}}
        assert kinds(cluster.verify()) == expected
    finding = the_finding(cluster.verify())
    assert words(finding).startswith("k03: nic1 loses its carrier repeatedly; try another cable, then another port")
    assert finding.evidence == "links: k03 nic1 lost its carrier 2 times while beacons ran"


def test_a_cable_whose_carrier_is_gone_at_the_moment_is_not_missing_and_its_lost_beacons_are_explained() -> None:
    cluster = six()
    lose(cluster, {("k03", 1): BOTH}, 0.3)
    cluster.heard["k03", 1]["counts"]["carrier_losses"] = 5
    cluster.links["k03", 1] = {"carrier": False}
    verification = cluster.verify()
    assert (verification.verdict, kinds(verification)) == ("miswired", ["flapping"])


def test_a_nic_that_lost_its_carrier_once_is_not_lossy() -> None:
    cluster = six()
    lose(cluster, {("k03", 1): BOTH}, 0.3)
    cluster.heard["k03", 1]["counts"]["carrier_losses"] = 1
    assert cluster.verify().findings == ()


def test_errors_are_a_warning() -> None:
    cluster = six()
    cluster.heard["k03", 1] = {"counts": {"errors": 7}}
    verification = cluster.verify()
    assert (verification.verdict, kinds(verification)) == ("match", ["errors"])


def test_the_work_grows_with_the_pairs_of_a_switch_and_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch of 244 ports has 59,000 legs and 488 directions of cables. None of these may scan all legs."""
    asked: list[Side] = []

    def note(side: Side) -> float:
        asked.append(side)
        return 0.0

    monkeypatch.setattr(Side, "rate", property(note))
    macs = [f"02:f0:00:00:{rank:02x}:00" for rank in range(20)]
    cables = [
        JudgedCable(f"k{rank:02}", 0, "nic0", mac, counts={"received": dict.fromkeys(macs, (80, 80))})
        for rank, mac in enumerate(macs)
    ]
    legs = list(count_legs(cables))
    sides = list(list_sides(cables, legs))
    assert sum(len(side.legs) for side in sides) == 2 * len(legs) == 2 * 20 * 19
    assert not any(side.is_suspect() for side in sides)
    assert len(asked) <= len(sides)
