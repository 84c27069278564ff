# SPDX-License-Identifier: GPL-3.0-or-later
"""Real beacons on real bridges: cables that pass one direction or none, and forged or recorded frames."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.verify.model import Verification
from ansible.module_utils.fnn.shared.frames.envelope import Seal
from ansible.module_utils.fnn.shared.frames.frame import Beacon, pack
from namespaces import PREFIX, Cables
from six_pcs import SIX, words
from sixes import collect, judge_six, listen, mac, make_six

NODES = list(SIX)
REPLAY = """
import socket, sys
source, target = (socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) for _ in range(2))
source.bind((sys.argv[1], 0x88B5))
target.bind((sys.argv[2], 0))
only = bytes.fromhex(sys.argv[3])
print("ready", flush=True)
while True:
    frame, address = source.recvfrom(9216)
    if address[2] != socket.PACKET_OUTGOING and frame[6:12] == only:
        target.send(frame)
        print(frame.hex(), flush=True)
"""


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    return cables


def plug_stranger(cables: Cables, name: str, switch: str) -> None:
    """Plugs a foreign host into a switch."""
    cables.ip("sw", "link", "add", name, "type", "veth", "peer", "name", f"{name}.far")
    cables.ip("sw", "link", "set", f"{name}.far", "up", "master", switch)
    cables.ip("sw", "link", "set", name, "up")


def verify_cables(cables: Cables, directory: Path) -> Verification:
    listen(cables, directory, NODES)
    return judge_six(collect(cables, directory, NODES))


def drop(cables: Cables, *rules: str) -> None:
    """Adds drop rules at the ports of the switches."""
    cables.inside("sw", "nft", "add table bridge f; add chain bridge f c { type filter hook forward priority 0; }")
    for rule in rules:
        cables.inside("sw", "nft", f"add rule bridge f c {rule} drop")


def list_findings(verification: Verification) -> list[tuple[str, list[str]]]:
    return [(each.kind, [cable.name for cable in each.cables]) for each in verification.findings]


# --- Directions ---


def test_cable_that_only_sends_is_named_alone(six: Cables, tmp_path: Path) -> None:
    drop(six, 'oifname "k03.1"')
    verification = verify_cables(six, tmp_path)
    assert (verification.verdict, list_findings(verification)) == ("miswired", [("one-way", ["k03 nic1"])])
    assert "nic1 is received by the others on GREEN but receives nothing" in words(verification.findings[0])


def test_cable_that_only_receives_is_named_alone(six: Cables, tmp_path: Path) -> None:
    drop(six, 'iifname "k03.1"')
    verification = verify_cables(six, tmp_path)
    assert (verification.verdict, list_findings(verification)) == ("miswired", [("one-way", ["k03 nic1"])])
    assert "nic1 receives the others on GREEN but none of them receives it" in words(verification.findings[0])


def test_filter_of_beacons_at_one_port_moves_no_cable(six: Cables, tmp_path: Path) -> None:
    drop(six, 'iifname "k03.1" ether type 0x88b5', 'oifname "k03.1" ether type 0x88b5')
    verification = verify_cables(six, tmp_path)
    assert (verification.verdict, list_findings(verification), verification.moves) == (
        "miswired",
        [("silent", ["k03 nic1"])],
        (),
    )


def test_filter_on_a_node_looks_like_a_cable_that_only_sends(six: Cables, tmp_path: Path) -> None:
    hook = "type filter hook ingress device nic1 priority 0;"
    six.inside("k03", "nft", f"add table netdev f; add chain netdev f c {{ {hook} }}")
    six.inside("k03", "nft", "add rule netdev f c ether type 0x88b5 drop")
    assert list_findings(verify_cables(six, tmp_path)) == [("one-way", ["k03 nic1"])]


def test_port_that_spanning_tree_blocks_is_waited_for(six: Cables, tmp_path: Path) -> None:
    for node, wires in SIX.items():
        for nic in range(len(wires)):
            six.ip(node, "link", "set", f"nic{nic}", "up")
    six.inside("sw", "bridge", "link", "set", "dev", "k03.1", "state", "1")
    listen(six, tmp_path, NODES)

    def wait(timeout: float) -> list[str]:
        options = {"state": "wait", "settle": 0.5, "timeout": timeout, "directory": str(tmp_path / "k03")}
        silent: list[str] = six.run_module("k03", "fnn_links", **options)["silent"]
        return silent

    assert wait(1) == [mac("k03", 1)]
    delay = ["sh", "-c", "sleep 2; bridge link set dev k03.1 state 3"]
    with subprocess.Popen(["ip", "netns", "exec", PREFIX + "sw", *delay]):
        assert wait(20) == []
    verification = judge_six(collect(six, tmp_path, NODES))
    assert (verification.verdict, verification.findings) == ("match", ())


def test_port_that_stays_blocked_is_reported_with_its_possible_causes(six: Cables, tmp_path: Path) -> None:
    for node, wires in SIX.items():
        for nic in range(len(wires)):
            six.ip(node, "link", "set", f"nic{nic}", "up")
    six.inside("sw", "bridge", "link", "set", "dev", "k03.1", "state", "1")
    verification = verify_cables(six, tmp_path)
    assert (list_findings(verification), verification.moves) == ([("silent", ["k03 nic1"])], ())


# --- Forged and recorded frames ---


@contextmanager
def replay(cables: Cables, source: str, target: str, only: str) -> Iterator[subprocess.Popen[str]]:
    """Copies the frames of one MAC from one cable to another, and prints them."""
    command = [sys.executable, "-c", REPLAY, source, target, only.replace(":", "")]
    inside = ["ip", "netns", "exec", PREFIX + "sw", *command]
    with subprocess.Popen(inside, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout and running.stdout.readline() == "ready\n"
            yield running
        finally:
            running.kill()


def send(cables: Cables, device: str, *frames: bytes) -> None:
    program = f"""
import socket, time
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
s.bind(("{device}", 0))
for frame in {frames!r} * 20:
    s.send(frame)
    time.sleep(0.02)
"""
    cables.inside("sw", sys.executable, "-c", program)


def test_beacons_that_are_replayed_on_another_switch_join_nothing(six: Cables, tmp_path: Path) -> None:
    plug_stranger(six, "tap", "red")
    plug_stranger(six, "evil", "blue")
    with replay(six, "tap", "evil", mac("k02", 0)):
        verification = verify_cables(six, tmp_path)
    assert (verification.verdict, [each.kind for each in verification.findings]) == ("match", ["unknown-frames"])
    assert words(verification.findings[0]).startswith("find the device that repeats frames of k02 nic0 on BLUE")


def test_beacons_of_another_run_and_forged_ones_join_nothing(six: Cables, tmp_path: Path) -> None:
    plug_stranger(six, "tap", "red")
    plug_stranger(six, "evil", "blue")
    plug_stranger(six, "sink", "green")
    with replay(six, "tap", "sink", mac("k02", 0)) as running:
        listen(six, tmp_path, NODES, key="ab" * 32)
        assert running.stdout
        recorded = bytes.fromhex(running.stdout.readline())
        collect(six, tmp_path, NODES)
    listen(six, tmp_path, NODES)
    own = Beacon(7, mac("k02", 0), "six", "k02", "nic0")
    forged = bytearray(pack(own, mac("k02", 0), Seal("5e" * 32)))
    forged[49:65] = bytes(16)
    send(six, "evil", recorded, bytes(forged))
    verification = judge_six(collect(six, tmp_path, NODES))
    assert (verification.verdict, [each.kind for each in verification.findings]) == ("match", ["unknown-frames"] * 2)
    assert sorted(words(each).partition(":")[0] for each in verification.findings) == [
        "find the device that sends frames of another run in the name of k02 nic0 on BLUE",
        "find the device that sends frames that are not authentic in the name of k02 nic0 on BLUE",
    ]
