# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/one_way.py: isolated ports of one switch."""

from __future__ import annotations

import pytest
from six_pcs import SIX, words
from wirings import Cluster, kinds, names, six, the_finding

Key = tuple[str, int]


def isolate(cluster: Cluster, *ports: Key, beacons: int = 50) -> None:
    """No beacon passes between these NICs; all other pairs of NICs on a switch lose none of `beacons`."""
    macs = {cluster.mac(*port) for port in ports}
    seen = {
        node: {nic["device"]: nic["hears"] for nic in result["heard"]} for node, result in cluster.observe().items()
    }
    for node, nic in ports:
        left = [mac for mac in seen[node][f"nic{nic}"] if mac not in macs]
        cluster.heard[node, nic] = {"hears": left, "carried": left}
    for node, result in cluster.observe().items():
        for observed in result["heard"]:
            counts = {"sent": beacons, "received": {mac: [beacons, beacons] for mac in observed["hears"]}}
            cluster.heard.setdefault((node, int(observed["device"][3:])), {})["counts"] = counts


@pytest.mark.parametrize("ports", [[("k00", 0), ("k02", 0)], [("k00", 0), ("k01", 0), ("k03", 0)]])
def test_isolated_ports_are_one_finding_and_break(ports: list[Key]) -> None:
    cluster = six()
    isolate(cluster, *ports)
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "isolated", set(ports))
    assert {cable.state for cable in verification.cables} == {"ok"}
    assert verification.moves == ()


def test_the_action_names_switch_and_ports_and_the_evidence_a_third_nic() -> None:
    cluster = six()
    isolate(cluster, ("k00", 0), ("k02", 0))
    finding = the_finding(cluster.verify())
    assert words(finding) == (
        "RED passes no frames between k00 nic0 and k02 nic0: switch off the isolation of these ports (protected ports, "
        "private VLAN), or move their cables to other ports of RED"
    )
    assert finding.evidence == "beacons: k00 nic0 and k02 nic0 are heard by k01 nic0 and hear it, but never each other"


def test_nics_that_have_just_been_plugged_in_are_no_isolated_ports() -> None:
    cluster = six()
    isolate(cluster, ("k00", 0), ("k02", 0), beacons=2)
    assert cluster.verify().findings == ()


def test_a_swap_beside_isolated_ports_is_also_found() -> None:
    cluster = six()
    cluster.swap(("k01", 1), ("k02", 1))
    isolate(cluster, ("k00", 0), ("k03", 0))
    assert sorted(kinds(cluster.verify())) == ["isolated", "swap"]


def test_a_switch_that_isolates_all_ports_is_one_finding() -> None:
    cluster = six()
    isolate(cluster, *[(node, wires.index("red")) for node, wires in SIX.items() if "red" in wires])
    assert kinds(cluster.verify()) == ["dead-switch"]


def test_isolated_ports_are_found_with_the_uplinks_in() -> None:
    cluster = six(uplink=True)
    isolate(cluster, ("k00", 0), ("k02", 0))
    assert kinds(cluster.verify(cluster.relearn())) == ["isolated"]
