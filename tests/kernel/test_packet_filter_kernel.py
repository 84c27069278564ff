# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of packet filters predicts what the kernel does with a packet, for rules of nft and of iptables.

    k01 10.77.0.1 ── red ── k00 10.77.0.2, 10.88.0.2 ── blue ── k02 10.88.0.1

k01 connects to port 40000 of k00, and in the tests of forwarding to that of k02.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from namespaces import Cables
from waiting import wait_until

PORT = "40000"
LISTEN = "import socket, time; s = socket.create_server(('', int(__import__('sys').argv[1]))); time.sleep(600)"
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 0.6)"

INPUT = "table inet filter {{\n{2}\nchain input {{ type filter hook input priority 0; policy {0};\n{1}\n}}\n}}"
FORWARD = "table ip own {{\nchain pass {{ type filter hook forward priority 0; policy {0};\n{1}\n}}\n}}"


@pytest.fixture(scope="module")
def three(shared_cables: Cables) -> Cables:
    cables = shared_cables
    for switch in ("red", "blue"):
        cables.add_switch(switch)
    for rank, (node, switch) in enumerate((("k00", "red"), ("k01", "red"), ("k02", "blue"))):
        cables.add_node(node)
        cables.add_nic(node, 0, f"02:f0:00:00:{rank:02x}:00", switch)
    cables.add_nic("k00", 1, "02:f0:00:00:00:01", "blue")
    for node, device, address in (
        ("k00", "nic0", "10.77.0.2/24"),
        ("k00", "nic1", "10.88.0.2/24"),
        ("k01", "nic0", "10.77.0.1/24"),
        ("k02", "nic0", "10.88.0.1/24"),
    ):
        cables.ip(node, "address", "add", address, "dev", device)
        cables.ip(node, "link", "set", device, "up")
    cables.inside("k00", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
    cables.ip("k01", "route", "add", "10.88.0.0/24", "via", "10.77.0.2")
    cables.ip("k02", "route", "add", "10.77.0.0/24", "via", "10.88.0.2")
    return cables


@pytest.fixture(scope="module", autouse=True)
def listeners(three: Cables) -> None:
    """They end with their namespaces."""
    for node in ("k00", "k02"):
        three.inside(node, "sh", "-c", f'"{sys.executable}" -IS -c "{LISTEN}" {PORT} > /dev/null 2>&1 &')
    wait_until(lambda: connects(three, "k00", "127.0.0.1") and connects(three, "k02", "127.0.0.1"), 10)


@pytest.fixture(autouse=True)
def no_rules(three: Cables) -> None:
    three.inside("k00", "nft", "flush", "ruleset")
    for program in ("iptables", "iptables-legacy"):
        for words in ("-P INPUT ACCEPT", "-P FORWARD ACCEPT", "-F", "-X"):
            three.inside("k00", program, *words.split())


def connects(cables: Cables, node: str, address: str) -> bool:
    done = cables.inside(node, sys.executable, "-IS", "-c", CONNECT, address, PORT, check=False)
    return done.returncode == 0


def predict(cables: Cables, forwards: bool = False) -> list[dict[str, Any]]:
    options = {"match": ["nic*"], "prefixes": ["10.77.0.0/24"], "forwards": forwards, "sent": time.time()}
    answer = cables.run_module("k00", "fnn_node", **options)
    assert "filters" in answer, answer
    filters: list[dict[str, Any]] = answer["filters"]
    return filters


@pytest.mark.parametrize(
    ("policy", "rules", "more"),
    [
        ("accept", "", ""),
        ("drop", "", ""),
        ("drop", "ct state established,related accept\niif lo accept", ""),
        ("drop", "ct state new accept", ""),
        (
            "drop",
            "ct state vmap { established : accept, new : jump own }",
            "chain own { ip saddr 10.0.0.0/8 accept\n}",
        ),
        ("drop", "ct state vmap { established : accept, invalid : drop }", ""),
        ("drop", "ip saddr { 10.66.0.0/16, 10.77.0.0/16 } accept", ""),
        ("drop", "ip saddr 10.77.0.1-10.77.0.9 accept", ""),
        ("drop", "ip saddr != 10.77.0.0/16 accept", ""),
        ("drop", "ip saddr @own accept", "set own { type ipv4_addr; flags interval; elements = { 10.77.0.0/16 }\n}"),
        ("drop", 'iifname "nic*" accept', ""),
        ("drop", 'iifname "eth*" accept', ""),
        ("drop", "tcp dport 1024-65535 accept", ""),
        ("drop", "tcp dport { 22, 80 } accept", ""),
        ("drop", "udp dport 1024-65535 accept", ""),
        ("drop", "meta l4proto { tcp, udp } th dport 40000 accept", ""),
        ("accept", "ip saddr 10.77.0.0/16 reject", ""),
        ("accept", "tcp dport != 22 counter drop", ""),
        ("drop", "jump own\naccept", "chain own { tcp dport 22 accept\nreturn\n}"),
        ("drop", "goto own\naccept", "chain own { tcp dport 22 accept\n}"),
        ("accept", "goto own\naccept", "chain own { tcp dport 22 accept\n}"),
    ],
)
def test_rules_of_nft_for_a_node_are_predicted(three: Cables, policy: str, rules: str, more: str) -> None:
    three.inside("k00", "nft", INPUT.format(policy, rules, more))
    found = predict(three)
    assert all(each["certain"] for each in found)
    assert connects(three, "k01", "10.77.0.2") is not bool(found)


@pytest.mark.parametrize("program", ["iptables", pytest.param("iptables-legacy", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "rules",
    [
        ["-P INPUT DROP"],
        ["-P INPUT DROP", "-A INPUT -i lo -j ACCEPT", "-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"],
        ["-P INPUT DROP", "-A INPUT -s 10.77.0.0/16 -p tcp -m multiport --dports 22,1024:65535 -j ACCEPT"],
        ["-P INPUT DROP", "-A INPUT -s 10.77.0.0/16 -p tcp -m tcp ! --dport 40000 -j ACCEPT"],
        ["-P INPUT DROP", "-A INPUT -i nic+ -j ACCEPT"],
        ["-N own", "-A INPUT -m addrtype --dst-type LOCAL -g own", "-A own -p icmp -j ACCEPT", "-A own -j REJECT"],
        ["-N own", "-A INPUT -j own", "-A INPUT -j DROP", "-A own -p tcp -j ACCEPT"],
        ["-N own", "-A INPUT -j own", "-A INPUT -j DROP", "-A own -d 10.99.0.0/16 -j ACCEPT", "-A own -j RETURN"],
    ],
    ids=" ".join,
)
def test_rules_of_iptables_for_a_node_are_predicted(three: Cables, program: str, rules: list[str]) -> None:
    for rule in rules:
        three.inside("k00", program, *rule.split())
    found = predict(three)
    assert all(each["certain"] for each in found)
    assert connects(three, "k01", "10.77.0.2") is not bool(found)


@pytest.mark.parametrize(
    ("policy", "rules"),
    [
        ("drop", ""),
        ("drop", "ct state established accept\nip saddr 10.77.0.0/24 accept"),
        ("drop", 'ct state established accept\niifname { "nic0", "nic1" } oifname { "nic0", "nic1" } accept'),
        ("drop", 'ct state established accept\niifname "nic0" oifname "docker0" accept'),
    ],
)
def test_rules_for_forwarded_packets_are_predicted(three: Cables, policy: str, rules: str) -> None:
    three.inside("k00", "nft", FORWARD.format(policy, rules))
    assert predict(three) == []
    found = predict(three, forwards=True)
    assert all(each["hook"] == "forward" for each in found)
    assert connects(three, "k01", "10.88.0.1") is not bool(found)


def test_a_nic_whose_cable_is_out_is_named(three: Cables) -> None:
    three.ip("sw", "link", "set", "k00.1", "down")
    try:
        answer = three.run_module("k00", "fnn_node", match=["nic*"], sent=time.time())
        assert answer["without_carrier"] == ["nic1"]
    finally:
        three.ip("sw", "link", "set", "k00.1", "up")


def test_a_rule_that_cannot_be_evaluated_makes_a_chain_uncertain(three: Cables) -> None:
    rules = "ct state established accept\nlimit rate 100/second accept"
    three.inside("k00", "nft", INPUT.format("drop", rules, ""))
    assert predict(three) == [
        {"table": "inet filter", "chain": "input", "hook": "input", "device": "nic0", "certain": False}
    ]
