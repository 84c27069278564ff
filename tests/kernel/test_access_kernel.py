# SPDX-License-Identifier: GPL-3.0-or-later
"""A node that is reached over one of its fabric NICs, and which hosts see its ARP. On a real kernel.

    k00 -- red, blue    k01 -- red, blue    red, blue -- uplink -- router, which is not in the plan

First k00 has its address as on a node without the toolkit: on the NIC, with ARP.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import waiting
from ansible.module_utils.fnn.shared.mac import derive_mac
from namespaces import IDENTITY, PREFIX, Cables
from one_node import FILES, Apply
from waiting import wait_until

NICS = ["02:f0:00:00:00:00", "02:f0:00:00:00:01"]
PEERS = ["02:f0:00:00:01:00", "02:f0:00:00:01:01"]
ADDRESS, ROUTER, BEHIND = "192.168.7.1", "192.168.7.254", "203.0.113.9"
ACCESS = f"access fnn-access {NICS[0]} {ADDRESS}/24 1500 {ROUTER}\n"
NODE = f"cluster six\nnode k00\nrank 0\nidentity fnn0 {IDENTITY} 10.78.0.1\nprotocol 196\n"
LINKS = f"red {NICS[0]} 10.77.0.1/24 1500\nblue {NICS[1]} 10.77.1.1/24 1500\n"
NEIGHBORS = f"red 10.77.0.2 {PEERS[0]} k01\nblue 10.77.1.2 {PEERS[1]} k01\n"
PLAN = {
    **FILES,
    "/etc/fnn/node": NODE + ACCESS,
    "/etc/fnn/links": LINKS,
    "/etc/fnn/neighbors": NEIGHBORS,
    "/etc/fnn/routes": "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2\n",
    "/etc/sysctl.d/90-fnn.conf": "net.ipv4.conf.all.arp_ignore = 1\n",
}
#: The same while the cable of NIC 0 is about to move. The access moves, or stays if there is no other NIC.
RESTING = {
    "/etc/fnn/links": LINKS.splitlines(keepends=True)[1],
    "/etc/fnn/neighbors": NEIGHBORS.splitlines(keepends=True)[1],
    "/etc/fnn/routes": "10.78.0.2 k01 blue=10.77.1.2\n",
}
MOVED = {**RESTING, "/etc/fnn/node": NODE + ACCESS.replace(NICS[0], NICS[1])}

#: A server on port 2222; with an argument a client: ten requests a second until the end of its input, then the longest
#: response time, in seconds that a busy machine slows down.
ECHO = f"""
import select, socket, sys
sys.path.insert(0, {str(Path(waiting.__file__).parent)!r})
from waiting import read_clock
if len(sys.argv) == 1:
    door = socket.create_server(("", 2222))
    print("ready", flush=True)
    while True:
        talk, _ = door.accept()
        while data := talk.recv(9):
            talk.sendall(data)
else:
    talk, longest = socket.create_connection((sys.argv[1], 2222), timeout=60), 0.0
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.1)[0]:
        began = read_clock()
        talk.sendall(b"x")
        assert talk.recv(9) == b"x"
        longest = max(longest, read_clock() - began)
    print(longest)
"""
#: Every ARP frame on every port of the switches: port, sender's MAC and address, requested address.
HEAR = """
import json, socket, sys
tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
print("ready", flush=True)
seen = set()
while True:
    frame, (port, *_) = tap.recvfrom(100)
    if frame[12:14] != b"\\x08\\x06":
        continue
    arp = (port, frame[22:28].hex(":"), socket.inet_ntoa(frame[28:32]), socket.inet_ntoa(frame[38:42]))
    if arp not in seen:
        seen.add(arp)
        print(json.dumps(arp), flush=True)
"""
#: Sends an ARP request from outside and prints the MAC that answers.
ASK = """
import socket, struct, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0806))
wire.bind(("nic0", 0))
wire.settimeout(0.4)
own, wanted = wire.getsockname()[4], socket.inet_aton(sys.argv[1])
head = b"\\xff" * 6 + own + b"\\x08\\x06" + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1)
wire.send(head + own + socket.inet_aton("192.168.7.254") + bytes(6) + wanted)
try:
    while (frame := wire.recv(100))[20:22] != b"\\0\\2" or frame[28:32] != wanted:
        pass
    print(frame[22:28].hex(":"))
except TimeoutError:
    pass
"""


class Outside(Apply):
    """k00 is the node under test, k01 its peer; behind a router is a host."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        super().__init__(cables, directory)
        cables.add_switch("blue")
        cables.add_nic("k00", 1, NICS[1], "blue")
        cables.add_node("k01")
        for nic, switch in enumerate(("red", "blue")):
            cables.add_nic("k01", nic, PEERS[nic], switch)
            cables.ip("k01", "address", "add", f"10.77.{nic}.2/24", "dev", f"nic{nic}")
            cables.ip("k01", "link", "set", f"nic{nic}", "arp", "off", "up")
            lladdr = ["lladdr", NICS[nic], "dev", f"nic{nic}", "nud", "permanent"]
            cables.ip("k01", "neigh", "replace", f"10.77.{nic}.1", *lladdr)
        cables.ip("k01", "address", "add", "10.78.0.2/32", "dev", "lo")
        cables.ip("k01", "route", "add", "10.78.0.1/32", "via", "10.77.0.1", "src", "10.78.0.2")
        cables.join_switches()
        cables.add_node("router")
        cables.add_nic("router", 0, "02:aa:00:00:00:01", "uplink")
        self.add_addresses("router", "nic0", f"{ROUTER}/24")
        cables.ip("router", "address", "add", f"{BEHIND}/32", "dev", "lo")
        for node in ("k00", "k01", "router"):
            cables.inside(node, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6")
        self.add_addresses("k00", "nic0", f"{ADDRESS}/24")
        cables.ip("k00", "route", "add", "default", "via", ROUTER)
        cables.ssh_connection = f"{BEHIND} 40000 {ADDRESS} 22"

    def add_addresses(self, node: str, device: str, *addresses: str) -> None:
        for address in addresses:
            self.cables.ip(node, "address", "add", address, "dev", device)
        self.cables.ip(node, "link", "set", device, "up")

    def render(self, changed: dict[str, str | None]) -> None:
        super().render({**PLAN, **changed})

    def read_state(self) -> list[Any]:
        """Addresses and routes of k00, without values that change with time."""
        addresses = self.cables.ip_json("k00", "-4", "address")
        return [
            {each["ifname"]: [info["local"] for info in each["addr_info"]] for each in addresses},
            self.cables.ip("k00", "-4", "route"),
        ]

    def start(self, node: str, program: str, *words: str) -> subprocess.Popen[str]:
        command = ["ip", "netns", "exec", PREFIX + node, sys.executable, "-IS", "-c", program, *words]
        started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert started.stdout is not None and started.stdout.readline() == "ready\n"
        return started

    def ask(self, address: str) -> str:
        """The MAC that answers the router's ARP request; empty if none does."""
        return self.cables.inside("router", sys.executable, "-IS", "-c", ASK, address).stdout.strip()

    def wait_for_answer(self, mac: str) -> None:
        wait_until(lambda: self.ask(ADDRESS) == mac, 1)

    @contextmanager
    def watch_arp(self) -> Iterator[set[tuple[str, str, str, str]]]:
        """All ARP frames during the block: port, sender's MAC and address, requested address."""
        heard: set[tuple[str, str, str, str]] = set()
        program = self.start("sw", HEAR)
        try:
            yield heard
        finally:
            time.sleep(0.2)
            program.terminate()
            heard.update(tuple(json.loads(line)) for line in program.communicate()[0].splitlines())

    def talk_meanwhile(self) -> Talk:
        return Talk(self)


class Talk:
    """A connection from the address behind the router, open before the change."""

    def __init__(self, outside: Outside) -> None:
        self.server = outside.start("k00", ECHO)
        self.client = outside.start("router", ECHO, ADDRESS)

    def find_longest(self) -> float:
        """The longest response time, a second after the change at the earliest."""
        time.sleep(1)
        output = self.client.communicate("\n", timeout=300)[0]
        self.server.kill()
        self.server.communicate()
        assert self.client.returncode == 0
        return float(output)


@pytest.fixture
def outside(cables: Cables, tmp_path: Path) -> Outside:
    return Outside(cables, tmp_path)


def test_a_session_survives_the_takeover_and_only_the_address_outside_speaks_arp(outside: Outside) -> None:
    cables, talk = outside.cables, outside.talk_meanwhile()
    time.sleep(0.5)
    with outside.watch_arp() as heard:
        answer = outside.run()
        assert answer["changed"], answer
        assert cables.ping("k00", "10.78.0.2", "10.78.0.1")
        assert cables.ping("k00", BEHIND) and cables.ping("router", ADDRESS)
        assert talk.find_longest() < 1
    mac = derive_mac(NICS[0])
    assert any(entry == ("up.red", mac, ADDRESS, ADDRESS) for entry in heard), "the new MAC was announced"
    assert {entry[1:3] for entry in heard} <= {(mac, ADDRESS), ("02:aa:00:00:00:01", ROUTER)}
    assert {entry[3] for entry in heard} <= {ADDRESS, ROUTER}
    assert outside.is_settled()


def test_no_other_address_of_the_node_is_answered_for_and_not_on_other_devices(outside: Outside) -> None:
    cables = outside.cables
    cables.ip("k00", "link", "add", "mg0", "type", "veth", "peer", "name", "mg0-far")
    outside.add_addresses("k00", "mg0", "10.79.0.1/16")
    outside.run()
    outside.wait_for_answer(derive_mac(NICS[0]))
    for address in ("10.77.0.1", "10.77.1.1", "10.78.0.1", "10.79.0.1"):
        assert outside.ask(address) == "", address
    cables.unplug("k00", 0)
    assert outside.ask(ADDRESS) == "", "the other NIC does not answer for it"
    cables.plug("k00", 0, "red")
    assert cables.ping("router", ADDRESS)


@pytest.mark.long
def test_access_device_is_restored_after_any_change_of_its_nic(outside: Outside) -> None:
    outside.run()
    outside.cables.ip("k00", "link", "set", "nic0", "down")
    outside.run()
    assert outside.is_settled() and outside.cables.ping("router", ADDRESS)
    outside.cables.ip("k00", "link", "set", "nic0", "mtu", "1400")  # the access device takes the MTU of its NIC
    outside.run()
    assert outside.is_settled() and "mtu 1500" in outside.cables.ip("k00", "link", "show", "fnn-access")
    outside.cables.ip("k00", "link", "del", "fnn-access")
    outside.run()
    assert outside.is_settled() and outside.cables.ping("router", ADDRESS)


def test_access_device_moves_to_another_nic_while_a_cable_rests(outside: Outside) -> None:
    outside.run()
    talk = outside.talk_meanwhile()
    outside.render(MOVED)
    assert outside.run()["changed"]
    outside.cables.unplug("k00", 0)
    assert talk.find_longest() < 1
    outside.wait_for_answer(derive_mac(NICS[1]))
    outside.cables.plug("k00", 0, "red")
    outside.render({})
    talk = outside.talk_meanwhile()
    assert outside.run()["changed"]
    assert talk.find_longest() < 1
    outside.wait_for_answer(derive_mac(NICS[0]))


@pytest.mark.long
def test_without_another_nic_the_access_device_stays_on_the_resting_one(outside: Outside) -> None:
    outside.run()
    outside.render(RESTING)
    assert outside.run()["changed"] and outside.is_settled()
    addresses, _ = outside.read_state()
    assert addresses.get("nic0", []) == [] and addresses["fnn-access"] == [ADDRESS]
    assert "permanent" not in outside.cables.ip("k00", "neigh", "show", "dev", "nic0").lower()
    assert outside.cables.ping("router", ADDRESS)
    outside.cables.unplug("k00", 0)
    assert not outside.cables.ping("router", ADDRESS)
    outside.cables.plug("k00", 0, "blue")
    assert outside.cables.ping("k00", ROUTER) and outside.cables.ping("router", ADDRESS)


@pytest.mark.long
def test_a_node_goes_back_to_the_address_on_its_nic(outside: Outside) -> None:
    before = outside.read_state()
    outside.run(confirm=60)
    assert outside.read_state() != before
    talk = outside.talk_meanwhile()
    program = outside.root / "var/lib/fnn/backup/fnn-net.pyz"
    outside.cables.inside("k00", sys.executable, "-B", str(program), "--root", str(outside.root), "rollback")
    assert talk.find_longest() < 1
    assert outside.read_state() == before
    outside.wait_for_answer(NICS[0])


@pytest.mark.long
def test_after_removal_the_nic_has_its_address_again(outside: Outside) -> None:
    before = outside.read_state()
    for plan in ({}, MOVED, {}):  # also after the cable of that NIC has moved
        outside.render(plan)
        outside.run()
    talk = outside.talk_meanwhile()
    answer = outside.cables.run_module("k00", "fnn_remove", root=str(outside.root))
    assert answer["changed"], answer
    assert talk.find_longest() < 1
    assert outside.read_state() == before


def test_a_plan_without_the_address_of_the_connection_is_refused(outside: Outside) -> None:
    for node in (NODE, NODE + ACCESS.replace(ADDRESS, "192.168.7.3")):
        outside.render({"/etc/fnn/node": node})
        assert "nic0 carries the SSH connection from " in outside.run()["msg"]
    outside.render({})
    outside.run()
    for node in (NODE, NODE + ACCESS.replace(ADDRESS, "192.168.7.3")):
        outside.render({"/etc/fnn/node": node})
        assert "fnn-access carries the SSH connection from " in outside.run()["msg"]


@pytest.mark.long
def test_a_default_route_of_another_owner_stays(outside: Outside) -> None:
    cables = outside.cables
    cables.ssh_connection = ""
    cables.ip("k00", "link", "add", "mg0", "type", "veth", "peer", "name", "mg0-far")
    outside.add_addresses("k00", "mg0", "10.79.0.1/16")
    cables.ip("k00", "link", "set", "mg0-far", "up")
    cables.ip("k00", "route", "replace", "default", "via", "10.79.0.254")
    outside.run()
    routes = cables.ip("k00", "route", "show", "default").splitlines()
    assert [line.split()[2:5] for line in routes] == [["10.79.0.254", "dev", "mg0"], [ROUTER, "dev", "fnn-access"]]
    outside.render({"/etc/fnn/node": NODE})
    outside.run()
    assert "default via 10.79.0.254 dev mg0" in cables.ip("k00", "route", "show", "default")
    assert "fnn-access" not in cables.ip("k00", "link")


def test_a_foreign_device_with_the_access_name_is_refused(outside: Outside) -> None:
    outside.cables.ip("k00", "link", "add", "fnn-access", "type", "bridge")
    assert "fnn-access, planned for access, is a bridge of another program" in outside.run()["msg"]
