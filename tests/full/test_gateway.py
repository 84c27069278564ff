# SPDX-License-Identifier: GPL-3.0-or-later
"""One node as the gateway of a cluster: nodes reach and resolve hosts outside, which cannot reach the nodes.

The tests share one lab and run in order: each leaves it as the next one needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_site import ADDRESS, APART, BEHIND, GATEWAY, NAME, NODES, ON, ROUTER, GatewaySite
from labsite import find_changed, find_failed
from waiting import wait_until

NETWORK, TEST = "playbooks/network.yml", "playbooks/gateway.yml"
SSH = 22
State = dict[str, list[str]]


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[GatewaySite]:
    """Proved, without a gateway, and with a network outside."""
    site = GatewaySite(root)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"), site.connected():
        site.play("site.yml", "-e", '{"fnn_prove_mpi": []}')
        yield site


@pytest.fixture(scope="module")
def before(site: GatewaySite) -> State:
    """Nodes without a gateway."""
    return site.read_state()


@pytest.fixture(scope="module")
def after(site: GatewaySite, before: State) -> State:
    """Nodes with a gateway."""
    assert before
    site.tune(**ON)
    site.play(NETWORK, TEST)
    return site.read_state()


def find_difference(before: State, after: State) -> list[str]:
    """Lines that only one of two states has, besides the files of refused changes."""
    lines = []
    for node in NODES:
        lines += [f"{node} - {line}" for line in before[node] if line not in after[node]]
        lines += [f"{node} + {line}" for line in after[node] if line not in before[node]]
    return [line for line in lines if "/var/lib/fnn/refused" not in line]


def test_check_mode_shows_the_gateway_and_changes_nothing(site: GatewaySite, before: State) -> None:
    site.tune(**ON)
    output = site.play(NETWORK, TEST, "--check", "--diff")
    for text in (
        "table ip fnn_gateway",
        "sysctl net/ipv4/conf/out0/forwarding=1",
        "ip route replace default metric 96",
    ):
        assert text in output, text
    assert find_difference(before, site.read_state()) == []


def test_bad_variables_are_named_and_change_nothing(site: GatewaySite, before: State) -> None:
    for variable, value, text in (
        ("fnn_gateway", "k9", '"k9" is no node of fnn_nodes, there are: k0, k1, k2, k3'),
        ("fnn_gateway_interface", "nope", "k0 has no IPv4 address on nope; it has some on mg0, out0"),
        ("fnn_gateway_interface", "nic0", "k0 has no IPv4 address on nic0; it has some on mg0, out0"),
    ):
        site.tune(**{**ON, variable: value})
        done = site.try_to_run(*site.write_play(NETWORK))
        assert done.returncode != 0
        assert f"{variable}: {text}" in done.stdout
    assert find_difference(before, site.read_state()) == []


def test_rules_that_cannot_be_loaded_leave_no_gateway(site: GatewaySite, before: State) -> None:
    site.tune(**ON)
    site.shell(GATEWAY, "mv /usr/sbin/nft /usr/sbin/nft.away && ln -s /bin/false /usr/sbin/nft")
    done = site.try_to_run(*site.write_play(NETWORK))
    site.shell(GATEWAY, "mv /usr/sbin/nft.away /usr/sbin/nft")
    assert GATEWAY in find_failed(done.stdout)
    assert "the former files and the former network are restored" in done.stdout
    assert [line for line in find_difference(before, site.read_state()) if line.startswith(GATEWAY)] == []
    site.tune()
    site.play(NETWORK)  # the other nodes had kept their part of the change


def test_a_gateway_of_a_killed_controller_leaves_nothing(site: GatewaySite, before: State) -> None:
    site.tune(**ON)
    site.kill_controller_during(NETWORK)
    assert find_difference(before, site.read_state()) == []


def test_nodes_behind_the_gateway_reach_the_outside_with_its_address(site: GatewaySite, after: State) -> None:
    assert after
    assert {node: site.reaches_outside(node) for node in BEHIND} == dict.fromkeys(BEHIND, ADDRESS)
    assert find_changed(site.play(NETWORK, TEST)) == []


def test_nodes_resolve_names_of_the_cluster_and_of_the_outside(site: GatewaySite, after: State) -> None:
    assert all("resolver: # BEGIN fnn" in after[node] and "nameserver 10.78.0.1" in after[node] for node in BEHIND)
    for node in BEHIND:
        assert site.inside(node, "getent", "ahostsv4", NAME).startswith("198.51.100.80 ")


def test_a_node_with_another_default_route_keeps_routes_and_resolver(
    site: GatewaySite, before: State, after: State
) -> None:
    assert [line for line in find_difference(before, after) if line.startswith(APART)] == []
    assert f"{APART}: not behind {GATEWAY}, because of another default route" in site.play(TEST)


def test_the_cluster_with_a_gateway_is_proved(site: GatewaySite, after: State) -> None:
    assert after
    site.play("playbooks/prove.yml", "-e", '{"fnn_prove_mpi": []}')
    proof = site.read(site.build / "proof.json")
    assert (proof["verdict"], proof["problems"]) == ("proved", [])


def test_programs_get_an_error_at_once_while_the_gateway_is_dead(site: GatewaySite, after: State) -> None:
    assert after
    site.fnn("lab", "unplug", f"{GATEWAY}:0")
    try:
        wait_until(lambda: "unreachable default" in site.shell("k1", "ip -4 route show default"), 30, every=0.2)
        done = site.try_to_run(*site.write_play(TEST))
        assert "the name service at 10.78.0.1 answers no address for k1, not 10.78.0.2" in done.stdout
    finally:
        site.fnn("lab", "recable")
    wait_until(lambda: all(site.reaches_outside(node) == ADDRESS for node in BEHIND), 60, every=0.5)


def test_hosts_outside_reach_the_gateway_and_no_node(site: GatewaySite, after: State) -> None:
    assert after
    assert site.is_reached_from_outside(ADDRESS, SSH)
    inside = ["10.78.0.1", "10.77.0.1", "10.78.0.2", "10.77.0.2", "10.78.0.3"]
    assert [each for each in inside if site.is_reached_from_outside(each, SSH)] == []
    site.shell(GATEWAY, "nft delete table ip fnn_gateway")
    assert site.is_reached_from_outside("10.78.0.2", SSH), "without rules the route of the host leads to the node"


def test_flushed_rules_and_a_stopped_name_service_are_reported_and_restored(site: GatewaySite, after: State) -> None:
    site.inside(GATEWAY, "systemctl", "stop", "fnn-names")
    done = site.try_to_run(*site.write_play(TEST))
    assert find_failed(done.stdout) == {GATEWAY, *BEHIND}
    assert "the table ip fnn_gateway is not loaded; run playbooks/network.yml" in done.stdout
    assert "fnn-names.service does not run" in done.stdout
    assert "the name service at 10.78.0.1 answers no address for k1, not 10.78.0.2" in done.stdout
    assert set(find_changed(site.play(NETWORK, TEST))) == {GATEWAY}
    assert find_difference(after, site.read_state()) == []


def test_the_firewall_of_the_distribution_keeps_the_rules(site: GatewaySite, after: State) -> None:
    assert after
    for step in ("start", "reload", "restart", "stop"):
        site.inside(GATEWAY, "systemctl", step, "nftables")
        assert "table ip fnn_gateway" in site.inside(GATEWAY, "nft", "list", "tables"), step
        assert not site.is_reached_from_outside("10.78.0.2", SSH)
    assert find_changed(site.play(NETWORK, TEST)) == []


def test_other_tables_stay(site: GatewaySite, after: State) -> None:
    assert after
    site.inside(GATEWAY, "nft", "add", "table", "inet", "mine")
    site.tune(**{**ON, "fnn_gateway_dns": [ROUTER, "192.0.2.53"]})
    site.play(NETWORK, TEST)
    assert "table inet mine" in site.inside(GATEWAY, "nft", "list", "tables")
    site.inside(GATEWAY, "nft", "delete", "table", "inet", "mine")
    site.tune(**ON)
    site.play(NETWORK, TEST)


def test_a_rebooted_gateway_works_again(site: GatewaySite, after: State) -> None:
    assert after
    site.reboot(GATEWAY)
    wait_until(lambda: all(site.reaches_outside(node) == ADDRESS for node in BEHIND), 60, every=0.5)
    assert not site.is_reached_from_outside("10.78.0.2", SSH)
    assert find_changed(site.play(NETWORK, TEST)) == []


def test_a_removal_of_a_killed_controller_keeps_the_gateway(site: GatewaySite, after: State) -> None:
    site.tune()
    site.kill_controller_during(NETWORK)
    assert find_difference(after, site.read_state()) == []
    assert not site.is_reached_from_outside("10.78.0.2", SSH)
    site.tune(**ON)
    site.play(NETWORK, TEST)


def test_without_the_variable_no_gateway_is_left(site: GatewaySite, before: State, after: State) -> None:
    assert after
    site.tune()
    site.play(NETWORK, TEST)
    assert find_difference(before, site.read_state()) == []
    assert find_changed(site.play(NETWORK, TEST)) == []


def test_the_removal_of_the_toolkit_removes_the_gateway(site: GatewaySite, after: State) -> None:
    assert after
    site.tune(**ON)
    site.play(NETWORK, TEST)
    site.play("playbooks/remove.yml")
    for node, lines in site.read_state().items():
        assert "tables: " in lines
        assert [line for line in lines if "fnn-gateway" in line or "/etc/fnn" in line] == [], node
        assert not any("out0/forwarding:1" in line or "proto 196" in line for line in lines)
