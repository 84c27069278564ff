# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of next hops against a real kernel: two nodes that share three switches, with weights 1, 2 and 5."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.net.legs_down import take_daemon_lock, write_unusable
from namespaces import IDENTITY, Cables
from programs import install_fnn_net

SWITCHES = ["red", "blue", "green"]
WEIGHTS = [1, 2, 5]
FLOWS = 4000
#: Five standard deviations of the number of flows on a NIC, at most sqrt(4000 / 4) each.
SPREAD = 160
SYSCTL = (
    "net.ipv4.fib_multipath_hash_policy=1\nnet.ipv4.conf.all.ignore_routes_with_linkdown=1\n"
    "net.ipv4.conf.default.ignore_routes_with_linkdown=1\n"
)
# Sends one datagram to each of argv[2] ports of argv[1]: as many flows.
SEND = """
import socket, sys
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for port in range(10000, 10000 + int(sys.argv[2])):
    out.sendto(b"flow", (sys.argv[1], port))
"""


def mac(rank: int, nic: int) -> str:
    return f"02:f0:00:00:{rank:02x}:{nic:02x}"


class Node:
    """One of two nodes with its files and its own /run/fnn."""

    def __init__(self, cables: Cables, directory: Path, rank: int, numbered: bool) -> None:
        self.cables, self.rank, self.name = cables, rank, f"k{rank:02}"
        self.etc, self.run_directory = directory / self.name, directory / f"run-{self.name}"
        self.etc.mkdir()
        self.run_directory.mkdir()
        self.program = install_fnn_net(directory)
        peer = 1 - rank
        links, neighbors, legs = [], [], []
        for nic, (switch, weight) in enumerate(zip(SWITCHES, WEIGHTS)):
            own, via = (f"10.77.{nic}.{each + 1}" for each in (rank, peer))
            links.append(f"{switch} {mac(rank, nic)} {f'{own}/24' if numbered else '-'} 1500")
            neighbors.append(f"{switch} {via if numbered else f'10.78.0.{peer + 1}'} {mac(peer, nic)} k{peer:02}")
            legs.append(f"{switch}={via}*{weight}" if numbered else f"{switch}*{weight}")
        self.write("node", f"cluster two\nnode {self.name}\nrank {rank}\n")
        self.write("node", f"identity fnn0 {IDENTITY} 10.78.0.{rank + 1}\nprotocol 196\n", "a")
        self.write("links", "\n".join(links) + "\n")
        self.write("neighbors", "\n".join(neighbors) + "\n")
        self.write("routes", f"10.78.0.{peer + 1} k{peer:02} {' '.join(legs)}\n")
        self.write("sysctl", SYSCTL)

    def write(self, file: str, text: str, mode: str = "w") -> None:
        with (self.etc / file).open(mode) as out:
            out.write(text)

    def ask(self, command: str) -> dict[str, Any]:
        """The answer of fnn-net."""
        words = ["--etc", self.etc, "--sysctl", self.etc / "sysctl", "--run", self.run_directory]
        done = self.cables.inside(self.name, sys.executable, str(self.program), command, *map(str, words), check=False)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def read_weights(self) -> dict[str, int]:
        """Device -> weight of the route to the peer, as the kernel has it; 1 for the only next hop."""
        (route,) = self.cables.ip_json(self.name, "route", "show", f"10.78.0.{2 - self.rank}")
        return {hop["dev"]: hop.get("weight", 1) for hop in route.get("nexthops", [route])}

    def count_sent(self) -> list[int]:
        links = [self.cables.ip_json(self.name, "-s", "link", "show", f"nic{nic}")[0] for nic in range(3)]
        return [int(link["stats64"]["tx"]["packets"]) for link in links]

    def divide_flows(self) -> list[int]:
        """Flows to the peer per NIC."""
        before = self.count_sent()
        self.cables.inside(self.name, sys.executable, "-IS", "-c", SEND, f"10.78.0.{2 - self.rank}", str(FLOWS))
        return [after - start for start, after in zip(before, self.count_sent())]

    @contextmanager
    def avoiding(self, *nics: int) -> Iterator[None]:
        """While fnn-linkd holds its lock and has found these own NICs unusable."""
        lock = take_daemon_lock(self.run_directory)
        assert lock is not None
        try:
            write_unusable(self.run_directory, [(mac(self.rank, nic), SWITCHES[nic], self.name) for nic in nics])
            yield
        finally:
            os.close(lock)


@pytest.fixture(params=[True, False], ids=["subnets", "unnumbered"])
def node(cables: Cables, tmp_path: Path, request: pytest.FixtureRequest) -> Node:
    """k00 with its plan applied; k01 answers nothing, but has its cables."""
    for switch in SWITCHES:
        cables.add_switch(switch)
    for rank in range(2):
        cables.add_node(f"k{rank:02}")
        for nic, switch in enumerate(SWITCHES):
            cables.add_nic(f"k{rank:02}", nic, mac(rank, nic), switch)
    both = [Node(cables, tmp_path, rank, request.param) for rank in range(2)]
    for each in both:
        assert each.ask("apply")["changed"]
    return both[0]


def check_division(node: Node, weights: list[int]) -> None:
    """Flows divide in proportion to the weights; 0 for a NIC without flows."""
    found = node.divide_flows()
    for nic, weight in enumerate(weights):
        wanted = FLOWS * weight / sum(weights)
        assert abs(found[nic] - wanted) <= (SPREAD if weight else 20), (found, weights)


def test_weights_are_applied_once_and_divide_flows(node: Node) -> None:
    assert node.read_weights() == {"nic0": 1, "nic1": 2, "nic2": 5}
    assert node.ask("apply")["changed"] is False
    check_division(node, WEIGHTS)
    assert node.cables.ping("k00", "10.78.0.2")


def test_another_weight_in_the_kernel_is_corrected(node: Node) -> None:
    (route,) = node.cables.ip_json("k00", "route", "show", "10.78.0.2")
    hops = []
    for hop in route["nexthops"]:
        via = ["via", hop["gateway"]] if "gateway" in hop else []
        hops += ["nexthop", *via, "dev", hop["dev"], "weight", "1"]
    scope = [] if "gateway" in route["nexthops"][0] else ["scope", "link"]
    node.cables.ip("k00", "route", "replace", "10.78.0.2/32", "proto", "196", "src", "10.78.0.1", *scope, *hops)
    (line,) = node.ask("diff")["commands"]
    assert line.count("weight") == 3
    assert node.ask("apply")["commands"] == [line]
    assert node.read_weights() == {"nic0": 1, "nic1": 2, "nic2": 5}


def test_weights_that_are_left_keep_their_proportion(node: Node) -> None:
    with node.avoiding(0):
        assert node.ask("apply")["changed"]
        assert node.read_weights() == {"nic1": 2, "nic2": 5}
        assert node.ask("apply")["changed"] is False
        check_division(node, [0, 2, 5])
    with node.avoiding(0, 1):
        assert node.ask("apply")["changed"]
        assert node.read_weights() == {"nic2": 1}
        assert node.ask("diff")["changed"] is False
    assert node.ask("apply")["changed"], "fnn-linkd has ended"
    assert node.read_weights() == {"nic0": 1, "nic1": 2, "nic2": 5}


def test_the_kernel_leaves_out_a_nic_without_carrier(node: Node) -> None:
    node.cables.ip("sw", "link", "set", "k00.2", "down")
    check_division(node, [1, 2, 0])
    node.cables.ip("sw", "link", "set", "k00.2", "up")
    check_division(node, WEIGHTS)


def test_the_largest_weight_is_taken(node: Node) -> None:
    text = (node.etc / "routes").read_text()
    node.write("routes", text.replace("*5", "*256"))
    assert node.ask("apply")["changed"]
    assert node.read_weights() == {"nic0": 1, "nic1": 2, "nic2": 256}
    assert node.ask("apply")["changed"] is False
