# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/bridged.py: bridges and bonds of nodes."""

from __future__ import annotations

import pytest
from six_pcs import words
from wirings import Cluster, kinds, six, the_finding


def set_master(cluster: Cluster, node: str, nics: tuple[int, ...], kind: str, name: str) -> None:
    for nic in nics:
        cluster.links[node, nic] = {"master": {"name": name, "kind": kind, "mac": "02:aa:00:00:00:07"}}


def bridge(cluster: Cluster, node: str, name: str = "br0") -> None:
    """Beacons as forwarded by a bridge over both NICs of a node: all except those of its own node."""
    set_master(cluster, node, (0, 1), "bridge", name)
    joined = [switch for (each, _), switch in cluster.plugs.items() if each == node]
    members = [(key, cluster.mac(*key)) for key, switch in cluster.plugs.items() if switch in joined]
    for (who, nic), own in members:
        if who != node:
            here = [mac for (other, _), mac in members if other != node and mac != own]
            port = [mac for key, mac in members if key[0] == node and cluster.plugs[key] == cluster.plugs[who, nic]]
            cluster.heard[who, nic] = {"hears": here + port, "carried": here + port}


@pytest.mark.parametrize("node", ["k00", "k03", "k05"])
def test_a_bridge_over_two_nics_is_named_and_all_cables_are_right(node: str) -> None:
    cluster = six()
    bridge(cluster, node)
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (finding.kind, finding.breaks, verification.verdict) == ("bridged", True, "miswired")
    assert words(finding).startswith(f"{node}: nic0 and nic1 are ports of the bridge br0 on the node, which joins ")
    assert {cable.state for cable in verification.cables} == {"ok"}


def test_a_bridge_does_not_ask_for_the_uplinks_to_be_pulled() -> None:
    cluster = six(uplink=True)
    bridge(cluster, "k03")
    assert kinds(cluster.verify()) == ["bridged"]


def test_bridges_that_join_switches_are_found_and_no_cable_is() -> None:
    """The ports of the bridge hear all beacons, as when frames circulate in a loop."""
    cluster = six()
    set_master(cluster, "k03", (0, 1), "bridge", "br0")
    cluster.joined = {"red": "red", "green": "red"}
    assert kinds(cluster.verify()) == ["bridged"]


def test_two_bridges_close_a_loop_and_no_cable_does() -> None:
    cluster = six()
    cluster.joined = {"red": "red", "green": "red"}
    for node in ("k02", "k03"):
        set_master(cluster, node, (0, 1), "bridge", "br0")
    cluster.heard["k00", 0] = {"loop": True}
    assert kinds(cluster.verify()) == ["bridged", "bridged"]


def looped(cluster: Cluster, without_uplink: tuple[str, ...] = ()) -> dict[str, object]:
    """With the uplinks in: frames return to every NIC whose switch has an uplink, and the probe stops at once."""
    relearn = cluster.relearn(without_uplink)
    cluster.joined = {switch: "up" for switch in ("red", "blue", "green") if switch not in without_uplink}
    cluster.heard = {key: {"loop": True} for key, switch in cluster.plugs.items() if switch not in without_uplink}
    return {"groups": [], "unsure": relearn["reaches_head"], "reaches_head": relearn["reaches_head"]}


def test_a_bridge_that_closes_a_loop_over_the_uplink_switch_is_found_and_no_uplink() -> None:
    cluster = six(uplink=True)
    relearn = looped(cluster)
    set_master(cluster, "k03", (0, 1), "bridge", "br0")
    assert kinds(cluster.verify(relearn)) == ["bridged"]
    assert kinds(cluster.verify()) == ["bridged", "unknown"]


def test_a_bond_closes_no_loop_over_the_uplink_switch() -> None:
    cluster = six(uplink=True)
    relearn = looped(cluster)
    set_master(cluster, "k03", (0, 1), "bond", "bond0")
    assert set(kinds(cluster.verify(relearn))) == {"bridged", "uplink-wrong"}


def test_a_missing_uplink_beside_a_bridge_is_found() -> None:
    """k03 bridges RED and GREEN; BLUE lacks its uplink."""
    cluster = six(uplink=True)
    relearn = looped(cluster, ("blue",))
    set_master(cluster, "k03", (0, 1), "bridge", "br0")
    verification = cluster.verify(relearn)
    assert sorted(kinds(verification)) == ["bridged", "uplink-wrong"]
    (uplink,) = (finding for finding in verification.findings if finding.kind == "uplink-wrong")
    assert words(uplink).startswith("plug a cable from BLUE into the uplink switch")


def test_a_loop_beside_a_bridge_is_found() -> None:
    cluster = six()
    bridge(cluster, "k03")
    cluster.heard["k00", 1] = {"loop": True, "hears": [cluster.mac("k01", 1)]}
    assert set(kinds(cluster.verify())) >= {"bridged", "loop"}


def test_a_bond_is_named_and_its_one_mac_is_no_finding_of_its_own() -> None:
    cluster = six()
    set_master(cluster, "k03", (0, 1), "bond", "bond0")
    finding = the_finding(cluster.verify())
    assert words(finding) == (
        "k03: nic0 and nic1 are members of the bond bond0 on the node, which makes one link of RED and GREEN: "
        "take them out of it"
    )
    for nic in (0, 1):
        cluster.links["k03", nic]["mac"] = cluster.mac("k03", 0)
    assert "duplicate-mac" not in kinds(cluster.verify())


def test_a_single_port_joins_nothing_and_is_a_warning() -> None:
    cluster = six()
    set_master(cluster, "k03", (1,), "bridge", "virbr0")
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.breaks) == ("match", False)
    assert words(finding) == "k03: nic1 is a port of the bridge virbr0 on the node: take it out of it"


def test_the_mac_of_a_bridge_is_no_stranger() -> None:
    cluster = six()
    bridge(cluster, "k03")
    stranger = {"kind": "mac", "mac": "02:aa:00:00:00:07", "detail": "IPv6"}
    cluster.heard["k02", 0]["strangers"] = [stranger]
    assert kinds(cluster.verify()) == ["bridged"]
