# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn-net against a real kernel: two switches, three nodes; k00 and k01 share both, k02 only red."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from namespaces import IDENTITY, PREFIX
from programs import install_fnn_net

WIRING = {"k00": ["red", "blue"], "k01": ["red", "blue"], "k02": ["red"]}
SWITCHES = ["red", "blue"]


def mac(rank: int, nic: int) -> str:
    return f"02:f0:00:00:{rank:02x}:{nic:02x}"


class Node:
    """One namespace with its rendered files."""

    def __init__(self, name: str, cables: Any, directory: Path) -> None:
        self.name, self.cables, self.etc = name, cables, directory / name
        self.etc.mkdir()
        self.program = install_fnn_net(directory)
        self.sysctl = self.etc / "sysctl.conf"
        self.write_files()

    def write_files(self, mtu: int = 1500, kind: str = IDENTITY, numbered: bool = True) -> None:
        rank = list(WIRING).index(self.name)
        (self.etc / "node").write_text(
            f"# What this node is\ncluster six\nnode {self.name}\nrank {rank}\n"
            f"identity fnn0 {kind} 10.78.0.{rank + 1}\nprotocol 196\n"
        )
        self.sysctl.write_text("# One hash per flow\nnet.ipv4.fib_multipath_hash_policy=1\n")
        links, neighbors, routes = ["# SWITCH MAC ADDRESS/LENGTH MTU"], [], []
        for nic, switch in enumerate(WIRING[self.name]):
            address = f"10.77.{SWITCHES.index(switch)}.{rank + 1}/24" if numbered else "-"
            links.append(f"{switch} {mac(rank, nic)} {address} {mtu}")
        for other, (name, wires) in enumerate(WIRING.items()):
            shared = [switch for switch in wires if switch in WIRING[self.name]]
            if name != self.name:
                identity, legs = f"10.78.0.{other + 1}", []
                for switch in shared:
                    via = f"10.77.{SWITCHES.index(switch)}.{other + 1}"
                    known_as = via if numbered else identity
                    neighbors.append(f"{switch} {known_as} {mac(other, wires.index(switch))} {name}")
                    legs.append(f"{switch}={via}" if numbered else switch)
                routes.append(f"{identity} {name} {' '.join(legs)}")
        for file, lines in (("links", links), ("neighbors", neighbors), ("routes", routes)):
            (self.etc / file).write_text("\n".join(lines) + "\n")

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.etc / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def run(self, command: str, *options: str, **environment: str) -> Any:
        files = ("--etc", str(self.etc), "--sysctl", str(self.sysctl))
        return self.cables.inside(
            self.name, sys.executable, str(self.program), command, *files, *options, check=False, **environment
        )

    def answer(self, command: str, *options: str) -> dict[str, Any]:
        done = self.run(command, *options)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def is_settled(self) -> bool:
        answer = self.answer("diff")
        return not answer["changed"] and not answer["commands"] and not answer["sysctls"]


@pytest.fixture
def nodes(cables: Any, tmp_path: Path) -> dict[str, Node]:
    """Three cabled nodes with their files; no plan is applied."""
    for switch in SWITCHES:
        cables.add_switch(switch)
    for rank, (name, wires) in enumerate(WIRING.items()):
        cables.add_node(name)
        for nic, switch in enumerate(wires):
            cables.add_nic(name, nic, mac(rank, nic), switch)
    return {name: Node(name, cables, tmp_path) for name in WIRING}


@pytest.fixture
def applied(nodes: dict[str, Node]) -> dict[str, Node]:
    for node in nodes.values():
        assert node.answer("apply")["changed"]
    return nodes


def test_all_pairs_reach_each_other_without_arp(applied: dict[str, Node]) -> None:
    for node in applied.values():
        for rank in range(len(applied)):
            assert node.cables.ping(node.name, f"10.78.0.{rank + 1}")
    states = {state for each in applied["k00"].cables.ip_json("k00", "neighbor", "show") for state in each["state"]}
    assert states == {"PERMANENT"}


def test_second_apply_changes_nothing(applied: dict[str, Node]) -> None:
    for node in applied.values():
        assert node.answer("apply") == {"changed": False, "commands": [], "sysctls": [], "missing": []}


def test_diff_names_exactly_the_deleted_neighbor(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.ip("k00", "neighbor", "del", "10.77.0.2", "dev", "nic0")
    line = "neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev nic0 nud permanent"
    assert node.answer("diff")["commands"] == [line]
    assert node.answer("diff")["commands"] == [line], "diff must not change anything"
    assert node.answer("apply")["commands"] == [line]
    assert node.is_settled()


def test_wrong_neighbor_is_corrected(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    wrong = ("neighbor", "replace", "10.77.0.2", "lladdr", "02:00:00:00:00:99", "dev", "nic0", "nud", "permanent")
    node.cables.ip("k00", *wrong)
    assert not node.cables.ping("k00", "10.77.0.2", "10.77.0.1")
    assert len(node.answer("apply")["commands"]) == 1
    assert node.is_settled()
    assert node.cables.ping("k00", "10.77.0.2", "10.77.0.1")


def test_arp_is_turned_off_again_and_the_lost_neighbors_are_restored(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.ip("k00", "link", "set", "nic0", "arp", "on")
    commands = node.answer("apply")["commands"]
    assert commands[0] == "link set dev nic0 arp off"
    assert [line.split()[2] for line in commands[1:]] == ["10.77.0.2", "10.77.0.3"]
    assert "NOARP" in node.cables.ip_json("k00", "link", "show", "nic0")[0]["flags"]
    assert node.is_settled()


def test_link_taken_down_is_restored_by_one_apply(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.ip("k00", "link", "set", "nic0", "down")
    node.answer("apply")
    assert node.is_settled()
    assert node.cables.ping("k00", "10.78.0.3")


def test_shared_switches_make_one_route_with_two_legs(applied: dict[str, Node]) -> None:
    routes = applied["k00"].cables.ip_json("k00", "route", "show", "10.78.0.2")
    assert [(hop["dev"], hop["gateway"]) for hop in routes[0]["nexthops"]] == [
        ("nic0", "10.77.0.2"),
        ("nic1", "10.77.1.2"),
    ]
    assert routes[0]["prefsrc"] == "10.78.0.1"


def test_a_running_cluster_can_be_taken_to_unnumbered_nics_and_back(applied: dict[str, Node]) -> None:
    for numbered in (False, True):
        for node in applied.values():
            node.write_files(numbered=numbered)
            assert node.answer("apply")["changed"]
            assert node.is_settled()
            assert all(node.cables.ping(node.name, f"10.78.0.{rank + 1}") for rank in range(len(applied)))
        for node in applied.values():
            addresses = node.cables.ip_json(node.name, "-4", "address", "show", "nic0", "scope", "global")
            assert any(each.get("addr_info") for each in addresses) is numbered
        hops = applied["k00"].cables.ip_json("k00", "route", "show", "10.78.0.2")[0]["nexthops"]
        assert [("gateway" in hop, hop["dev"]) for hop in hops] == [(numbered, "nic0"), (numbered, "nic1")]


def count_sent(node: Node) -> list[int]:
    nics = range(len(WIRING[node.name]))
    stats = [node.cables.ip_json(node.name, "-s", "link", "show", f"nic{nic}")[0]["stats64"] for nic in nics]
    return [each["tx"]["bytes"] for each in stats]


def set_mptcp(nodes: dict[str, Node], state: str) -> None:
    for node in nodes.values():
        kept = [line for line in (node.etc / "node").read_text().splitlines() if not line.startswith("mptcp")]
        (node.etc / "node").write_text("\n".join([*kept, f"mptcp {state}"]) + "\n")
        node.answer("apply")
        assert node.is_settled()


MPTCP_SERVER = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as server:
    server.bind(("10.78.0.2", 7000))
    server.listen()
    print("listening", flush=True)
    connection, _ = server.accept()
    while connection.recv(1 << 20):
        pass
"""
MPTCP_CLIENT = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as client:
    client.connect(("10.78.0.2", 7000))
    for _ in range(64):
        client.sendall(bytes(1 << 20))
"""


def test_one_mptcp_connection_uses_both_shared_switches(applied: dict[str, Node]) -> None:
    set_mptcp(applied, "on")
    node = applied["k00"]
    before = count_sent(node)
    inside = ["ip", "netns", "exec", PREFIX + "k01", sys.executable, "-c", MPTCP_SERVER]
    with subprocess.Popen(inside, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline() == "listening\n"
        node.cables.inside("k00", sys.executable, "-c", MPTCP_CLIENT)
    sent = [after - start for after, start in zip(count_sent(node), before, strict=True)]
    assert min(sent) > 4 << 20, sent


def test_mptcp_taken_back_leaves_no_endpoint_of_ours(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.ip("k00", "mptcp", "endpoint", "add", "192.0.2.7", "signal")
    set_mptcp(applied, "on")
    assert len(node.cables.ip_json("k00", "mptcp", "endpoint", "show")) == 3
    set_mptcp(applied, "off")
    assert [each["address"] for each in node.cables.ip_json("k00", "mptcp", "endpoint", "show")] == ["192.0.2.7"]


def test_identity_device_has_no_arp_and_no_ipv6(applied: dict[str, Node]) -> None:
    for device in ("fnn0", "fnn0-peer") if IDENTITY == "veth" else ("fnn0",):
        (link,) = applied["k00"].cables.ip_json("k00", "link", "show", device)
        assert {"NOARP", "UP"} <= set(link["flags"])
        assert applied["k00"].cables.ip("k00", "-6", "address", "show", "dev", device) == ""


def test_changed_address_replaces_the_old_one_and_routes_survive(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.edit("links", "10.77.0.1/24", "10.77.0.9/24")
    node.edit("node", "10.78.0.1", "10.78.0.9")
    node.answer("apply")
    assert node.is_settled()
    addresses = [each["local"] for each in node.cables.ip_json("k00", "-4", "address", "show", "nic0")[0]["addr_info"]]
    assert addresses == ["10.77.0.9"]
    assert node.cables.ip_json("k00", "route", "show", "10.78.0.3")[0]["prefsrc"] == "10.78.0.9"


def test_entries_that_left_the_plan_are_deleted_and_foreign_ones_stay(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.ip("k00", "route", "add", "192.0.2.0/24", "via", "10.77.0.3", "dev", "nic0")
    for file in ("neighbors", "routes"):
        kept = [line for line in (node.etc / file).read_text().splitlines() if "k01" not in line]
        (node.etc / file).write_text("\n".join(kept) + "\n")
    commands = node.answer("apply")["commands"]
    assert sorted(commands) == [
        "neigh del 10.77.0.2 dev nic0",
        "neigh del 10.77.1.2 dev nic1",
        "route del 10.78.0.2 proto 196",
    ]
    assert node.cables.ip_json("k00", "route", "show", "192.0.2.0/24")


def test_nic_that_left_the_plan_is_released(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    for file in ("links", "neighbors"):
        kept = [line for line in (node.etc / file).read_text().splitlines() if not line.startswith("blue")]
        (node.etc / file).write_text("\n".join(kept) + "\n")
    node.edit("routes", " blue=10.77.1.2", "")
    node.answer("apply")
    assert node.is_settled()
    (link,) = node.cables.ip_json("k00", "-d", "address", "show", "nic1")
    assert "ifalias" not in link and link["addr_info"] == []
    assert not {"UP", "NOARP"} & set(link["flags"])


def test_maintenance_nics_use_arp_and_the_fabric_does_not(applied: dict[str, Node]) -> None:
    cables = applied["k00"].cables
    cables.add_switch("grey")
    for rank, (name, node) in enumerate(applied.items()):
        cables.add_nic(name, 7, mac(rank, 7), "grey", device="eno1")
        with (node.etc / "node").open("a") as file:
            file.write(f"maintenance {mac(rank, 7)} 10.80.0.{rank + 1}/16\n")
        node.answer("apply")
        assert node.is_settled()
    assert all(cables.ping(name, f"10.80.0.{rank}") for name in applied for rank in (1, 2, 3))
    (link,) = cables.ip_json("k00", "-d", "address", "show", "eno1")
    assert ("NOARP" in link["flags"], link["ifalias"]) == (False, "fnn:maintenance")
    assert all(cables.ping(name, f"10.78.0.{rank}") for name in applied for rank in (1, 2, 3))
    learned = [each for each in cables.ip_json("k00", "neighbor", "show") if each["state"] != ["PERMANENT"]]
    assert {each["dev"] for each in learned} == {"eno1"}


def test_without_the_network_its_nic_is_given_up(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.cables.add_switch("grey")
    node.cables.add_nic("k00", 7, mac(0, 7), "grey", device="eno1")
    before = (node.etc / "node").read_text()
    (node.etc / "node").write_text(before + f"maintenance {mac(0, 7)} 10.80.0.1/16\n")
    node.answer("apply")
    (node.etc / "node").write_text(before)
    node.answer("apply")
    assert node.is_settled()
    (link,) = node.cables.ip_json("k00", "-d", "address", "show", "eno1")
    assert "ifalias" not in link and link["addr_info"] == []


@pytest.mark.long
def test_nics_that_swap_switches_swap_addresses_neighbors_and_routes(applied: dict[str, Node]) -> None:
    """The two cables of k00 are crossed; verify adopts that and swaps the MACs in its plan."""
    node = applied["k00"]
    node.cables.plug("k00", 0, "blue")
    node.cables.plug("k00", 1, "red")
    assert not node.cables.ping("k00", "10.78.0.3")
    for name, other in applied.items():
        for file in ("links", "neighbors"):
            crossed = {mac(0, 0): mac(0, 1), mac(0, 1): mac(0, 0)}
            text = (other.etc / file).read_text()
            lines = [" ".join(crossed.get(word, word) for word in line.split(" ")) for line in text.splitlines()]
            (other.etc / file).write_text("\n".join(lines) + "\n")
        other.answer("apply")
        assert other.is_settled(), name
    assert all(node.cables.ping(name, f"10.78.0.{rank}") for name in applied for rank in (1, 2, 3))


def test_mtu_is_set(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    node.write_files(mtu=9000)
    commands = node.answer("apply")["commands"]
    assert commands == ["link set dev nic0 mtu 9000", "link set dev nic1 mtu 9000"]
    assert node.is_settled()


def test_sysctl_is_set_and_set_again_after_a_change(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    key = "/proc/sys/net/ipv4/fib_multipath_hash_policy"
    assert node.cables.inside("k00", "cat", key).stdout == "1\n"
    node.cables.inside("k00", "sh", "-c", f"echo 0 > {key}")
    answer = node.answer("apply")
    assert (answer["changed"], answer["commands"]) == (True, [])
    assert answer["sysctls"] == ["net/ipv4/fib_multipath_hash_policy=1"]
    assert node.is_settled()


def test_ipv6_stays_off(applied: dict[str, Node]) -> None:
    node = applied["k00"]
    assert node.cables.ip("k00", "-6", "address", "show", "dev", "nic0") == ""
    node.cables.inside("k00", "sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/nic0/disable_ipv6")
    assert node.answer("apply")["sysctls"] == ["net/ipv6/conf/nic0/disable_ipv6=1"]


def test_a_nic_is_found_by_its_mac_under_any_name(cables: Any, tmp_path: Path) -> None:
    cables.add_switch("red")
    cables.add_node("k02")
    cables.add_nic("k02", 0, mac(2, 0), "red", device="enp3s0f1")
    node = Node("k02", cables, tmp_path)
    node.answer("apply")
    assert node.is_settled()
    assert cables.ip_json("k02", "link", "show", "enp3s0f1")[0]["ifalias"] == "fnn:red"


def test_protected_nic_is_refused_before_anything_changes(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    before = node.cables.ip("k00", "address", "show")
    for command in ("diff", "apply"):
        done = node.run(command, "--protect", "nic1")
        assert done.returncode == 3
        assert done.stderr == "fnn-net: nic1 was named with --protect; not touched\n"
    assert node.cables.ip("k00", "address", "show") == before


def test_nic_of_the_ssh_connection_is_protected(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    node.cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    done = node.run("apply", SSH_CONNECTION="192.0.2.1 50000 192.0.2.5 22")
    assert (done.returncode, done.stdout) == (3, "")
    assert "nic0" in done.stderr


def test_ssh_connection_is_found_in_an_ancestor_when_sudo_drops_it(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    node.cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    files = f"--etc {node.etc} --sysctl {node.sysctl}"
    script = f"env -u SSH_CONNECTION {sys.executable} {node.program} apply {files}; exit $?"
    done = node.cables.inside("k00", "sh", "-c", script, check=False, SSH_CONNECTION="192.0.2.1 5 192.0.2.5 22")
    assert done.returncode == 3


def add_default_route(node: Node) -> None:
    node.cables.ip("k00", "link", "set", "nic0", "up")
    node.cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    node.cables.ip("k00", "route", "add", "default", "via", "192.0.2.1")


def test_nic_with_a_default_route_is_refused_in_a_preview_and_not_at_boot(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    add_default_route(node)
    done = node.run("diff")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "fnn-net: nic0 has a default route (IPv4, table main); not touched\n"
    done = node.run("apply", SSH_CONNECTION="198.51.100.7 50000 198.51.100.5 22")
    assert done.returncode == 3, "an operator applies it over a connection of which only the way back is seen"
    assert node.run("apply").returncode == 0


def test_nic_below_the_tunnel_of_the_connection_is_protected(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    add_default_route(node)
    node.cables.inside("k00", "ip", "tuntap", "add", "mode", "tun", "dev", "vpn0")
    node.cables.ip("k00", "address", "add", "100.64.0.2/10", "dev", "vpn0")
    node.cables.ip("k00", "link", "set", "vpn0", "up")
    done = node.run("apply", SSH_CONNECTION="100.64.0.9 50000 100.64.0.2 22")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "fnn-net: nic0 is below vpn0, which carries the SSH connection from 100.64.0.9; not touched\n"
    )


def test_subnet_with_an_end_of_the_ssh_connection_is_refused(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    before = node.cables.ip("k00", "address", "show")
    done = node.run("apply", SSH_CONNECTION="10.77.1.200 50000 192.0.2.5 22")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "fnn-net: 10.77.1.0/24, planned for blue, has 10.77.1.200, an end of the connection to this node\n"
    )
    assert node.cables.ip("k00", "address", "show") == before
    node.answer("apply")
    done = node.run("apply", SSH_CONNECTION="10.77.1.200 50000 192.0.2.5 22")
    assert done.returncode == 0, "what is there already did not keep the connection from coming about"


def test_ports_of_a_protected_bridge_are_protected(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    node.cables.ip("k00", "link", "add", "br0", "type", "bridge")
    node.cables.ip("k00", "link", "add", "link", "nic0", "name", "mv0", "type", "macvlan")
    assert node.run("apply", "--protect", "mv0").returncode == 3


def test_nic_in_a_bridge_is_left_alone(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    node.cables.ip("k00", "link", "add", "br0", "type", "bridge")
    node.cables.ip("k00", "link", "set", "nic0", "master", "br0")
    done = node.run("apply")
    assert (done.returncode, done.stderr) == (1, "fnn-net: nic0, planned for red, belongs to br0\n")


def test_missing_nic_is_reported_and_the_rest_is_applied(nodes: dict[str, Node]) -> None:
    node = nodes["k00"]
    node.cables.ip("k00", "link", "del", "nic1")
    for command in ("diff", "apply"):
        done = node.run(command)
        assert done.returncode == 1
        assert done.stderr == "fnn-net: no NIC has the MAC 02:f0:00:00:00:01, planned for the switch blue\n"
    assert json.loads(node.run("diff").stdout)["changed"] is False
    assert node.cables.ip_json("k00", "route", "show", "10.78.0.2")[0]["dev"] == "nic0"


def test_refused_line_is_reported_and_the_others_are_applied(nodes: dict[str, Node]) -> None:
    """This kernel may lack dummy devices. Where it has them, the identity is on one and no line is refused."""
    node = nodes["k00"]
    node.write_files(kind="dummy")
    done = node.run("apply")
    if done.returncode:
        assert "fnn-net: ip link add dev fnn0 type dummy: Error: Unknown device type." in done.stderr
        assert "NOARP" in node.cables.ip_json("k00", "link", "show", "nic0")[0]["flags"]
    else:
        assert node.is_settled()


def test_status_describes_the_node(applied: dict[str, Node]) -> None:
    status = applied["k02"].answer("status")
    assert (status["node"], status["differences"], status["routes"]) == ("k02", 0, 2)
    assert status["links"] == [
        {
            "switch": "red",
            "mac": "02:f0:00:00:02:00",
            "address": "10.77.0.3/24",
            "device": "nic0",
            "up": True,
            "carrier": True,
        }
    ]
