# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/path_changes.py: neighbors, routes and Multipath TCP endpoints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.compare import find_difference
from ansible.module_utils.fnn.node.net.difference import Difference
from ansible.module_utils.fnn.node.net.kernel import UNREACHABLE, Endpoint, Hop, Path4, to_routes
from ansible.module_utils.fnn.node.net.path_changes import compare_endpoints
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import GOOD, difference, settled


def test_wrong_neighbor_is_replaced_and_an_unplanned_one_is_deleted(etc: Path) -> None:
    kernel = settled()
    kernel.neighbors["nic0"] = {"10.77.0.2": "02:00:00:00:00:99", "10.77.0.9": "02:00:00:00:00:98"}
    assert difference(etc, kernel).lines == [
        "neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent",
        "neigh del 10.77.0.9 dev nic0",
    ]


def test_a_stale_neighbor_goes_after_the_route_over_it_is_replaced(etc: Path) -> None:
    kernel = settled()
    kernel.neighbors["nic0"]["10.78.0.2"] = "02:f0:00:00:01:00"
    kernel.routes["10.78.0.2"] = Path4(frozenset({Hop("nic0", "")}), "10.78.0.1")
    replaced, deleted = difference(etc, kernel).lines
    assert replaced.startswith("route replace 10.78.0.2/32 proto 196 src 10.78.0.1 nexthop via 10.77.0.2 dev nic0")
    assert deleted == "neigh del 10.78.0.2 dev nic0"


def test_unplanned_route_is_deleted_and_one_with_another_source_is_replaced(etc: Path) -> None:
    kernel = settled()
    hops = kernel.routes["10.78.0.2"].hops
    kernel.routes = {"10.78.0.2": Path4(hops, "10.78.0.77"), "10.78.0.9": Path4(hops, "10.78.0.1")}
    deleted, replaced = difference(etc, kernel).lines
    assert deleted == "route del 10.78.0.9 proto 196"
    assert replaced.startswith("route replace 10.78.0.2/32 proto 196 src 10.78.0.1 nexthop via 10.77.0.2 dev nic0")


def test_weights_are_set_and_compared(etc: Path) -> None:
    (etc / "routes").write_text("10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2*3\n")
    kernel = settled()
    head = "route replace 10.78.0.2/32 proto 196 src 10.78.0.1"
    line = f"{head} nexthop via 10.77.0.2 dev nic0 weight 1 nexthop via 10.77.1.2 dev nic1 weight 3"
    assert difference(etc, kernel).lines == [line]
    hops = frozenset({Hop("nic0", "10.77.0.2"), Hop("nic1", "10.77.1.2", 3)})
    kernel.routes["10.78.0.2"] = Path4(hops, "10.78.0.1")
    assert not difference(etc, kernel)
    (etc / "routes").write_text(GOOD["routes"])
    assert difference(etc, kernel).lines == [line.replace("weight 3", "weight 1")]


def test_the_only_leg_that_is_left_has_no_weight(etc: Path) -> None:
    (etc / "routes").write_text("10.78.0.2 k01 red=10.77.0.2*3 blue=10.77.1.2*2\n")
    kernel = settled()
    del kernel.devices["nic1"]
    kernel.routes["10.78.0.2"] = Path4(frozenset({Hop("nic0", "10.77.0.2")}), "10.78.0.1")
    assert not difference(etc, kernel)


def test_weights_of_the_kernel_are_read() -> None:
    hops = [{"dev": "nic0", "weight": 1, "flags": []}, {"dev": "nic1", "gateway": "10.77.1.2", "weight": 3}]
    entries = [
        {"dst": "10.78.0.2", "protocol": "196", "prefsrc": "10.78.0.1", "nexthops": hops},
        {"dst": "10.78.0.3", "protocol": "196", "dev": "nic0", "prefsrc": "10.78.0.1"},
    ]
    assert {destination: path.hops for destination, path in to_routes(entries, 196).items()} == {
        "10.78.0.2": {Hop("nic0", "", 1), Hop("nic1", "10.77.1.2", 3)},
        "10.78.0.3": {Hop("nic0", "", 1)},
    }


def test_route_over_a_missing_nic_keeps_its_other_leg(etc: Path) -> None:
    kernel = settled()
    del kernel.devices["nic1"]
    todo = difference(etc, kernel)
    assert todo.missing == ["no NIC has the MAC 02:f0:00:00:00:01, planned for the switch blue"]
    assert todo.lines == ["route replace 10.78.0.2/32 proto 196 src 10.78.0.1 via 10.77.0.2 dev nic0"]


def test_endpoints_come_with_mptcp_and_stale_ones_of_ours_go(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + "mptcp on\n")
    kernel = settled()
    kernel.subflows = 2
    kernel.endpoints = [Endpoint(4, "10.77.0.9", "nic0"), Endpoint(5, "192.0.2.7", "eth0")]
    assert difference(etc, kernel).lines == [
        "mptcp endpoint delete id 4",
        "mptcp limits set subflow 8 add_addr_accepted 8",
        "mptcp endpoint add 10.77.0.1 dev nic0 subflow",
        "mptcp endpoint add 10.77.1.1 dev nic1 subflow",
    ]


def test_a_kernel_without_mptcp_is_reported(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + "mptcp on\n")
    with pytest.raises(Failed, match="this kernel has no Multipath TCP"):
        difference(etc, settled())


def test_an_unreachable_route_is_no_drift(etc: Path) -> None:
    plan = read_plan(etc, etc / "sysctl")
    dead = avoid(plan, (), None, {"k01"})
    nics = ["10.77.0.2", "10.77.1.2"]
    kernel = settled()
    lines = [f"route replace unreachable {address}/32 proto 196" for address in ("10.78.0.2", *nics)]
    assert find_difference(dead, kernel).lines == lines
    read = [{"type": "7", "dst": address, "protocol": "196", "flags": []} for address in ("10.78.0.2", *nics)]
    kernel.routes = to_routes(read, 196)
    assert kernel.routes == dict.fromkeys(("10.78.0.2", *nics), UNREACHABLE)
    assert not find_difference(dead, kernel)
    *deleted, line = find_difference(plan, kernel).lines
    assert deleted == [f"route del {address} proto 196" for address in nics]
    assert line.startswith("route replace 10.78.0.2/32 proto 196 src 10.78.0.1 nexthop via")


def test_there_are_at_most_as_many_endpoints_as_the_kernel_allows(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + "mptcp on\n")
    plan, kernel, todo = read_plan(etc, etc / "sysctl"), settled(), Difference()
    kernel.subflows = 8
    links = tuple(replace(plan.links[0], switch=f"s{number}", address=f"10.77.{number}.1/24") for number in range(9))
    devices = {link.switch: f"nic{number}" for number, link in enumerate(links)}
    compare_endpoints(replace(plan, links=links), kernel, devices, todo)
    assert sum("endpoint add" in line for line in todo.lines) == 8
