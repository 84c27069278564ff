# SPDX-License-Identifier: GPL-3.0-or-later
"""nic_facts.py on real NICs, which no lab has.

The input is the output of `ip -j -d` on three machines (an office board with an Intel I219, a laptop with a Realtek
card without cable, one with wireless; the last three bytes of MACs are changed). The states that those machines were
not in, a bond, a slow link and a USB adapter, are added by hand, and so is /sys, which no command prints whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.shared import nic_facts as read
from ansible.module_utils.fnn.shared.nic_masters import find_master

# A board with an Intel NIC, a gigabit card that found only 100 Mb/s, a USB adapter without cable, wireless, and a
# bond that gave the second NIC the MAC of the first.
IP_LINK: list[dict[str, Any]] = [
    {
        "ifindex": 1, "ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "mtu": 65536, "operstate": "UNKNOWN",
        "link_type": "loopback", "address": "00:00:00:00:00:00", "broadcast": "00:00:00:00:00:00", "promiscuity": 0,
    },
    {
        "ifindex": 2, "ifname": "enp0s31f6", "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"], "mtu": 1500,
        "qdisc": "fq_codel", "operstate": "UP", "group": "default", "txqlen": 1000, "link_type": "ether",
        "address": "54:e1:ad:00:24:b4", "broadcast": "ff:ff:ff:ff:ff:ff", "promiscuity": 0, "min_mtu": 68,
        "max_mtu": 9000, "num_tx_queues": 1, "num_rx_queues": 1, "gso_max_size": 65536, "gso_max_segs": 65535,
        "parentbus": "pci", "parentdev": "0000:00:1f.6",
    },
    {
        "ifindex": 3, "ifname": "enp2s0", "flags": ["BROADCAST", "MULTICAST", "SLAVE", "UP", "LOWER_UP"], "mtu": 1500,
        "qdisc": "fq_codel", "master": "bond0", "operstate": "UP", "link_type": "ether", "address": "54:e1:ad:00:24:b4",
        "broadcast": "ff:ff:ff:ff:ff:ff", "permaddr": "00:e0:4c:00:07:88", "min_mtu": 68, "max_mtu": 9194,
        "linkinfo": {"info_slave_kind": "bond"}, "parentbus": "pci", "parentdev": "0000:02:00.0",
    },
    {
        "ifindex": 4, "ifname": "enx00e04c360021", "flags": ["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"],
        "mtu": 1500, "qdisc": "fq_codel", "operstate": "DOWN", "link_type": "ether", "address": "00:e0:4c:36:00:21",
        "broadcast": "ff:ff:ff:ff:ff:ff", "min_mtu": 68, "max_mtu": 9194, "parentbus": "usb", "parentdev": "2-1:1.0",
    },
    {
        "ifindex": 5, "ifname": "enp3s0", "flags": ["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"], "mtu": 1500,
        "qdisc": "pfifo_fast", "operstate": "DOWN", "linkmode": "DEFAULT", "group": "default", "txqlen": 1000,
        "link_type": "ether", "address": "08:8f:c3:00:7f:38", "broadcast": "ff:ff:ff:ff:ff:ff", "promiscuity": 0,
        "allmulti": 0, "min_mtu": 68, "max_mtu": 9194, "inet6_addr_gen_mode": "none", "num_tx_queues": 1,
        "num_rx_queues": 1, "gso_max_size": 64000, "gso_max_segs": 64, "tso_max_size": 64000, "tso_max_segs": 64,
        "gro_max_size": 65536, "parentbus": "pci", "parentdev": "0000:03:00.0",
    },
    {
        "ifindex": 6, "ifname": "wlan0", "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"], "mtu": 1500,
        "operstate": "UP", "link_type": "ether", "address": "1c:4d:70:00:e4:0e", "broadcast": "ff:ff:ff:ff:ff:ff",
        "min_mtu": 256, "max_mtu": 2304, "parentbus": "pci", "parentdev": "0000:04:00.0",
    },
]  # fmt: skip

# NIC -> place below /sys/devices, driver, speed and duplex; the kernel refuses to read the last two without carrier.
NICS = {
    "enp0s31f6": ("pci0000:00/0000:00:1f.6", "e1000e", "1000\n", "full\n"),
    "enp2s0": ("pci0000:00/0000:00:1c.0/0000:02:00.0", "r8169", "100\n", "half\n"),
    "enx00e04c360021": ("pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0", "r8152", "-1\n", "unknown\n"),
    "enp3s0": ("pci0000:00/0000:00:1c.4/0000:03:00.0", "r8169", "-1\n", "unknown\n"),
    "wlan0": ("pci0000:00/0000:00:1d.0/0000:04:00.0", "iwlwifi", None, None),
}
PERMANENT = {
    "enp0s31f6": "54:e1:ad:00:24:b4",
    "enp2s0": "00:e0:4c:00:07:88",
    "enx00e04c360021": "00:e0:4c:36:00:21",
    "enp3s0": "08:8f:c3:00:7f:38",
    "wlan0": "1c:4d:70:00:e4:0e",
}


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same tree of directories and links as in /sys."""
    net = tmp_path / "class/net"
    for device, (place, driver, speed, duplex) in NICS.items():
        home, program = tmp_path / "devices" / place, tmp_path / "bus/drivers" / driver
        for directory in (home, program, net / device):
            directory.mkdir(parents=True, exist_ok=True)
        (home / "driver").symlink_to(program)
        (net / device / "device").symlink_to(home)
        for name, text in (("speed", speed), ("duplex", duplex)):
            if text is not None:
                (net / device / name).write_text(text)
    (net / "wlan0/wireless").mkdir()
    (net / "lo").mkdir()
    monkeypatch.setattr(read, "SYSFS", net)
    monkeypatch.setattr(read, "run_ip", lambda *words: json.dumps(IP_LINK) if words[-1] == "show" else "")
    monkeypatch.setattr(read, "read_permanent_mac", PERMANENT.get)
    return net


def test_all_facts_of_a_real_nic_are_returned(board: Path) -> None:
    assert read.read_links(None, [])[0] == {
        "device": "enp0s31f6",
        "altnames": [],
        "mac": "54:e1:ad:00:24:b4",
        "permanent": True,
        "random": False,
        "carrier": True,
        "speed_mbps": 1000,
        "duplex": "full",
        "driver": "e1000e",
        "mtu": 1500,
        "pci": "0000:00:1f.6",
        "port": None,
        "master": None,
        "reserved": None,
    }


def test_two_devices_of_one_plug_have_the_same_port(board: Path) -> None:
    for device, port in (("enp0s31f6", "p0"), ("enp2s0", "p0"), ("enp3s0", "p1")):
        (board / device / "phys_switch_id").write_text("8c91300003d1f8b4\n")
        (board / device / "phys_port_name").write_text(f"{port}\n")
    (board / "enx00e04c360021/phys_port_id").write_text("00e04c360021\n")
    assert [link["port"] for link in read.read_links(None, [])] == [
        "8c91300003d1f8b4 p0", "8c91300003d1f8b4 p0", "00e04c360021", "8c91300003d1f8b4 p1",
    ]  # fmt: skip


def test_physical_nics_are_taken_and_wireless_is_not(board: Path) -> None:
    assert [link["device"] for link in read.read_links(None, [])] == [
        "enp0s31f6",
        "enp2s0",
        "enx00e04c360021",
        "enp3s0",
    ]


def test_the_permanent_mac_counts_whatever_a_bond_sends_from(board: Path) -> None:
    (link,) = read.read_links(["enp2s0"], [])
    assert (link["mac"], link["permanent"]) == ("00:e0:4c:00:07:88", True)


def test_speed_and_half_duplex_are_returned(board: Path) -> None:
    (link,) = read.read_links(["enp2s0"], [])
    assert (link["speed_mbps"], link["duplex"], link["pci"]) == (100, "half", "0000:02:00.0")


@pytest.mark.parametrize("device", ["enp3s0", "enx*"])
def test_without_carrier_there_is_no_speed(board: Path, device: str) -> None:
    (link,) = read.read_links([device], [])
    assert (link["carrier"], link["speed_mbps"], link["duplex"]) == (False, None, "unknown")


def test_a_usb_nic_stands_where_its_controller_stands(board: Path) -> None:
    (link,) = read.read_links(["enx*"], [])
    assert (link["pci"], link["driver"]) == ("0000:00:14.0", "r8152")


def test_a_member_of_a_bond_names_it_and_keeps_the_mac_it_had(board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the driver reports no permanent MAC, as in many virtual machines."""
    monkeypatch.setattr(read, "read_permanent_mac", lambda device: None)
    bond = board / "bond0"
    (bond / "bonding").mkdir(parents=True)
    (bond / "address").write_text("54:e1:ad:00:24:b4\n")
    (bond / "uevent").write_text("DEVTYPE=bond\nINTERFACE=bond0\n")
    (board / "enp2s0/master").symlink_to(bond)
    (board / "enp2s0/bonding_slave").mkdir()
    (board / "enp2s0/bonding_slave/perm_hwaddr").write_text("00:e0:4c:00:07:88\n")
    (link,) = read.read_links(["enp2s0"], [])
    assert link["master"] == {"name": "bond0", "kind": "bond", "mac": "54:e1:ad:00:24:b4"}
    assert (link["mac"], link["permanent"]) == ("00:e0:4c:00:07:88", False)


@pytest.mark.parametrize(
    ("name", "uevent", "kind"),
    [("br0", "DEVTYPE=bridge\n", "bridge"), ("ovs-system", "", "bridge"), ("team0", "INTERFACE=team0\n", "device")],
)
def test_the_kind_of_a_master_is_what_the_kernel_calls_it(board: Path, name: str, uevent: str, kind: str) -> None:
    (board / name).mkdir()
    (board / name / "uevent").write_text(uevent)
    (board / "enp2s0/master").symlink_to(board / name)
    assert find_master("enp2s0", board) == {"name": name, "kind": kind, "mac": None}
