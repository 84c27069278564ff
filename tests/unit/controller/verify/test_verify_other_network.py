# SPDX-License-Identifier: GPL-3.0-or-later
"""verify/other_network.py: the fabric and the maintenance network of six nodes, verified side by side."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.verify.document import make_document
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.model import Verification
from ansible.module_utils.fnn.controller.verify.other_network import join_segment, mark_other_network
from six_pcs import SIX
from wirings import Cluster, make_design

#: Where the maintenance NIC of each node belongs.
HOMES = dict(zip(SIX, ["grey", "grey", "grey", "white", "white", "white"]))
NIC = 2  # the maintenance NIC, after those of the fabric


class TwoNetworks:
    """All cables as one cluster, and its observations and documents by network."""

    def __init__(self) -> None:
        self.cluster = Cluster(make_design({node: [*SIX[node], HOMES[node]] for node in SIX}))
        self.fabric = make_design(SIX)
        tree = make_design({node: [home] for node, home in HOMES.items()}, ports=4)
        trunks = [{"a": "grey", "b": "white", "count": 1}]
        self.maintenance = {**tree, "spec": {**tree["spec"], "topology": "tree", "trunks": trunks}}

    def observe(self, nics: set[int]) -> dict[str, Any]:
        return {
            node: {**seen, **{part: [seen[part][nic] for nic in sorted(nics)] for part in ("links", "heard")}}
            for node, seen in self.cluster.observe().items()
        }

    def verify_fabric(self) -> Verification:
        observations = mark_other_network(self.observe({0, 1}), self.observe({NIC}), has_hosts=False)
        return compare_with_design(self.fabric, self.bind({0, 1}), observations)

    def verify_maintenance(self) -> Verification:
        return compare_with_design(self.maintenance, self.bind({NIC}), self.observe_maintenance())

    def observe_maintenance(self) -> dict[str, Any]:
        return mark_other_network(self.observe({NIC}), self.observe({0, 1}), has_hosts=True)

    def bind(self, nics: set[int]) -> dict[str, Any]:
        nodes = [
            {**node, "nics": [{**nic, "nic": place} for place, nic in enumerate(node["nics"][i] for i in sorted(nics))]}
            for node in self.cluster.macs["nodes"]
        ]
        return {**self.cluster.macs, "nodes": nodes}


@pytest.fixture
def networks() -> TwoNetworks:
    return TwoNetworks()


def describe(verification: Verification) -> list[tuple[str, str]]:
    colors = {name: name.upper() for name in ("red", "blue", "green", "grey", "white", "maintenance")}
    return [(each.kind, each.describe(colors)) for each in verification.findings]


def test_both_networks_match_while_both_send_beacons(networks: TwoNetworks) -> None:
    assert networks.verify_fabric().verdict == "match"
    assert networks.verify_maintenance().verdict == "match"


def test_swapped_cables_between_maintenance_switches_are_one_swap(networks: TwoNetworks) -> None:
    networks.cluster.swap(("k01", NIC), ("k04", NIC))
    found = [("swap", "k01: move the cable in nic2 from WHITE to GREY; k04: move nic2 from GREY to WHITE")]
    assert describe(networks.verify_maintenance()) == found
    assert networks.verify_fabric().verdict == "match"


def test_a_maintenance_cable_in_a_switch_of_the_fabric_is_named_by_its_own_network_alone(
    networks: TwoNetworks,
) -> None:
    networks.cluster.plugs["k02", NIC] = "red"
    found = [("foreign-network", "k02: the cable in nic2 leads into a foreign network; move it to GREY")]
    verification = networks.verify_maintenance()
    assert describe(verification) == found
    assert "of another network" in verification.findings[0].evidence
    assert networks.verify_fabric().verdict == "match"


def test_cables_of_a_node_swapped_between_the_networks_are_named_by_each(networks: TwoNetworks) -> None:
    fabric = SIX["k05"][0]
    networks.cluster.swap(("k05", 0), ("k05", NIC))
    text = "k05: the cable in {} leads into a foreign network; move it to {}"
    assert describe(networks.verify_fabric()) == [("foreign-network", text.format("nic0", fabric.upper()))]
    assert describe(networks.verify_maintenance()) == [("foreign-network", text.format("nic2", "WHITE"))]


def test_a_cable_between_switches_of_the_two_networks_is_reported(networks: TwoNetworks) -> None:
    networks.cluster.joined = {"grey": "red"}
    found = describe(networks.verify_fabric()) + describe(networks.verify_maintenance())
    assert [kind for kind, _ in found] == ["foreign-network"]


def test_other_hosts_belong_to_a_maintenance_network(networks: TwoNetworks) -> None:
    server = {"kind": "dhcp", "mac": "9c:c7:a6:00:00:01", "detail": "DHCP server 192.0.2.1"}
    networks.cluster.heard["k00", NIC] = {"strangers": [server]}
    assert networks.verify_maintenance().verdict == "match"


def test_joined_maintenance_switches_are_verified_as_one(networks: TwoNetworks) -> None:
    networks.cluster.joined = {"white": "grey"}
    networks.cluster.plugs["k03", NIC] = None
    assert networks.verify_maintenance().is_joined
    design, macs = join_segment(networks.maintenance), networks.bind({NIC})
    verification = compare_with_design(design, macs, networks.observe_maintenance())
    assert describe(verification) == [
        ("missing", "k03: plug a cable from nic2 into MAINTENANCE; if there is one, try another")
    ]
    links = make_document(verification, design, macs)["links"]
    assert [link["state"] for link in links] == ["ok", "ok", "ok", "missing", "ok", "ok"]
