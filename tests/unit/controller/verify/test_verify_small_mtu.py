# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/mtu.py: links that carry less than their NICs send, without `fnn_mtu`."""

from __future__ import annotations

from six_pcs import SIX, words
from wirings import Cluster, names, six, the_finding

Key = tuple[str, int]


def send_long(cluster: Cluster, dropping: set[Key], mtus: dict[Key, int] | None = None) -> None:
    """All NICs send beacons of their own MTU; those from or to NICs in `dropping` do not arrive."""
    macs = {cluster.mac(*key) for key in dropping}
    for node, seen in cluster.observe().items():
        for observed in seen["heard"]:
            key = (node, int(observed["device"][3:]))
            carried = [] if key in dropping else [mac for mac in observed["hears"] if mac not in macs]
            cluster.heard[key] = {"tried_mtu": (mtus or {}).get(key, 1500), "carried": carried}


def test_links_that_carry_all_are_no_finding() -> None:
    cluster = six()
    send_long(cluster, set())
    assert cluster.verify().findings == ()


def test_a_port_that_drops_long_frames_is_named_and_breaks() -> None:
    cluster = six()
    send_long(cluster, {("k02", 0)})
    verification = cluster.verify()
    finding = the_finding(verification)
    assert (verification.verdict, finding.kind, names(finding)) == ("miswired", "mtu", {("k02", 0)})
    assert words(finding) == (
        "k02: nic0 carries no frames of 1500 bytes to and from RED, only shorter ones: raise the MTU of that port of "
        "RED to at least 1500, or try another cable or port"
    )


def test_a_switch_that_drops_long_frames_is_named_once() -> None:
    cluster = six()
    send_long(cluster, {(node, wires.index("green")) for node, wires in SIX.items() if "green" in wires})
    finding = the_finding(cluster.verify())
    assert words(finding).startswith("GREEN carries no frames of 1500 bytes between ")


def test_a_nic_with_another_mtu_is_named() -> None:
    cluster = six()
    send_long(cluster, set(), {("k02", 0): 1400})
    finding = the_finding(cluster.verify())
    assert words(finding).startswith("k02: nic0 has an MTU of 1400, other NICs on RED one of 1500; set it to 1500, or ")
