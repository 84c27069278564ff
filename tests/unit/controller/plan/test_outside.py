# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/plan/outside.py and its effect on the plan of the six PCs. Every switch has an uplink cable."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with

Document = dict[str, Any]
OUTSIDE: Document = {
    "fnn_access": "nic",
    "fnn_outside_prefix": "192.168.7.0/24",
    "fnn_outside_gateway": "192.168.7.254",
    "fnn_outside_dns": ["192.168.7.254"],
}
NODES = [f"k0{rank}" for rank in range(6)]


def plan(design: Document, macs: Document, resting: list[Document] | None = None, **variables: Any) -> Any:
    return plan_with(design, macs, inputs={"resting": resting or []}, **{**OUTSIDE, **variables})


def complain(design: Document, macs: Document, facts: Document | None = None, **variables: Any) -> list[str]:
    with pytest.raises(FnnError) as caught:
        plan_with(design, macs, facts, **{**OUTSIDE, **variables})
    return str(caught.value).splitlines()


def pull_uplink(design: Document, switch: str) -> None:
    next(each for each in design["spec"]["switches"] if each["name"] == switch)["reserved"] = 0


def test_each_node_has_an_address_on_its_first_nic(design: Document, macs: Document) -> None:
    views = plan(design, macs).views
    access = {name: view["access"] for name, view in views.items()}
    assert [access[name]["address"] for name in NODES] == [f"192.168.7.{rank + 1}" for rank in range(6)]
    assert {each["nic"] for each in access.values()} == {0}
    first = macs["nodes"][0]["nics"][0]["mac"]
    assert (access["k00"]["nic_mac"], access["k00"]["mac"]) == (first, f"0e{first[2:]}")
    assert (views["k00"]["management"], views["k00"]["dns"]) == ("192.168.7.1", ["192.168.7.254"])


def test_without_an_outside_network_nothing_is_planned(design: Document, macs: Document) -> None:
    made = plan_with(design, macs)
    assert {view["access"] for view in made.views.values()} == {None}
    assert made.cluster["outside"] is None


def test_addresses_and_nics_of_its_own_go_before_the_rank(design: Document, macs: Document) -> None:
    views = plan(design, macs, fnn_outside_address={"k02": "192.168.7.77"}, fnn_outside_nic={"k02": 1}).views
    access = views["k02"]["access"]
    assert (access["address"], access["nic"]) == ("192.168.7.77", 1)


def test_the_address_of_a_node_in_ansible_is_its_outside_address(design: Document, macs: Document) -> None:
    made = plan_with(design, macs, {"ansible_host": {"k03": "k03.lan", "k04": "192.168.7.44"}}, **OUTSIDE)
    assert made.views["k04"]["access"]["address"] == "192.168.7.44"


def test_a_nic_whose_switch_has_no_uplink_cable_is_passed_over(design: Document, macs: Document) -> None:
    pull_uplink(design, "red")  # NIC 0 of k00 to k03
    views = plan(design, macs).views
    assert [views[name]["access"]["nic"] for name in NODES] == [1, 1, 1, 1, 0, 0]


def test_while_its_cable_moves_the_address_is_on_another_suitable_nic(design: Document, macs: Document) -> None:
    views = plan(design, macs, resting=[{"node": "k00", "nic": 0}]).views
    assert views["k00"]["access"]["nic"] == 1
    assert views["k00"]["resting"] == [macs["nodes"][0]["nics"][0]["mac"]]
    pull_uplink(design, "blue")
    access = plan(design, macs, resting=[{"node": "k00", "nic": 0}]).views["k00"]["access"]
    assert access["nic_mac"] == macs["nodes"][0]["nics"][0]["mac"], "it waits for its cable"


def test_the_outside_mtu_is_at_most_that_of_the_link(design: Document, macs: Document) -> None:
    design["spec"]["mtu"] = 1400
    assert plan(design, macs).views["k00"]["access"]["mtu"] == 1400
    design["spec"]["mtu"] = 9000
    assert plan(design, macs).views["k00"]["access"]["mtu"] == 1500
    assert plan(design, macs, fnn_outside_mtu=9000).views["k00"]["access"]["mtu"] == 9000


def test_all_problems_are_reported_at_once(design: Document, macs: Document) -> None:
    pull_uplink(design, "red")
    pull_uplink(design, "blue")  # k00 and k01 have no other uplinked switch
    problems = complain(
        design, macs,
        fnn_outside_address={"k01": "192.168.8.1", "k02": "192.168.7.1"}, fnn_outside_nic={"k02": 0, "k03": 7},
        fnn_outside_gateway="192.168.7.255", fnn_outside_dns=["one", "9.9.9.9"],
    )  # fmt: skip
    assert problems == [
        'fnn_outside_address of k01: "192.168.8.1" is not an address of a host in 192.168.7.0/24',
        "fnn_outside_address of k02: 192.168.7.1 is already that of k00",
        'fnn_outside_gateway: "192.168.7.255" is not an address of a host in 192.168.7.0/24',
        'fnn_outside_dns: "one" is not an IPv4 address',
    ]
    assert complain(
        design, macs, fnn_outside_nic={"k02": 0, "k03": 7}, fnn_outside_dns=["9.9.9.9"], fnn_outside_gateway=""
    ) == ["fnn_outside_dns: 9.9.9.9 is not in 192.168.7.0/24, and there is no fnn_outside_gateway to reach it by"]
    assert complain(design, macs, fnn_outside_nic={"k02": 0, "k03": 7}) == [
        "fnn_outside_nic of k00: none of its NICs goes to a switch with a cable to the uplink switch",
        "fnn_outside_nic of k01: none of its NICs goes to a switch with a cable to the uplink switch",
        "fnn_outside_nic of k02: NIC 0 goes to red, which has no cable to the uplink switch",
        "fnn_outside_nic of k03: the design has no cable for NIC 7",
    ]


@pytest.mark.parametrize(
    ("prefix", "problem"),
    [
        ("", "fnn_outside_prefix: missing; fnn_access: nic needs the prefix of the network outside"),
        ("lan", 'fnn_outside_prefix: "lan" is not an IPv4 prefix such as 192.168.7.0/24'),
        ("192.168.7.1", 'fnn_outside_prefix: "192.168.7.1" is not an IPv4 prefix such as 192.168.7.0/24'),
        ("192.168.7.1/24", "fnn_outside_prefix: 192.168.7.1/24 has host bits set; 192.168.7.0/24 would do"),
        ("192.168.7.0/30", "fnn_outside_prefix: 192.168.7.0/30 holds 2 nodes, but the cluster has 6"),
    ],
)
def test_an_unsuitable_prefix_is_refused(design: Document, macs: Document, prefix: str, problem: str) -> None:
    assert complain(design, macs, fnn_outside_prefix=prefix) == [problem]


def test_networks_that_overlap_are_refused(design: Document, macs: Document) -> None:
    problems = complain(design, macs, fnn_outside_prefix="10.77.0.0/24", fnn_outside_gateway="", fnn_outside_dns=[])
    assert problems == ["fnn_outside_prefix: 10.77.0.0/24 overlaps fnn_prefix 10.77.0.0/16"]
    other = {"networks": {"k03": [{"device": "wlan0", "address": "192.168.7.50/24"}]}}
    problems = complain(design, macs, other)
    assert problems == ["fnn_outside_prefix: 192.168.7.0/24 covers 192.168.7.50/24, which wlan0 of k03 has"]
    problems = complain(design, macs, fnn_management_address={"k01": "192.168.7.2"}, fnn_access="management")
    assert problems == [
        "fnn_outside_prefix: 192.168.7.0/24 has 192.168.7.2, by which Ansible reaches k01; if that is on a fabric NIC, "
        "set fnn_access: nic"
    ]


def test_without_an_uplink_switch_there_is_no_outside(design: Document, macs: Document) -> None:
    design["spec"]["uplink"] = None
    (problem,) = complain(design, macs)
    assert problem.startswith("fnn_uplink: missing; ")
