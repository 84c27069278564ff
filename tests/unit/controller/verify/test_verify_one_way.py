# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables that pass frames in one direction or in none, and frames that prove nothing: no finding names a good cable."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.coverage import value_as_wired
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from six_pcs import words
from wirings import SENT, Cluster, kinds, make_design, names, six, the_finding

Key = tuple[str, int]
ADVICE = (
    "replace the cable, then try another port of {0}, then the NIC; a filter at the port or on the node looks the same"
)


def cut(cluster: Cluster, observations: dict[str, Any], key: Key, receives: bool = True, sends: bool = True) -> None:
    """One cable no longer passes frames in one direction, or in both."""
    for node, seen in observations.items():
        for nic, observed in enumerate(seen["heard"]):
            if (node, nic) == key and not receives:
                observed["hears"] = observed["carried"] = []
            if not sends:
                observed["hears"] = [mac for mac in observed["hears"] if mac != cluster.mac(*key)]
            observed["counts"]["received"] = {mac: [SENT, SENT] for mac in observed["hears"]}


def verify(cluster: Cluster, observations: dict[str, Any], relearn: dict[str, Any] | None = None) -> Verification:
    verification = compare_with_design(cluster.design, cluster.macs, observations, relearn)
    return replace(verification, as_wired=value_as_wired(cluster.design, verification))


ALL = [(node, nic) for node in ("k00", "k01", "k02", "k03", "k04", "k05") for nic in (0, 1)]


@pytest.mark.parametrize("key", ALL)
def test_nic_that_receives_nothing_is_named_alone(key: Key) -> None:
    cluster = six()
    observations = cluster.observe()
    cut(cluster, observations, key, receives=False)
    verification = verify(cluster, observations)
    finding = the_finding(verification)
    where = str(cluster.plugs[key]).upper()
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "one-way", {key})
    what = f"{key[0]}: nic{key[1]} is received by the others on {where} but receives nothing"
    assert words(finding) == f"{what}: {ADVICE.format(where)}"
    assert (verification.moves, finding.pairs_broken) == ((), len(verification.as_wired.uncovered))  # type: ignore[union-attr]
    assert {cable.state for cable in verification.cables if cable not in finding.cables} == {"ok"}


def test_one_way_cable_has_no_finding_about_long_frames() -> None:
    cluster = six()
    observations = cluster.observe()
    for seen in observations.values():
        for observed in seen["heard"]:
            # A NIC that receives nothing sends no long beacons.
            observed.update(tried_mtu=1500, carried=[mac for mac in observed["hears"] if mac != cluster.mac("k03", 1)])
    cut(cluster, observations, ("k03", 1), receives=False)
    assert the_finding(verify(cluster, observations)).kind == "one-way"


@pytest.mark.parametrize("key", ALL)
def test_nic_that_is_not_received_is_named_alone(key: Key) -> None:
    cluster = six()
    observations = cluster.observe()
    cut(cluster, observations, key, sends=False)
    verification = verify(cluster, observations)
    finding = the_finding(verification)
    where = str(cluster.plugs[key]).upper()
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "one-way", {key})
    assert f"receives the others on {where} but none of them receives it: " in words(finding)


@pytest.mark.parametrize("receives", [False, True])
def test_one_way_cable_is_named_with_the_uplinks_in(receives: bool) -> None:
    cluster = six(uplink=True)
    relearn = cluster.relearn()
    cluster.joined = dict.fromkeys(("red", "blue", "green"), "up")
    observations = cluster.observe()
    cut(cluster, observations, ("k03", 1), receives, not receives)
    own = cluster.mac("k03", 1)
    relearn["groups"] = [[mac for mac in group if mac != own] for group in relearn["groups"]]
    relearn["reaches_head"].remove(own)
    verification = verify(cluster, observations, relearn)
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "one-way", {("k03", 1)})


def test_several_one_way_cables_are_named_each() -> None:
    cluster = six()
    observations = cluster.observe()
    for key in (("k00", 0), ("k01", 0), ("k02", 0)):
        cut(cluster, observations, key, receives=False)
    verification = verify(cluster, observations)
    assert kinds(verification) == ["one-way"] * 3
    assert set.union(*(names(each) for each in verification.findings)) == {("k00", 0), ("k01", 0), ("k02", 0)}


def test_of_two_nics_on_a_switch_either_may_be_at_fault() -> None:
    cluster = Cluster(make_design({"a": ["r", "b"], "c": ["r", "b"]}))
    observations = cluster.observe()
    cut(cluster, observations, ("c", 0), receives=False)
    verification = verify(cluster, observations)
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "one-way", {("a", 0), ("c", 0)})
    assert words(finding) == "frames pass from c nic0 to a nic0 only: replace the cable of one, then of the other"


def test_one_way_cable_in_a_wrong_switch_has_its_move_and_its_fault() -> None:
    cluster = six()
    cluster.plugs["k00", 0] = "green"
    observations = cluster.observe()
    cut(cluster, observations, ("k00", 0), receives=False)
    verification = verify(cluster, observations)
    assert sorted(kinds(verification)) == ["move", "one-way"]
    assert [(move.node, move.nic, move.source, move.target) for move in verification.moves] == [
        ("k00", 0, "green", "red")
    ]


@pytest.mark.parametrize("key", ALL)
def test_nic_that_passes_nothing_is_silent_and_needs_no_move(key: Key) -> None:
    cluster = six()
    where, cluster.plugs[key] = str(cluster.plugs[key]).upper(), "blocked"
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "silent", {key})
    assert words(finding).startswith(
        f"{key[0]}: nic{key[1]} has carrier, but no frames pass in either direction: if its"
    )
    assert f"in {where}, check the port (blocked by spanning tree, a filter, another VLAN, dead)" in words(finding)
    assert verification.moves == ()


def test_silent_nic_beside_a_swap_accuses_the_swapped_alone() -> None:
    cluster = six()
    cluster.swap(("k00", 1), ("k03", 1))
    cluster.plugs["k02", 0] = "blocked"
    verification = cluster.verify()
    assert sorted(kinds(verification)) == ["silent", "swap"]
    assert {(move.node, move.nic) for move in verification.moves} == {("k00", 1), ("k03", 1)}


# --- Frames that prove nothing ---


def test_beacons_that_are_replayed_on_another_switch_join_nothing() -> None:
    cluster = six()
    observations = cluster.observe()
    for node, wires in (("k00", 1), ("k01", 1), ("k04", 0), ("k05", 0)):
        if cluster.plugs[node, wires] == "blue":
            observations[node]["heard"][wires]["hears"].append(cluster.mac("k02", 0))
    verification = verify(cluster, observations)
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, finding.breaks) == ("match", "unknown-frames", False)
    assert words(finding).startswith(
        "find the device that repeats frames of k02 nic0 on BLUE: a host that replays them"
    )


def receive(reason: str, number: int = 12) -> dict[str, Any]:
    frame = {"source": "02:f0:00:00:01:00", "reason": reason, "claims": "k01 nic0", "frames": number}
    return {"unknown_frames": [frame]}


@pytest.mark.parametrize(
    ("reason", "what"),
    [
        ("run", "sends frames of another run"),
        ("authenticator", "sends frames that are not authentic"),
        ("source", "rewrites the source of frames"),
        ("repeated", "repeats frames"),
    ],
)
def test_unknown_frames_are_reported_by_switch_and_no_cable_is(reason: str, what: str) -> None:
    cluster = six()
    cluster.heard = {("k00", 0): receive(reason), ("k02", 0): receive(reason, 3)}
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("match", "unknown-frames", {("k00", 0), ("k02", 0)})
    assert words(finding).startswith(f"find the device that {what} in the name of k01 nic0 on RED: ")
    assert finding.evidence == (
        "beacons: k00 nic0 and k02 nic0 received 12 frames from 02:f0:00:00:01:00, which do not count as evidence"
    )
    assert {cable.state for cable in verification.cables} == {"ok"}


@pytest.mark.parametrize(
    ("reason", "remaining"), [("run", []), ("repeated", []), ("authenticator", ["unknown-frames"])]
)
def test_frames_repeated_by_a_loop_are_not_reported(reason: str, remaining: list[str]) -> None:
    cluster = six()
    cluster.heard = {key: {"loop": True, **receive(reason)} for key, switch in cluster.plugs.items() if switch == "red"}
    assert kinds(cluster.verify()) == ["loop", *remaining]
