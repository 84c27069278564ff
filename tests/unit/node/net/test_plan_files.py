# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/plan_files.py: reading files and reporting all their errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.plan import Leg, Link, Route
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import GOOD


def problems(etc: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (etc / name).write_text(text)
    with pytest.raises(Failed) as failure:
        read_plan(etc, etc / "sysctl")
    assert failure.value.code == 2
    return [message.replace(f"{etc}/", "") for message in failure.value.messages]


def test_good_files_become_a_plan(etc: Path) -> None:
    (etc / "sysctl").write_text("# x\nnet.ipv4.fib_multipath_hash_policy = 1\nnet/ipv4/conf/eth0.5/arp_filter=1\n")
    plan = read_plan(etc, etc / "sysctl")
    assert plan.links[1] == Link("blue", "02:f0:00:00:00:01", "10.77.1.1/24", 1500)
    assert plan.routes == (Route("10.78.0.2", (Leg("red", "10.77.0.2"), Leg("blue", "10.77.1.2")), "k01"),)
    assert plan.identity.peer == "fnn0-peer"
    assert plan.sysctls == {"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv4/conf/eth0.5/arp_filter": "1"}


def test_every_wrong_line_is_reported_at_once(etc: Path) -> None:
    reported = problems(
        etc,
        node="cluster six\nnode k00\nrank x\nidentity fnn0 bond 10.78.0.1\nprotocol 4\ncolor red\n",
        links="red 02:F0:00:00:00:00 10.77.0.1 1500\nblue 02:f0:00:00:00:01 10.77.1.1/24 9\n\ngreen\n",
        neighbors="red 10.77.0.2 02:f0:00:00:01:00 k01\npink 10.77.1.2 02:f0:00:00:01:01 k01\n",
        routes="10.78.0.2 k01\n10.78.0.3 k02 red=10.77.0.2 grey=10.77.9.9\n",
        sysctl="net.ipv4.ip_forward\n",
    )
    assert reported == [
        "node:3: x is no rank",
        "node:4: bond is neither dummy nor veth",
        "node:5: 4 is no number from 5 to 255",
        "node:6: unknown key color, expected one of access, broadcast, cluster, egress, forwards, gateway, generation, "
        "identity, maintenance, mptcp, node, protocol, rank, tree, upper",
        "links:1: 02:F0:00:00:00:00 is no MAC in lower case",
        "links:1: 10.77.0.1 is neither IPv4 ADDRESS/LENGTH nor -",
        "links:2: 9 is no MTU from 68 to 65535",
        "links:4: expected SWITCH MAC ADDRESS/LENGTH MTU, not 1 fields",
        "neighbors:2: pink is not in links",
        "routes:1: expected ADDRESS NODE SWITCH=VIA..., not 2 fields",
        "routes:2: grey=10.77.9.9 has no valid line in nics or neighbors",
        "sysctl:1: expected KEY = VALUE",
    ]


NICS = """\
red 10.77.0.1 02:f0:00:00:00:00 k00
blue 10.77.1.1 02:f0:00:00:00:01 k00
blue 10.77.1.2 02:f0:00:00:01:01 k01
red 10.77.0.2 02:f0:00:00:01:00 k01
green 10.77.2.2 02:f0:00:00:01:02 k01
"""


def test_nics_on_the_switches_of_the_node_are_its_neighbors_but_not_its_own(etc: Path) -> None:
    former = read_plan(etc, etc / "sysctl")
    (etc / "nics").write_text(NICS)
    (etc / "neighbors").write_text("")
    assert read_plan(etc, etc / "sysctl") == former
    (etc / "neighbors").write_text("red 10.77.0.9 02:f0:00:00:08:00 hot1\n")
    plan = read_plan(etc, etc / "sysctl")
    assert [(each.switch, each.node) for each in plan.neighbors] == [("red", "k01"), ("blue", "k01"), ("red", "hot1")]


TREE = "tree red\n"


def test_over_a_tree_a_peer_is_a_neighbor_by_its_identity(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + TREE)
    (etc / "nics").write_text(NICS)
    (etc / "neighbors").write_text("red 10.78.0.2 02:f0:00:00:01:01 k01\n")
    (etc / "routes").write_text("10.78.0.2 k01 red\n")
    plan = read_plan(etc, etc / "sysctl")
    assert plan.tree == "red"
    assert plan.routes == (Route("10.78.0.2", (Leg("red", ""),), "k01"),)
    assert [(each.switch, each.address, each.mac) for each in plan.neighbors] == [
        ("red", "10.77.0.2", "02:f0:00:00:01:00"),
        ("blue", "10.77.1.2", "02:f0:00:00:01:01"),
        ("red", "10.78.0.2", "02:f0:00:00:01:01"),
    ]


def test_over_a_tree_an_entry_replaces_the_nic_on_the_switch_of_the_tree_alone(etc: Path) -> None:
    links = "red 02:f0:00:00:00:00 - 1500\nblue 02:f0:00:00:00:01 - 1500\n"
    nics = "red 10.78.0.2 02:f0:00:00:01:00 k01\nblue 10.78.0.2 02:f0:00:00:01:01 k01\n"
    (etc / "node").write_text(GOOD["node"] + TREE)
    (etc / "links").write_text(links)
    (etc / "nics").write_text(nics)
    (etc / "neighbors").write_text("red 10.78.0.2 02:f0:00:00:01:01 k01\n")
    (etc / "routes").write_text("10.78.0.2 k01 red\n")
    assert {(each.switch, each.mac) for each in read_plan(etc, etc / "sysctl").neighbors} == {
        ("blue", "02:f0:00:00:01:01"),
        ("red", "02:f0:00:00:01:01"),
    }
    assert problems(etc, neighbors="blue 10.78.0.2 02:f0:00:00:01:00 k01\n") == [
        "neighbors:1: 10.78.0.2 on blue has a line already"
    ]
    assert problems(etc, node=GOOD["node"], neighbors="red 10.78.0.2 02:f0:00:00:01:01 k01\n") == [
        "neighbors:1: 10.78.0.2 on red has a line already"
    ]


def test_an_identity_is_no_neighbor_besides_the_switch_of_the_tree(etc: Path) -> None:
    line = "blue 10.78.0.2 02:f0:00:00:01:01 k01\n"
    assert problems(etc, node=GOOD["node"] + TREE, neighbors=line, routes="") == [
        "neighbors:1: 10.78.0.2 is no other address of 10.77.1.0/24, the subnet of blue"
    ]


def test_an_identity_is_no_address_of_a_nic_on_the_switch_of_the_tree(etc: Path) -> None:
    line = "red 10.78.0.2 02:f0:00:00:01:01 k01\n"
    assert problems(etc, node=GOOD["node"] + TREE, nics=line, neighbors="", routes="") == [
        "nics:1: 10.78.0.2 is no other address of 10.77.0.0/24, the subnet of red"
    ]


def test_wrong_lines_among_the_nics_are_reported_once(etc: Path) -> None:
    lines = "red 10.77.0.2 02:F0:00:00:01:00 k01\npink 10.77 x k02\nblue 10.77.1.2 02:f0:00:00:01:01\n"
    repeated = "red 10.77.0.7 02:f0:00:00:01:06 k07\nblue 10.77.1.2 02:f0:00:00:01:01 k01\n"
    assert problems(etc, nics=lines + repeated) == [
        "nics:1: 02:F0:00:00:01:00 is no MAC in lower case",
        "nics:3: expected SWITCH ADDRESS MAC NODE, not 3 fields",
        "neighbors:2: 10.77.1.2 on blue has a line already",
    ]


def test_missing_file_and_missing_keys_are_reported(etc: Path) -> None:
    (etc / "links").unlink()
    assert problems(etc, node="cluster six\n", neighbors="", routes="") == [
        "node: missing node, rank, identity, protocol",
        "links: No such file or directory",
    ]


def test_neighbor_outside_its_subnet_and_own_address_are_reported(etc: Path) -> None:
    lines = "red 10.77.1.2 02:f0:00:00:01:00 k01\nblue 10.77.1.1 02:f0:00:00:01:01 k01\n"
    assert problems(etc, neighbors=lines, routes="") == [
        "neighbors:1: 10.77.1.2 is no other address of 10.77.0.0/24, the subnet of red",
        "neighbors:2: 10.77.1.1 is no other address of 10.77.1.0/24, the subnet of blue",
    ]


def test_repeated_lines_are_reported(etc: Path) -> None:
    reported = problems(
        etc,
        node=GOOD["node"] + "rank 1\n",
        links=GOOD["links"] + "red 02:f0:00:00:00:05 10.77.5.1/24 1500\n",
        neighbors=GOOD["neighbors"] + "red 10.77.0.2 02:f0:00:00:01:00 k01\n",
        routes=GOOD["routes"] * 2,
    )
    assert reported == [
        "node:6: rank is given twice",
        "links:5: red has a line already",
        "neighbors:3: 10.77.0.2 on red has a line already",
        "routes:2: 10.78.0.2 has a line already",
    ]


def test_legs_have_weights(etc: Path) -> None:
    (etc / "routes").write_text("10.78.0.2 k01 red=10.77.0.2*3 blue=10.77.1.2*256\n")
    (route,) = read_plan(etc, etc / "sysctl").routes
    assert route.legs == (Leg("red", "10.77.0.2", 3), Leg("blue", "10.77.1.2", 256))


def test_wrong_weights_are_reported(etc: Path) -> None:
    lines = ["10.78.0.2 k01 red=10.77.0.2*0 blue=10.77.1.2*257", "10.78.0.3 k01 red=10.77.0.2*", "10.78.0.4 k01 red*x"]
    assert problems(etc, routes="\n".join(lines)) == [
        "routes:1: red=10.77.0.2*0: the weight is no number from 1 to 256",
        "routes:1: blue=10.77.1.2*257: the weight is no number from 1 to 256",
        "routes:2: red=10.77.0.2*: the weight is no number from 1 to 256",
        "routes:3: red*x: the weight is no number from 1 to 256",
        "routes:3: red=10.78.0.4 has no valid line in nics or neighbors",
    ]


def test_a_leg_with_two_weights_is_named_twice(etc: Path) -> None:
    lines = "10.78.0.2 k01 red=10.77.0.2*2 red=10.77.0.2*3\n"
    assert problems(etc, routes=lines) == ["routes:1: a leg is named twice"]


@pytest.mark.parametrize("routes", ["10.78.0.2 k01 red=10.77.0.2*3 blue=10.77.1.2\n", GOOD["routes"]])
def test_a_formatted_plan_has_the_same_routes(etc: Path, routes: str) -> None:
    (etc / "routes").write_text(routes)
    assert format_plan(read_plan(etc, etc / "sysctl"))["routes"] == routes


# --- The difference ---
