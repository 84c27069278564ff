# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether every link carries the wanted MTU, and which links do not."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.document import make_document
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from six_pcs import words
from wirings import Cluster, make_design, six, the_finding

Observations = dict[str, dict[str, Any]]


@pytest.fixture
def cluster() -> Cluster:
    """k00, k01: red and blue; k02, k03: red and green; k04, k05: blue and green."""
    return six(mtu=9000)


def heard_by_nic(observations: Observations, node: str, nic: int) -> dict[str, Any]:
    found: dict[str, Any] = observations[node]["heard"][nic]
    return found


def drop_long_frames(
    cluster: Cluster, observations: Observations, node: str, nic: int, directions: str = "to and from"
) -> None:
    """Makes a port drop all long frames."""
    mac = cluster.mac(node, nic)
    if "from" in directions:
        heard_by_nic(observations, node, nic)["carried"] = []
    for seen in observations.values() if "to" in directions else ():
        for each in seen["heard"]:
            each["carried"] = [other for other in each["carried"] if other != mac]


def verify(cluster: Cluster, observations: Observations) -> Verification:
    return compare_with_design(cluster.design, cluster.macs, observations)


def test_mtu_that_every_link_carries_is_proved(cluster: Cluster) -> None:
    verification = cluster.verify()
    assert verification.mtu_proved
    assert make_document(verification, cluster.design, cluster.macs)["mtu"] == {"wanted": 9000, "proved": True}


def test_without_an_mtu_in_the_spec_there_is_no_finding() -> None:
    verification = six().verify()
    assert (verification.mtu_proved, verification.findings) == (None, ())


@pytest.mark.parametrize("directions", ["to and from", "to", "from"])
def test_a_port_that_drops_long_frames_is_one_finding_with_node_nic_and_switch(
    cluster: Cluster, directions: str
) -> None:
    observations = cluster.observe()
    drop_long_frames(cluster, observations, "k02", 0, directions)
    verification = verify(cluster, observations)
    finding = the_finding(verification)
    assert (finding.kind, finding.breaks, verification.must_stop, verification.mtu_proved) == (
        "mtu",
        False,
        False,
        False,
    )
    assert [(cable.node, cable.device, cable.expected) for cable in finding.cables] == [("k02", "nic0", "red")]
    assert words(finding).startswith(
        f"k02: nic0 carries no frames of 9000 bytes {directions} RED: allow jumbo frames at that"
    )
    assert "k00 nic0, k01 nic0" in finding.evidence


def test_two_ports_that_drop_long_frames_are_two_findings(cluster: Cluster) -> None:
    observations = cluster.observe()
    drop_long_frames(cluster, observations, "k02", 0)
    drop_long_frames(cluster, observations, "k00", 0)
    found = verify(cluster, observations).findings
    assert sorted(finding.cables[0].name for finding in found) == ["k00 nic0", "k02 nic0"]


def test_a_switch_that_drops_long_frames_is_one_finding(cluster: Cluster) -> None:
    observations = cluster.observe()
    for node in ("k00", "k01", "k02", "k03"):
        drop_long_frames(cluster, observations, node, 0)
    finding = the_finding(verify(cluster, observations))
    assert words(finding).startswith(
        "RED carries no frames of 9000 bytes between k00 nic0, k01 nic0, k02 nic0 and 1 more"
    )


def test_nic_that_takes_no_frames_as_long_is_named(cluster: Cluster) -> None:
    observations = cluster.observe()
    drop_long_frames(cluster, observations, "k05", 1)
    heard_by_nic(observations, "k05", 1)["tried_mtu"] = 0
    verification = verify(cluster, observations)
    assert words(the_finding(verification)).startswith("k05: nic1 on GREEN takes no frames of 9000 bytes; replace it")
    assert verification.mtu_proved is False


def test_frames_that_only_the_uplink_carries_prove_nothing(cluster: Cluster) -> None:
    """With the uplinks in, every NIC hears every other; only beacons within one switch count."""
    observations = cluster.observe()
    all_macs = [cluster.mac(node, nic) for node, nic in cluster.plugs]
    for node, seen in observations.items():
        for nic, each in enumerate(seen["heard"]):
            each["hears"] = each["carried"] = [mac for mac in all_macs if mac != cluster.mac(node, nic)]
    drop_long_frames(cluster, observations, "k02", 0)
    heard_by_nic(observations, "k02", 0)["carried"] = [cluster.mac("k05", 0)]
    verification = compare_with_design(cluster.design, cluster.macs, observations, cluster.relearn())
    assert (the_finding(verification).cables[0].name, verification.mtu_proved) == ("k02 nic0", False)


def test_node_that_did_not_answer_leaves_it_unproved(cluster: Cluster) -> None:
    cluster.silent = {"k04"}
    verification = cluster.verify()
    assert (verification.mtu_proved, verification.must_stop) == (False, False)


def test_where_no_long_beacons_were_sent_nothing_is_proved(cluster: Cluster) -> None:
    observations = cluster.observe()
    for seen in observations.values():
        for each in seen["heard"]:
            each.update(tried_mtu=None, carried=[])
    verification = verify(cluster, observations)
    assert (verification.mtu_proved, verification.findings) == (False, ())


def test_node_alone_on_a_switch_needs_no_partner() -> None:
    assert Cluster(make_design({"a": ["red", "blue"], "b": ["red"]}, mtu=9000)).verify().mtu_proved
