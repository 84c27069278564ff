# SPDX-License-Identifier: GPL-3.0-or-later
"""Incomplete evidence: NICs that the probe left open, few nodes, unused NICs. No finding names a good cable."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from six_pcs import SIX, words
from test_verify_judge import DHCP, through_uplinks
from test_verify_loss import BOTH, lose
from wirings import Cluster, kinds, make_design, names, six, the_finding

PC = {"kind": "mac", "mac": "aa:bb:cc:00:00:02", "detail": "ARP from 192.168.1.7"}


def leave_open(cluster: Cluster, *keys: tuple[str, int]) -> dict[str, Any]:
    """The probe's result with the uplinks in, when it could not settle these NICs."""
    relearn: dict[str, Any] = through_uplinks(cluster)
    macs = {cluster.mac(*key) for key in keys}
    groups = [[mac for mac in group if mac not in macs] for group in relearn["groups"]]
    return {**relearn, "groups": [group for group in groups if group], "unsure": sorted(macs)}


def test_house_traffic_makes_no_open_nic_foreign() -> None:
    cluster = six(uplink=True)
    relearn = leave_open(cluster, ("k03", 0))
    cluster.heard = {key: {"strangers": [PC]} for key in cluster.plugs}
    verification = cluster.verify(relearn)
    assert (verification.verdict, kinds(verification)) == ("unmeasured", ["unknown"])


def test_house_traffic_beside_a_doubled_uplink_accuses_no_cable() -> None:
    cluster = six(uplink=True)
    reaching = through_uplinks(cluster)["reaches_head"]
    cluster.heard = {key: {"loop": True, "strangers": [PC]} for key in cluster.plugs}
    verification = cluster.verify({"groups": [], "unsure": reaching, "reaches_head": reaching})
    assert kinds(verification) == ["uplink-wrong"]


def test_a_nic_whose_answer_missed_the_head_need_not_move() -> None:
    cluster = six(uplink=True)
    relearn = leave_open(cluster, ("k03", 0))
    mac = cluster.mac("k03", 0)
    relearn["reaches_head"] = [each for each in relearn["reaches_head"] if each != mac]
    verification = cluster.verify(relearn)
    assert (kinds(verification), verification.moves) == (["unknown"], ())


def test_a_nic_that_receives_nothing_beside_house_traffic_is_one_way_alone() -> None:
    cluster = six(uplink=True)
    relearn, mac = leave_open(cluster, ("k03", 0)), cluster.mac("k03", 0)
    relearn["reaches_head"] = [each for each in relearn["reaches_head"] if each != mac]
    observations = cluster.observe()
    for heard in (each for seen in observations.values() for each in seen["heard"]):
        heard["hears"] = [each for each in heard["hears"] if each != mac]
        heard["strangers"] = [DHCP]
    assert kinds(compare_with_design(cluster.design, cluster.macs, observations, relearn)) == ["one-way"]


def test_a_silent_node_excuses_no_other_that_could_not_be_measured() -> None:
    cluster = six(uplink=True)
    relearn = leave_open(cluster, ("k03", 0))
    cluster.silent = {"k05"}
    verification = cluster.verify(relearn)
    assert (verification.verdict, verification.must_stop) == ("unmeasured", True)


def test_a_silent_node_alone_stops_nothing() -> None:
    cluster = six()
    cluster.silent = {"k05"}
    assert not cluster.verify().must_stop


@pytest.mark.parametrize("asked", [["k00"], ["k00", "k02"], ["k02", "k04"]])
def test_few_nodes_with_the_uplinks_in_are_unmeasured(asked: list[str]) -> None:
    cluster = six(uplink=True)
    through_uplinks(cluster)
    cluster.silent = set(SIX) - set(asked)
    verification = cluster.verify()
    assert (verification.verdict, verification.moves) == ("unmeasured", ())
    assert words(the_finding(verification)).endswith("if they are out, run for more nodes")


@pytest.mark.parametrize("green", ["one cable", "all cables"])
def test_unused_nics_in_the_house_take_no_switch_when_cables_are_out(green: str) -> None:
    cluster = Cluster(make_design(SIX, nics=3))
    for node in SIX:
        cluster.plugs[node, 2] = "house"
        cluster.heard[node, 2] = {"strangers": [DHCP]}
    assert cluster.verify().verdict == "match"
    pulled = [key for key, switch in cluster.plugs.items() if switch == "green"]
    cluster.plugs.update(dict.fromkeys(pulled if green == "all cables" else [("k02", 1)]))
    verification = cluster.verify()
    assert (kinds(verification), verification.bindings) == (["dead-switch" if green == "all cables" else "missing"], {})
    assert names(verification.findings[0]) == (set(pulled) if green == "all cables" else {("k02", 1)})


def test_unused_nics_on_another_switch_do_not_replace_a_planned_switch() -> None:
    cluster = Cluster(make_design({f"n{number}": ["a", "b"] for number in range(4)}, nics=3))
    cluster.plugs.update({(f"n{number}", 2): "house" for number in range(4)})
    cluster.plugs["n1", 0] = None
    verification = cluster.verify()
    assert names(the_finding(verification)) == {("n1", 0)}
    assert verification.bindings == {}


def test_a_switch_that_is_taken_for_a_dead_one_of_other_media_needs_no_witness() -> None:
    design = make_design({f"n{number}": ["r", "b"] for number in range(4)}, nics=3)
    for node in design["spec"]["nodes"]:
        node["nics"] = [{"name": None, "speed_mbps": 1000, "media": media} for media in ("rj45", "sfp", "rj45")]
    design["spec"]["switches"][1]["ports"] = [{"count": 8, "speed_mbps": 1000, "media": "sfp"}]
    cluster = Cluster(design)
    for number in range(4):
        cluster.plugs[f"n{number}", 1], cluster.plugs[f"n{number}", 2] = None, "r"
    assert "dead-switch" in kinds(cluster.verify())


def test_nics_that_the_spec_no_longer_has_are_checked() -> None:
    cluster = Cluster(make_design(SIX, nics=3, ports=6))
    for node in cluster.design["spec"]["nodes"]:
        node["nics"] = node["nics"][:2]
    cluster.plugs.update({("k01", 1): "red", ("k03", 1): "red", ("k04", 0): "red", ("k05", 2): "green"})
    assert cluster.verify().verdict == "miswired"


@pytest.mark.parametrize("seed", range(8))
def test_a_cable_of_a_large_switch_that_loses_a_tenth_of_what_it_receives_is_lossy(seed: int) -> None:
    cluster = Cluster(make_design({f"k{rank:02}": ["red"] for rank in range(30)}))
    lose(cluster, {("k03", 0): (False, True)}, 0.12, beacons=35, seed=seed)
    finding = the_finding(cluster.verify())
    assert (finding.kind, names(finding)) == ("lossy", {("k03", 0)})


@pytest.mark.parametrize("seed", range(8))
def test_an_open_nic_that_loses_frames_is_lossy(seed: int) -> None:
    cluster = six(uplink=True)
    relearn = leave_open(cluster, ("k03", 0))
    lose(cluster, {("k03", 0): BOTH}, 0.3, seed=seed)
    finding = the_finding(cluster.verify(relearn))
    assert (finding.kind, names(finding)) == ("lossy", {("k03", 0)})


def test_isolated_ports_are_found_even_if_one_nic_is_unsure() -> None:
    cluster = six(uplink=True)
    relearn = leave_open(cluster, ("k01", 0))
    lose(cluster, {}, 0)
    macs = {cluster.mac("k00", 0), cluster.mac("k01", 0)}
    every_mac = {cluster.mac(*key) for key in cluster.plugs}
    for key in (("k00", 0), ("k01", 0)):
        cluster.heard[key]["hears"] = sorted(every_mac - macs)
        for mac in macs:
            cluster.heard[key]["counts"]["received"].pop(mac, None)
    finding = the_finding(cluster.verify(relearn))
    assert (finding.kind, names(finding)) == ("isolated", {("k00", 0), ("k01", 0)})
