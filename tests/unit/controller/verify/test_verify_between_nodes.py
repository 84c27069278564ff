# SPDX-License-Identifier: GPL-3.0-or-later
"""verify/between_nodes.py: in a ring of four, each fault of a cable is one finding with both ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.segments import list_joined_pairs, show_cables
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Finding, Verification, read_colors
from wirings import Cluster, kinds, names, the_finding

WIRE = ", usually a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"
CABLE = "cable0 (k0:1 to k1:0)"
ENDS = [("k0", 1), ("k1", 0)]
ANOTHER = "try another cable, then another NIC at either end"


@pytest.fixture
def ring(root: Path, documents: Documents) -> Cluster:
    return Cluster(dict(show_cables(documents.read(root / "inventory/ring/design.json", "fnn-design"))))


def verify(ring: Cluster) -> Verification:
    return ring.verify(pairs=list_joined_pairs(ring.design))


def say(ring: Cluster, finding: Finding) -> str:
    return finding.describe(read_colors(ring.design["spec"]["switches"]))


@pytest.mark.parametrize(
    ("facts", "kind", "text"),
    [
        ({"speed_mbps": 100, "duplex": "full"}, "slow", f"{CABLE} runs at 100 Mb/s instead of 10000{WIRE}; {ANOTHER}"),
        (
            {"speed_mbps": 10_000, "duplex": "half"},
            "half-duplex",
            f"{CABLE} runs at half duplex; let both ends negotiate, or {ANOTHER}",
        ),
    ],
    ids=["speed", "duplex"],
)
def test_a_cable_with_a_poor_link_is_one_finding(ring: Cluster, facts: dict[str, object], kind: str, text: str) -> None:
    ring.links |= dict.fromkeys(ENDS, facts)
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding), say(ring, finding)) == (kind, {*ENDS}, text)


@pytest.mark.parametrize(
    ("counts", "kind", "text"),
    [
        ({"carrier_losses": 4}, "flapping", f"{CABLE} loses its carrier repeatedly; {ANOTHER}"),
        (
            {"errors": 9},
            "errors",
            f"k0 nic1 and k1 nic0 on {CABLE}: frames with errors were counted; {ANOTHER}",
        ),
    ],
    ids=["flapping", "errors"],
)
def test_an_unsteady_cable_is_one_finding(ring: Cluster, counts: dict[str, int], kind: str, text: str) -> None:
    ring.heard |= {end: {"counts": counts} for end in ENDS}
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding), say(ring, finding)) == (kind, {*ENDS}, text)


def test_errors_at_one_end_name_that_end(ring: Cluster) -> None:
    ring.heard["k1", 0] = {"counts": {"errors": 9}}
    assert names(the_finding(verify(ring))) == {("k1", 0)}


def test_a_cable_that_passes_nothing_is_one_finding(ring: Cluster) -> None:
    ring.heard |= {end: {"hears": [], "carried": []} for end in ENDS}
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("silent", {*ENDS})
    assert say(ring, finding) == (
        f"{CABLE} has carrier, but no frames pass in either direction: look for a filter on its nodes, then {ANOTHER}"
    )


def test_a_cable_that_passes_frames_one_way_is_one_finding(ring: Cluster) -> None:
    ring.heard["k0", 1] = {"tried_mtu": 1500, "carried": []}
    ring.heard["k1", 0] = {"tried_mtu": 1500, "hears": [], "carried": []}
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("one-way", {*ENDS})
    assert say(ring, finding).startswith(f"frames pass over {CABLE} from k1 nic0 to k0 nic1 only;")


def test_a_smaller_mtu_of_one_end_is_that_of_the_smaller(ring: Cluster) -> None:
    for end, mtu in zip(ENDS, (1400, 1500)):
        ring.heard[end] = {"tried_mtu": mtu}
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("mtu", {("k0", 1)})
    assert "k0: nic1 has an MTU of 1400, the other end of cable0 (k0:1 to k1:0) one of 1500;" in say(ring, finding)


def test_short_frames_alone_are_one_finding(ring: Cluster) -> None:
    for end in ENDS:
        ring.heard[end] = {"tried_mtu": 1500, "carried": []}
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("mtu", {*ENDS})
    assert say(ring, finding) == f"{CABLE} carries no frames of 1500 bytes, only shorter ones; {ANOTHER}"


# --- Nodes that are off ---


def test_a_node_without_power_is_one_finding_and_no_cable_is_at_fault(ring: Cluster) -> None:
    ring.silent.add("k2")
    ring.plugs["k1", 1] = ring.plugs["k3", 0] = None
    verification = verify(ring)
    finding = the_finding(verification)
    assert (finding.kind, names(finding), finding.breaks, verification.moves) == (
        "missing",
        {("k1", 1), ("k3", 0)},
        False,
        (),
    )
    assert say(ring, finding) == (
        "k2 gave no answer, and no cable to it has carrier: switch it on; if it is on, plug in both ends of its cables"
    )
    assert (verification.verdict, verification.must_stop) == ("match", False)


def test_a_node_that_gives_no_answer_but_carrier_is_on_and_lacks_a_cable(ring: Cluster) -> None:
    ring.silent.add("k2")
    ring.plugs["k3", 0] = None
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("missing", {("k3", 0)})
    assert (
        say(ring, finding)
        == "k3: plug cable2 (k2:1 to k3:0) into nic0; if it is in, try another cable, then another NIC"
    )


def test_a_node_that_was_not_asked_explains_nothing(ring: Cluster) -> None:
    ring.plugs["k1", 1] = ring.plugs["k2", 0] = None
    asked = {node: seen for node, seen in ring.observe().items() if node in ("k0", "k1")}
    finding = the_finding(compare_with_design(ring.design, ring.macs, asked))
    assert (finding.kind, names(finding), finding.breaks) == ("missing", {("k1", 1)}, True)


# --- Foreign networks ---


def test_a_nic_in_a_foreign_network_explains_the_other_end(ring: Cluster) -> None:
    ring.plugs["k0", 1], ring.plugs["k1", 0] = "house", None
    ring.heard["k0", 1] = {"strangers": [{"kind": "dhcp", "mac": "02:98:00:00:00:01"}]}
    verification = verify(ring)
    assert kinds(verification) == ["foreign-network"]
    assert names(verification.findings[0]) == {("k0", 1)}


def test_foreign_frames_that_nodes_bridge_name_the_cable_where_they_arrive(root: Path, documents: Documents) -> None:
    ring = Cluster(dict(documents.read(root / "inventory/ring-stp/design.json", "fnn-design")))
    stranger = {"strangers": [{"kind": "mac", "mac": "02:98:00:00:00:01"}]}
    # A switch between k0 and k1, with a PC: k0 forwards its frames to k3, and k1 to k2.
    ring.heard |= dict.fromkeys((*ENDS, ("k3", 1), ("k2", 0)), stranger)
    finding = the_finding(verify(ring))
    assert (finding.kind, names(finding)) == ("foreign-network", {*ENDS})
    assert say(ring, finding) == (
        f"frames of a foreign network reach k0 nic1 and k1 nic0 over {CABLE}: let it lead from one node to the other "
        "directly"
    )


@pytest.mark.parametrize("broken", ["pulled", "silent"])
def test_of_a_swap_beside_a_broken_cable_one_pair_of_ends_moves(ring: Cluster, broken: str) -> None:
    """Where cables join nodes, either end may move; that is no reason to leave it open."""
    designed = ring.list_designed()
    one, other = [key for key, cable in designed.items() if cable in ("cable0", "cable2") and key[1] == 1]
    ring.plugs[one], ring.plugs[other] = designed[other], designed[one]
    for key in [key for key, cable in designed.items() if cable == "cable3"]:
        if broken == "pulled":
            ring.plugs[key] = None
        else:
            ring.mute.add(key)
            ring.deaf.add(key)
    found = verify(ring).findings
    assert sorted(each.kind for each in found) == (["missing", "swap"] if broken == "pulled" else ["silent", "swap"])
