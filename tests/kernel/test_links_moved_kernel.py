# SPDX-License-Identifier: GPL-3.0-or-later
"""What beacons show of a cable that moves while they run, and of a port that tags frames, on real bridges."""

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
from ansible.module_utils.fnn.node.linkd.frame import MAGIC
from ansible.module_utils.fnn.shared.mac import to_octets
from namespaces import ROOT, Cables
from six_pcs import SIX
from sixes import collect, listen, mac, make_six, wait

NODES = list(SIX)


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    return cables


def on(switch: str, but: str) -> list[str]:
    """The NICs of other nodes on a switch."""
    return [mac(node, wires.index(switch)) for node, wires in SIX.items() if switch in wires and node != but]


def observe(cables: Cables, directory: Path, target: str, out: bool) -> dict[str, Any]:
    """What k02 nic1 heard when its cable moves from GREEN in mid-run. out: with a carrier loss."""
    listen(cables, directory, NODES)
    wait(cables, directory, NODES, settle=1)
    if out:
        cables.unplug("k02", 1)
        time.sleep(0.5)
    cables.plug("k02", 1, target)
    wait(cables, directory, NODES, settle=1)
    heard = {node: answer["heard"] for node, answer in collect(cables, directory, NODES).items()}
    assert mac("k02", 1) in heard["k03"][1]["hears"], "k03 heard it on GREEN"
    moved: dict[str, Any] = heard["k02"][1]
    return moved


@pytest.mark.parametrize("out", [True, False])
def test_a_cable_that_moves_while_beacons_run_hears_its_present_switch(six: Cables, tmp_path: Path, out: bool) -> None:
    moved = observe(six, tmp_path, "blue", out)
    assert (moved["hears"], moved["heard_before"]) == (on("blue", "k02"), on("green", "k02"))
    assert set(moved["counts"]["received"]) == set(on("blue", "k02"))
    assert moved["counts"]["carrier_losses"] == out


def test_a_cable_that_moves_into_an_empty_switch_hears_none(six: Cables, tmp_path: Path) -> None:
    six.add_switch("spare")
    moved = observe(six, tmp_path, "spare", out=True)
    assert (moved["hears"], moved["heard_before"]) == ([], on("green", "k02"))


def test_a_short_carrier_loss_moves_no_cable(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, NODES)
    wait(six, tmp_path, NODES, settle=1)
    six.unplug("k02", 1)
    time.sleep(0.5)
    six.plug("k02", 1, "green")
    time.sleep(1)
    moved = collect(six, tmp_path, NODES)["k02"]["heard"][1]
    assert (moved["hears"], moved["heard_before"]) == (on("green", "k02"), [])
    assert moved["counts"]["carrier_losses"] == 1


# --- Tagged frames ---


@contextmanager
def tagging(cables: Cables, node: str, switch: str, *options: str) -> Iterator[None]:
    """The port of a node's nic0 sends tagged frames."""
    port = f"{node}.0"
    cables.ip("sw", "link", "set", port, "nomaster")
    cables.ip("sw", "link", "add", "upper", "type", "veth", "peer", "name", "lower")
    for each in ("upper", "lower"):
        cables.ip("sw", "link", "set", each, "up", "promisc", "on")
    cables.ip("sw", "link", "set", port, "promisc", "on")
    cables.ip("sw", "link", "set", "lower", "master", switch)
    command = cables.command("sw", sys.executable, str(ROOT / "tests/tagging.py"), port, "upper", *options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        try:
            yield
        finally:
            process.kill()


def test_a_port_that_tags_is_reported_by_the_nic_that_receives_the_tags(six: Cables, tmp_path: Path) -> None:
    with tagging(six, "k00", "red", "5"):
        listen(six, tmp_path, NODES)
        heard = {node: answer["heard"] for node, answer in collect(six, tmp_path, NODES).items()}
    assert heard["k00"][0]["hears"] == on("red", "k00")
    assert heard["k00"][0]["tagged"] == on("red", "k00")
    assert [nic["tagged"] for node in NODES[1:] for nic in heard[node]] == [[]] * 10


def test_the_tag_of_a_single_sender_is_reported(six: Cables, tmp_path: Path) -> None:
    with tagging(six, "k00", "red", "7", mac("k01", 0)):
        listen(six, tmp_path, NODES)
        heard = collect(six, tmp_path, NODES)["k00"]["heard"][0]
    assert (heard["hears"], heard["tagged"]) == (on("red", "k00"), [mac("k01", 0)])


READ_BOTH = """
import json, socket, sys
import ansible.module_utils
ansible.module_utils.__path__.append(sys.argv[1])
from ansible.module_utils.fnn.node.linkd.wire import open_nic, read_frames
from ansible.module_utils.fnn.shared.frames.wire import open_socket
with open_nic("nic0") as linkd, open_socket("nic0") as beacons:
    print("ready", flush=True)
    sys.stdin.read()
    seen = []
    while True:
        try:
            frame, address = beacons.recvfrom(2048)
        except BlockingIOError:
            break
        seen.append((frame[-1], address[2] == socket.PACKET_OTHERHOST))
    print(json.dumps([[frame[-1] for frame in read_frames(linkd)], seen]))
"""

SEND = """
import socket, sys
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
    wire.bind(("k00.0", 0))
    wire.send(bytes.fromhex(sys.argv[1]))
"""


def test_fnn_linkd_gets_no_frame_with_the_mark_by_which_beacons_see_a_tag(six: Cables) -> None:
    """A priority tag, of VLAN 0, is no tag for the kernel."""
    six.ip("k00", "link", "set", "nic0", "up")
    command = six.command("k00", sys.executable, "-B", "-c", READ_BOTH, str(ROOT / "module_utils"))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin and reader.stdout and reader.stdout.readline() == "ready\n"
        ends = to_octets(mac("k00", 0)) + to_octets(mac("k01", 0))
        for number, tag in enumerate((b"", b"\x81\x00\x00\x00", b"\x81\x00\xe0\x05")):
            frame = ends + tag + b"\x88\xb5" + MAGIC + bytes(60) + bytes([number])
            six.inside("sw", sys.executable, "-c", SEND, frame.hex())
        by_linkd, by_beacons = json.loads(reader.communicate("")[0])
    assert by_linkd == [0, 1]
    assert by_beacons == [[0, False], [1, False], [2, True]]
