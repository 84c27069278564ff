# SPDX-License-Identifier: GPL-3.0-or-later
"""Owners of NICs in a real kernel: bridges, macvlans, addresses, running clients; then all owners on one node."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from namespaces import ROOT, Cables
from one_node import MAC, Apply
from waiting import wait_until

CODE = """
import json, sys
from pathlib import Path
from fnn.node.owners.find import find_claims
claims = find_claims(sys.argv[2:], root=Path(sys.argv[1]))
print(json.dumps([[str(each.problem), each.blocks] for each in claims]))
"""
WANTED = "etc/systemd/system/multi-user.target.wants"


class Owned:
    """A node k00 with NICs, and a directory with its files."""

    def __init__(self, cables: Cables, root: Path) -> None:
        self.cables, self.root = cables, root
        cables.add_node("k00")

    def add(self, *devices: str) -> None:
        """Adds NICs with these names."""
        for device in devices:
            number = len(self.cables.ip_json("k00", "link"))
            self.cables.add_nic("k00", number, f"02:f0:00:00:00:{number:02x}", device=device)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def find(self, *devices: str) -> list[tuple[str, bool]]:
        """The messages about these NICs, and whether each blocks."""
        path = str(ROOT / "module_utils")
        answer = self.cables.inside("k00", sys.executable, "-Bc", CODE, str(self.root), *devices, PYTHONPATH=path)
        return [(text, blocks) for text, blocks in json.loads(answer.stdout)]


@pytest.fixture
def owned(cables: Cables, tmp_path: Path) -> Owned:
    return Owned(cables, tmp_path)


def test_a_bridge_that_has_a_nic_is_named_with_its_remedy(owned: Owned) -> None:
    owned.add("nic0")
    for words in (("add", "vmbr1", "type", "bridge"), ("set", "nic0", "master", "vmbr1")):
        owned.cables.ip("k00", "link", *words)
    text = "nic0, a NIC of the cluster, is a port of the bridge vmbr1"
    remedy = "take it out of the configuration of vmbr1, then run `ip link set nic0 nomaster`"
    assert owned.find("nic0") == [(f"{text}; {remedy}", True)]
    owned.write({"etc/network/interfaces": "iface vmbr1 inet manual\n  bridge-ports nic0\n"})
    ((message, _),) = owned.find("nic0")
    assert message.startswith("/etc/network/interfaces:2: "), "the line alone, as it is about the same bridge"
    owned.cables.ip("k00", "link", "set", "nic0", "nomaster")
    (owned.root / "etc/network/interfaces").unlink()
    assert owned.find("nic0") == []


def test_the_bridge_of_the_plan_is_no_owner(owned: Owned) -> None:
    owned.add("nic0")
    for words in (
        ("add", "brx", "type", "bridge"),
        ("set", "brx", "alias", "fnn-upper"),
        ("set", "nic0", "master", "brx"),
    ):
        owned.cables.ip("k00", "link", *words)
    assert owned.find("nic0") == []


def test_a_macvlan_on_a_nic_is_named(owned: Owned) -> None:
    owned.add("nic0", "nic1")
    owned.cables.ip("k00", "link", "add", "link", "nic0", "name", "mv0", "type", "macvlan")
    ((message, blocks),) = owned.find("nic0", "nic1")
    assert (message.partition(";")[0], blocks) == ("mv0, a macvlan, is on nic0, a NIC of the cluster", True)


def test_addresses_of_other_programs_are_warnings(owned: Owned) -> None:
    owned.add("nic0", "nic1")
    owned.cables.ip("k00", "link", "set", "nic0", "up")
    for nic, words in (
        ("nic0", ("192.0.2.5/24",)),
        ("nic1", ("192.0.2.6/24", "valid_lft", "600", "preferred_lft", "600")),
    ):
        owned.cables.ip("k00", "address", "add", *words, "dev", nic)
    what = "a NIC of the cluster, has the address"
    assert owned.find("nic0", "nic1") == [
        (f"nic0, {what} 192.0.2.5/24 of another program; fnn-net will remove it", False),
        (f"nic1, {what} 192.0.2.6/24 of another program, by DHCP; fnn-net will remove it", False),
    ]
    owned.cables.ip("k00", "link", "set", "nic1", "alias", "fnn:red")
    owned.write({"etc/fnn/links": f"red {MAC} 192.0.2.5/24 1500\n"})
    ((message, _),) = owned.find("nic0", "nic1")
    assert message.endswith("find the program that set it, or it sets it again")


@pytest.fixture
def client(owned: Owned, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A DHCP client on nic0, which waits for a server."""
    owned.add("nic0", "nic1")
    files = ["-lf", str(tmp_path / "leases"), "-pf", str(tmp_path / "pid"), "-sf", "/bin/true"]
    command = ["dhclient", "-d", *files, "nic0"]
    with subprocess.Popen(owned.cables.command("k00", *command), stderr=subprocess.DEVNULL) as process:
        yield process
        process.kill()


def test_a_running_client_is_named_only_on_its_own_node(
    owned: Owned, client: subprocess.Popen[bytes], cables: Cables, tmp_path: Path
) -> None:
    wait_until(lambda: owned.find("nic0", "nic1") != [], 10, every=0.1)
    text = f"dhclient, process {client.pid}, runs on nic0, a NIC of the cluster"
    assert owned.find("nic0", "nic1") == [
        (f"{text}; stop the service that starts it (`systemctl status {client.pid}` names it)", True)
    ]
    cables.add_node("k01")
    cables.add_nic("k01", 0, MAC)
    path = str(ROOT / "module_utils")
    assert cables.inside("k01", sys.executable, "-Bc", CODE, str(tmp_path), "nic0", PYTHONPATH=path).stdout == "[]\n"


#: NIC -> the files of its owner, and the beginning of the message.
EVERYTHING: dict[str, tuple[dict[str, str], str]] = {
    "dhcp": ({}, "/etc/network/interfaces:2: ifupdown configures dhcp"),
    "port": ({}, "/etc/network/interfaces:5: ifupdown makes port, a NIC of the cluster, a port of vmbr1"),
    "slave": ({}, "/etc/network/interfaces:7: ifupdown makes slave, a NIC of the cluster, a port of bond0"),
    "ovs": ({}, "/etc/network/interfaces:9: ifupdown makes ovs, a NIC of the cluster, a port of vmbr2"),
    "tagged": ({}, "/etc/network/interfaces:10: ifupdown puts tagged.50 on tagged"),
    "hooked": ({}, "/etc/network/interfaces:12: ifupdown runs a command that configures hooked"),
    "sourced": (
        {"srv/net/lan": "iface sourced inet static\n  address 192.0.2.9/24\n"},
        "/srv/net/lan:1: ifupdown configures sourced",
    ),
    "driven": (
        {"etc/netplan/10-a.yaml": "network: {ethernets: {lan: {match: {driver: [veth], name: dri*}}}}\n"},
        "/etc/netplan/10-a.yaml:1: netplan configures driven",
    ),
    "json": (
        {"run/netplan/20-b.yaml": '{"network": {"ethernets": {"json": {"dhcp4": true}}}}\n'},
        "/run/netplan/20-b.yaml:1: netplan configures json",
    ),
    "early": (
        {"etc/systemd/network/00-lan.network": "[Match]\nName=early\n[Network]\nDHCP=yes\n"},
        "/etc/systemd/network/00-lan.network:2: networkd configures early",
    ),
    "random": (
        {"etc/systemd/network/10-r.link": "[Match]\nOriginalName=random\n[Link]\nMACAddressPolicy=random\n"},
        "/etc/systemd/network/10-r.link:4: udev gives random",
    ),
    "nmport": (
        {"etc/NetworkManager/system-connections/p": "[connection]\nid=p\ninterface-name=nmport\nmaster=br7\n"},
        "/etc/NetworkManager/system-connections/p: NetworkManager makes nmport, a NIC of the cluster, a port of br7",
    ),
    "rhel": (
        {"etc/sysconfig/network-scripts/ifcfg-rhel": "DEVICE=rhel\nBOOTPROTO=dhcp\n"},
        "/etc/sysconfig/network-scripts/ifcfg-rhel: ifcfg configures rhel",
    ),
    "arch": ({"etc/netctl/lan": "Interface=arch\nIP=dhcp\n"}, "/etc/netctl/lan:1: netctl configures arch"),
    "unit": (
        {f"{WANTED}/dhclient@unit.service": ""},
        f"/{WANTED}/dhclient@unit.service: systemd starts dhclient on unit",
    ),
    "pi": (
        {"etc/dhcpcd.conf": "allowinterfaces pi\n", f"{WANTED}/dhcpcd.service": ""},
        "/etc/dhcpcd.conf: dhcpcd configures pi",
    ),
    "conn": (
        {
            "etc/connman/main.conf": "[General]\nNetworkInterfaceBlacklist=a,cl,d,e,f,h,j,l,m,n,o,p,r,s,t,u\n",
            f"{WANTED}/connman.service": "",
        },
        "/etc/connman/main.conf: ConnMan configures conn",
    ),
    "cloudy": (
        {"etc/cloud/cloud.cfg.d/50-c.cfg": "network:\n  version: 2\n  ethernets:\n    other-name: {dhcp4: true}\n"},
        "/etc/cloud/cloud.cfg.d/50-c.cfg:4: cloud-init may configure cloudy",
    ),
    "live": ({}, "live, a NIC of the cluster, is a port of the bridge vmbr9"),
    "macv": ({}, "mv0, a macvlan, is on macv"),
    "lone": ({}, "lone, a NIC of the cluster, has the address 198.51.100.7/24 of another program"),
}
INTERFACES = """auto dhcp
iface dhcp inet dhcp
iface port inet manual
iface vmbr1 inet manual
    bridge-ports port
iface bond0 inet manual
    slaves slave
iface vmbr2 inet manual
    ovs_ports ovs
iface tagged.50 inet dhcp
iface hooked inet manual
    up ip addr add 192.0.2.8/24 dev hooked
source /srv/net/*
"""


def test_every_owner_on_one_node_is_named_in_one_line(owned: Owned) -> None:
    """NICs are named after their owners; cloud-init names its NIC by an alternative name."""
    devices = [*EVERYTHING, "free"]
    owned.add(*devices)
    owned.write({"etc/network/interfaces": INTERFACES})
    for files, _ in EVERYTHING.values():
        owned.write(files)
    for words in (
        ("link", "add", "vmbr9", "type", "bridge"),
        ("link", "set", "live", "master", "vmbr9"),
        ("link", "add", "link", "macv", "name", "mv0", "type", "macvlan"),
        ("address", "add", "198.51.100.7/24", "dev", "lone"),
        ("link", "property", "add", "dev", "cloudy", "altname", "other-name"),
    ):
        owned.cables.ip("k00", *words)
    found = [text for text, _ in owned.find(*devices)]
    expected = [text for _, text in EVERYTHING.values()]
    assert [text for text in found if not text.startswith(tuple(expected))] == []
    assert {text: sum(each.startswith(text) for each in found) for text in expected} == dict.fromkeys(expected, 1)


def test_check_and_apply_refuse_a_node_for_the_same_reason(cables: Cables, tmp_path: Path) -> None:
    node = Apply(cables, tmp_path)
    cables.ip("k00", "link", "add", "vmbr1", "type", "bridge")
    cables.ip("k00", "link", "set", "nic0", "master", "vmbr1")
    offered: dict[str, Any] = cables.run_module("k00", "fnn_node", match=["nic0"], sent=0.0)
    (owner,) = offered["owners"]
    assert owner["blocks"]
    assert node.run()["msg"] == f"{owner['text']}; {owner['remedy']}"


def test_status_names_an_owner_that_came_after_apply(cables: Cables, tmp_path: Path) -> None:
    node = Apply(cables, tmp_path)
    node.run()
    status = [sys.executable, str(node.root / "usr/local/sbin/fnn-net"), "status", "--root", str(node.root)]
    assert json.loads(cables.inside("k00", *status).stdout)["owners"] == []
    interfaces = node.root / "etc/network/interfaces"
    interfaces.parent.mkdir(parents=True, exist_ok=True)
    interfaces.write_text("iface nic0 inet dhcp\n")
    cables.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    owners = json.loads(cables.inside("k00", *status).stdout)["owners"]
    assert [each["text"] for each in owners] == [
        "/etc/network/interfaces:1: ifupdown configures nic0, a NIC of the cluster"
    ]
