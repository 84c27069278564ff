# SPDX-License-Identifier: GPL-3.0-or-later
"""Input of the power-on head from the wire: names and MACs of DHCP clients, and DHCP offers."""

from __future__ import annotations

import socket
import struct
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.head.power_on import SCRIPT, find_offer, read_lease

CHOSEN = b"abcd"
SERVER = "192.168.178.1"


def run_script(directory: Path, name: str) -> str:
    """The output of dnsmasq's script for a client with this name."""
    script, events = directory / "script", directory / "events"
    script.write_text(SCRIPT.format(fifo=events))
    command = ["sh", str(script), "add", "54:e1:ad:00:00:01", "10.90.0.10"]
    subprocess.run(command, env={"DNSMASQ_SUPPLIED_HOSTNAME": name}, check=True)
    return events.read_text()


@pytest.mark.parametrize("name", ["", "k00", "k-0.example"])
def test_the_script_writes_a_line_for_a_lease(tmp_path: Path, name: str) -> None:
    assert run_script(tmp_path, name) == f"add\t54:e1:ad:00:00:01\t10.90.0.10\t{name}\n"


@pytest.mark.parametrize("name", ["x\nadd\t54:e1:ad:00:00:02\t10.90.0.11\tk05", "x\ty", "x y", "$(reboot)", "k\u00f60"])
def test_a_name_of_other_characters_writes_no_line_of_its_own(tmp_path: Path, name: str) -> None:
    assert run_script(tmp_path, name) == "add\t54:e1:ad:00:00:01\t10.90.0.10\t\n"


def test_a_lease_is_read_from_its_line() -> None:
    assert read_lease("add\t54:E1:AD:00:00:01\t10.90.0.10\tk00") == {
        "action": "add",
        "mac": "54:e1:ad:00:00:01",
        "address": "10.90.0.10",
        "name": "k00",
    }


@pytest.mark.parametrize(
    "mac",
    ["", "06-54:e1:ad:00:00:01", "zz:zz:zz:zz:zz:zz", "01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff", "00:00:00:00:00:00"],
)
def test_a_lease_needs_the_mac_of_one_nic(mac: str) -> None:
    assert read_lease(f"add\t{mac}\t10.90.0.10\tk00") is None


def offer(first: int = 0x45, fragment: int = 0, protocol: int = 17, operation: int = 2, length: int = 264) -> bytes:
    """A frame with a DHCP server's answer to the request CHOSEN. length: of the IPv4 packet."""
    bootp = struct.pack("!BBBB4s", operation, 1, 6, 0, CHOSEN) + bytes(228)
    head = struct.pack("!BBHHHBBH", first, 0, length, 0, fragment, 64, protocol, 0)
    packet = head + socket.inet_aton(SERVER) + b"\xff" * 4 + struct.pack("!HHHH", 67, 68, 8 + len(bootp), 0) + bootp
    return b"\xff" * 6 + bytes.fromhex("9cc7a6000001") + b"\x08\x00" + packet


def test_an_offer_names_its_server() -> None:
    assert find_offer(offer(), CHOSEN) == SERVER
    assert find_offer(offer(), b"efgh") is None


@pytest.mark.parametrize(
    "frame",
    [
        offer(first=0x44),
        offer(first=0x65),
        offer(first=0x46),
        offer(fragment=1),
        offer(protocol=6),
        offer(operation=1),
        offer(length=40),
        offer()[:14] + b"\0\x43\0\x44" + bytes(4) + b"\2\x11\0\0" + CHOSEN + bytes(40),
        *(offer()[:length] for length in (0, 14, 33, 34, 41, 57, 58, 277)),
    ],
)
def test_other_frames_are_no_offer(frame: bytes) -> None:
    assert find_offer(frame, CHOSEN) is None
