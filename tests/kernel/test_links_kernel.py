# SPDX-License-Identifier: GPL-3.0-or-later
"""The real fnn_links in network namespaces: the six-node example on three bridges."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.verify.model import Verification
from ansible.module_utils.fnn.shared.frames.envelope import Seal
from ansible.module_utils.fnn.shared.frames.frame import Beacon, pack
from namespaces import PREFIX, ROOT, Cables
from six_pcs import SIX, words
from sixes import KEY, collect, hears, judge_six, listen, mac, make_six, wait
from waiting import wait_until


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    return cables


def members(switch: str, but: str) -> list[str]:
    return sorted(mac(node, wires.index(switch)) for node, wires in SIX.items() if switch in wires and node != but)


def processes_of(node: str) -> str:
    return subprocess.run(["ip", "netns", "pids", PREFIX + node], capture_output=True, text=True, check=True).stdout


def test_read_returns_the_nics_and_no_other_device(six: Cables) -> None:
    answer = six.run_module("k00", "fnn_links", match=["nic*"])
    assert [(link["device"], link["mac"]) for link in answer["links"]] == [
        ("nic0", mac("k00", 0)),
        ("nic1", mac("k00", 1)),
    ]
    assert answer["links"][0] == {
        "device": "nic0",
        "altnames": [],
        "mac": mac("k00", 0),
        "permanent": False,
        "random": False,
        "carrier": False,
        "speed_mbps": answer["links"][0]["speed_mbps"],
        "duplex": answer["links"][0]["duplex"],
        "driver": "veth",
        "mtu": 1500,
        "pci": None,
        "port": None,
        "master": None,
        "reserved": None,
    }
    assert answer["arrived_on"] is None
    assert answer["identity_kind"] in ("dummy", "veth")
    assert answer["cpus"] == len(os.sched_getaffinity(0))
    assert six.run_module("k00", "fnn_links", match=["nic*"], macs=[mac("k00", 1).upper()])["links"] == [
        answer["links"][1]
    ]
    assert six.run_module("k00", "fnn_links")["links"] == [], "virtual NICs must be named"


def test_excluded_devices_are_no_nics(six: Cables) -> None:
    answer = six.run_module("k00", "fnn_links", match=["nic*"], exclude=["nic0"])
    assert [link["device"] for link in answer["links"]] == ["nic1"]


def test_read_returns_addresses_outside_the_fabric(six: Cables) -> None:
    for device, address in (("fnn0", "10.78.0.1/32"), ("lan", "192.168.1.20/24")):
        six.ip("k00", "link", "add", device, "type", "veth", "peer", "name", f"{device}-peer")
        six.ip("k00", "address", "add", address, "dev", device)
    six.ip("k00", "link", "set", "fnn0", "alias", "fnn-identity")
    answer = six.run_module("k00", "fnn_links", match=["nic*"])
    assert answer["networks"] == [{"device": "lan", "altnames": [], "address": "192.168.1.20/24"}]


def test_beacons_are_heard_on_the_own_switch_only(six: Cables, tmp_path: Path) -> None:
    nodes = list(SIX)
    listen(six, tmp_path, nodes)
    results = collect(six, tmp_path, nodes)
    for node, wires in SIX.items():
        expected = {f"nic{nic}": members(switch, node) for nic, switch in enumerate(wires)}
        assert hears(results[node]) == expected
        assert all(link["carrier"] for link in results[node]["links"])
        assert results[node]["foreign"] == 0


FLOOD = """
import socket
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
    wire.bind(("nic0", 0))
    print("floods", flush=True)
    while True:
        wire.send(bytes.fromhex("ffffffffffff" "02f000000100" "88b5") + bytes(46))
"""
OPEN_OFTEN = """
import sys
import ansible.module_utils
ansible.module_utils.__path__.append(sys.argv[1])
from ansible.module_utils.fnn.shared.frames.wire import open_socket
heard = 0
for _ in range(100):
    with open_socket("nic1") as wire:
        try:
            heard += bool(wire.recv(2048))
        except BlockingIOError:
            pass
print(heard)
"""


def test_a_nic_hears_nothing_that_comes_to_another_of_its_node(six: Cables) -> None:
    """A storm runs on the other switch. No frame arrives even between the creation of the socket and its bind."""
    for node, nic in (("k00", "nic0"), ("k00", "nic1"), ("k01", "nic0")):
        six.ip(node, "link", "set", nic, "up")
    inside = ["ip", "netns", "exec", PREFIX + "k01", sys.executable, "-c", FLOOD]
    with subprocess.Popen(inside, stdout=subprocess.PIPE, text=True) as storm:
        try:
            assert storm.stdout
            assert storm.stdout.readline() == "floods\n"
            assert six.inside("k00", sys.executable, "-B", "-c", OPEN_OFTEN, str(ROOT / "module_utils")).stdout == "0\n"
        finally:
            storm.kill()


def test_nothing_is_left_behind(six: Cables, tmp_path: Path) -> None:
    before = six.ip_json("k00", "link", "show")
    six.ip("k00", "link", "set", "nic1", "up")
    listen(six, tmp_path, ["k00"])
    assert "UP" in six.ip_json("k00", "link", "show", "nic0")[0]["flags"]
    assert six.ip("k00", "-6", "address", "show", "dev", "nic0") == "", (
        "a NIC that was set up must not announce itself to its neighbors"
    )
    collect(six, tmp_path, ["k00"])
    assert "UP" not in six.ip_json("k00", "link", "show", "nic0")[0]["flags"]
    assert "UP" in six.ip_json("k00", "link", "show", "nic1")[0]["flags"], "it was up before"
    six.ip("k00", "link", "set", "nic1", "down")
    assert [each["flags"] for each in six.ip_json("k00", "link", "show")] == [each["flags"] for each in before]
    assert six.inside("k00", "cat", "/proc/sys/net/ipv6/conf/nic0/disable_ipv6").stdout == "0\n"
    assert processes_of("k00") == ""
    assert [each.name for each in (tmp_path / "k00").iterdir()] == ["steady.json"]


def test_a_nic_switched_off_while_listening_is_switched_on_and_verified(six: Cables, tmp_path: Path) -> None:
    for node in SIX:
        for nic in ("nic0", "nic1"):
            six.ip(node, "link", "set", nic, "up")
    listen(six, tmp_path, list(SIX))
    six.ip("k02", "link", "set", "nic0", "down")
    wait(six, tmp_path, list(SIX), timeout=60)
    answer = judge_six(collect(six, tmp_path, list(SIX)))
    assert answer.verdict == "match", answer.findings
    assert "UP" not in six.ip_json("k02", "link", "show", "nic0")[0]["flags"], "off again, as it was found"
    assert "UP" in six.ip_json("k02", "link", "show", "nic1")[0]["flags"]


def test_process_gives_up_after_its_seconds(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, ["k00"], seconds=4)
    assert processes_of("k00") != ""
    wait_until(lambda: processes_of("k00") == "", 6)
    assert "UP" not in six.ip_json("k00", "link", "show", "nic0")[0]["flags"]
    answer = collect(six, tmp_path, ["k00"])["k00"]
    assert answer["failed"] and "run state=listen first" in answer["msg"]


def test_killed_process_is_tidied_up_by_the_next_listen(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, ["k00"])
    os.kill(int(processes_of("k00")), 9)
    listen(six, tmp_path, ["k00"])
    collect(six, tmp_path, ["k00"])
    assert "UP" not in six.ip_json("k00", "link", "show", "nic0")[0]["flags"]


def test_pulled_cable_shows_as_no_carrier(six: Cables, tmp_path: Path) -> None:
    six.unplug("k00", 0)
    listen(six, tmp_path, ["k00", "k01"])
    results = collect(six, tmp_path, ["k00", "k01"], timeout=0.5)
    assert [link["carrier"] for link in results["k00"]["links"]] == [False, True]
    assert hears(results["k00"]) == {"nic0": [], "nic1": [mac("k01", 1)]}


def test_a_nic_whose_carrier_comes_late_is_heard_and_hears(six: Cables, tmp_path: Path) -> None:
    six.unplug("k01", 0)
    listen(six, tmp_path, ["k00", "k01"])
    # k00 reaches its timeout first, so the cable is plugged while k01 still waits.
    waiting = {
        node: six.start_module(
            node, "fnn_links", state="wait", settle=0.5, timeout=timeout, directory=str(tmp_path / node)
        )
        for node, timeout in (("k00", 1), ("k01", 10))
    }
    waiting["k00"].finish()
    six.plug("k01", 0, "red")
    waiting["k01"].finish()
    results = collect(six, tmp_path, ["k00", "k01"], settle=0.5)
    assert hears(results["k00"])["nic0"] == [mac("k01", 0)]
    assert hears(results["k01"])["nic0"] == [mac("k00", 0)]


def test_strangers_are_counted_apart(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, ["k00"])
    six.ip("sw", "link", "add", "stranger", "type", "veth", "peer", "name", "far")
    six.ip("sw", "link", "set", "far", "up", "master", "red")
    six.ip("sw", "link", "set", "stranger", "up")
    frame = pack(Beacon(1, "02:00:00:00:00:09", "other", "k09", "nic0"), "02:00:00:00:00:09", Seal(KEY))
    send = f"""
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("stranger", 0))
s.send(bytes.fromhex("{frame.hex()}"))
s.send(bytes.fromhex("{(frame[:14] + b"what is this?").hex()}"))
"""
    six.inside("sw", "python3", "-c", send)
    results = collect(six, tmp_path, ["k00"])
    assert results["k00"]["foreign"] == 2
    assert hears(results["k00"])["nic0"] == []


def test_strangers_are_reported_and_frames_of_switches_are_not(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, ["k00", "k01"])
    six.ip("sw", "link", "add", "house", "type", "veth", "peer", "name", "far")
    six.ip("sw", "link", "set", "far", "up", "master", "red")
    six.ip("sw", "link", "set", "house", "up")
    # The kernel drops invalid IPv4 packets on bridges, so the offer is complete, with its checksum.
    offer = bytes.fromhex("450001480000000040116fa50a000001ffffffff00430044013400000201060000000000").ljust(328, b"\0")
    frames = {"aa0000000001": b"\x08\x00" + offer, "aa0000000002": b"\x12\x34" + bytes(46)}
    sent_frames = [b"\xff" * 6 + bytes.fromhex(mac) + rest for mac, rest in frames.items()]
    sent_frames.append(bytes.fromhex("0180c2000000" + "aa0000000003" + "0026") + bytes(46))  # spanning tree
    sent_frames.append(b"\xff" * 6 + bytes.fromhex(mac("k01", 0).replace(":", "") + "1234") + bytes(46))  # sent by k01
    send = f"""
import socket, time
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("house", 0))
for frame in {sent_frames!r} * 20:  # a port that has just come up takes a moment
    s.send(frame)
    time.sleep(0.02)
"""
    six.inside("sw", "python3", "-c", send)
    results = collect(six, tmp_path, ["k00", "k01"])
    found = {nic["device"]: nic["strangers"] for nic in results["k00"]["heard"]}
    assert found == {
        "nic0": [
            {"kind": "dhcp", "mac": "aa:00:00:00:00:01", "detail": "DHCP server 10.0.0.1"},
            {"kind": "mac", "mac": "aa:00:00:00:00:02", "detail": "ethertype 1234"},
        ],
        "nic1": [],
    }
    assert results["k00"]["lldp"] == []


def test_looped_switch_silences_the_nic_that_hears_itself(six: Cables, tmp_path: Path) -> None:
    """A hub reflects each frame from nic0 once. Without a guard that would repeat with every beacon."""
    reflect = """
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5))
s.bind(("k00.0", 0x88B5))
print("ready", flush=True)
while True:
    frame, address = s.recvfrom(2048)
    if address[2] != socket.PACKET_OUTGOING:
        s.send(frame)
        print("sent", flush=True)
"""
    six.ip("sw", "link", "set", "k00.0", "nomaster")
    command = ["ip", "netns", "exec", PREFIX + "sw", "python3", "-c", reflect]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout and hub.stdout.readline() == "ready\n"
        listen(six, tmp_path, ["k00"])
        heard = tmp_path / "k00/heard.json"
        wait_until(lambda: json.loads(heard.read_text())["nics"][0]["loop"], 2)
        sent = json.loads(heard.read_text())["nics"][0]["counts"]["sent"]
        time.sleep(1)
        result = collect(six, tmp_path, ["k00"])["k00"]
        hub.terminate()
        frames = len(hub.stdout.read().splitlines())
    assert [(nic["loop"], nic["returned"] > 0) for nic in result["heard"]] == [(True, True), (False, False)]
    assert result["heard"][0]["counts"]["sent"] == sent, "it must stop at the first own frame"
    assert frames <= sent, "the hub reflects each frame once"
    assert hears(result)["nic0"] == []


def test_arrival_device_is_reported_and_left_out(six: Cables) -> None:
    six.ip("k00", "address", "add", "192.0.2.5/24", "dev", "nic0")
    six.ssh_connection = "192.0.2.1 50000 192.0.2.5 22"
    answer = six.run_module("k00", "fnn_links", match=["nic*"])
    arrival = {"device": "nic0", "mac": mac("k00", 0), "address": "192.0.2.5", "rests_on": []}
    assert answer["arrived_on"] == {**arrival, "access": False}
    assert [link["device"] for link in answer["links"]] == ["nic1"]
    answer = six.run_module("k00", "fnn_links", match=["nic*"], access="nic")
    assert answer["arrived_on"] == {**arrival, "access": True}
    assert [link["device"] for link in answer["links"]] == ["nic0", "nic1"]


def test_an_access_device_shows_that_its_nic_is_of_the_fabric(six: Cables) -> None:
    six.ip("k00", "link", "add", "fnn-access", "link", "nic0", "type", "macvlan", "mode", "bridge")
    six.ip("k00", "link", "set", "fnn-access", "alias", "fnn-access")
    six.ip("k00", "address", "add", "192.0.2.5/24", "dev", "fnn-access")
    six.ssh_connection = "192.0.2.1 50000 192.0.2.5 22"
    answer = six.run_module("k00", "fnn_links", match=["nic*", "fnn*"])
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["access"]) == ("fnn-access", True)
    assert [link["device"] for link in answer["links"]] == ["nic0", "nic1"]
    assert answer["networks"] == []


def test_devices_below_the_arrival_device_are_left_out(six: Cables) -> None:
    six.ip("k00", "link", "add", "br0", "type", "bridge")
    six.ip("k00", "link", "set", "nic0", "master", "br0")
    six.ip("k00", "address", "add", "192.0.2.5/24", "dev", "br0")
    six.ssh_connection = "192.0.2.1 50000 192.0.2.5 22"
    answer = six.run_module("k00", "fnn_links", match=["nic*"])
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["rests_on"]) == ("br0", ["nic0"])
    assert [link["device"] for link in answer["links"]] == ["nic1"]


# --- From beacons to findings ---


def verify_cables(cables: Cables, directory: Path) -> Verification:
    """Collects beacons on all six nodes and judges them. The design and the MACs are those of the cabling above."""
    listen(cables, directory, list(SIX))
    heard = collect(cables, directory, list(SIX))
    return judge_six(heard)


@pytest.mark.long
def test_swapped_cables_are_found_and_match_after_repair(six: Cables, tmp_path: Path) -> None:
    verification = verify_cables(six, tmp_path)
    assert (verification.verdict, verification.findings) == ("match", ())

    six.plug("k00", 0, "green")
    six.plug("k05", 1, "red")
    verification = verify_cables(six, tmp_path)
    assert [(each.kind, words(each)) for each in verification.findings] == [
        ("swap", "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN")
    ]
    for cable in verification.findings[0].cables:
        six.plug(cable.node, cable.nic, str(cable.expected))
    assert verify_cables(six, tmp_path).verdict == "match"


def test_real_uplink_cables_leave_everything_unmeasured(six: Cables, tmp_path: Path) -> None:
    six.join_switches()
    verification = verify_cables(six, tmp_path)
    assert (verification.verdict, verification.must_stop) == ("unmeasured", True)
    assert words(verification.findings[0]).startswith("unplug the cables from RED, BLUE, GREEN to the uplink switch")


def test_real_crossed_pulled_and_doubled_cables(six: Cables, tmp_path: Path) -> None:
    six.plug("k01", 0, "blue")
    six.plug("k01", 1, "red")
    six.unplug("k02", 0)
    six.plug("k03", 0, "green")
    verification = verify_cables(six, tmp_path)
    assert {(each.kind, each.cables[0].node) for each in verification.findings} == {
        ("crossed", "k01"),
        ("missing", "k02"),
        ("same-switch", "k03"),
    }


@pytest.mark.long
def test_a_real_bridge_on_a_node_is_named_and_no_cable_is(six: Cables, tmp_path: Path) -> None:
    """k03's bridge joins RED and GREEN; a swap elsewhere is still reported exactly."""
    six.ip("k03", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
    six.ip("k03", "link", "set", "br0", "up")
    for nic in ("nic0", "nic1"):
        six.ip("k03", "link", "set", nic, "up", "master", "br0")
    verification = verify_cables(six, tmp_path)
    (finding,) = verification.findings
    assert (verification.verdict, finding.kind) == ("miswired", "bridged")
    assert words(finding) == (
        "k03: nic0 and nic1 are ports of the bridge br0 on the node, which joins RED and GREEN: take them out of it"
    )
    assert finding.evidence == "links: the master of k03 nic0 and k03 nic1 is the bridge br0"
    assert {cable.state for cable in verification.cables} == {"ok"}

    six.plug("k00", 0, "green")
    six.plug("k05", 1, "red")
    assert {each.kind for each in verify_cables(six, tmp_path).findings} == {"bridged", "swap"}
    six.plug("k00", 0, "red")
    six.plug("k05", 1, "green")
    six.ip("k03", "link", "delete", "br0")
    assert verify_cables(six, tmp_path).verdict == "match"


def test_real_isolated_ports_are_named_and_their_neighbors_are_not(six: Cables, tmp_path: Path) -> None:
    for port in ("k00.0", "k02.0"):
        six.ip("sw", "link", "set", "dev", port, "type", "bridge_slave", "isolated", "on")
    verification = verify_cables(six, tmp_path)
    (finding,) = verification.findings
    assert (verification.verdict, finding.kind) == ("miswired", "isolated")
    assert words(finding).startswith("RED passes no frames between k00 nic0 and k02 nic0: switch off the isolation")
    assert finding.evidence == "beacons: k00 nic0 and k02 nic0 are heard by k01 nic0 and hear it, but never each other"


def test_links_are_steady_until_an_interruption(six: Cables, tmp_path: Path) -> None:
    nodes = ["k00", "k01"]

    def find_steady() -> dict[str, bool]:
        steady = listen(six, tmp_path, nodes)
        collect(six, tmp_path, nodes)
        return steady

    assert find_steady() == {"k00": False, "k01": False}, "no beacon was heard before"
    assert find_steady() == {"k00": False, "k01": False}, "the NICs were switched off at the end"
    for node, nic in itertools.product(nodes, ("nic0", "nic1")):
        six.ip(node, "link", "set", nic, "up")
    find_steady()
    assert find_steady() == {"k00": True, "k01": True}
    six.unplug("k01", 1)
    six.plug("k01", 1, "blue")
    wait_until(lambda: "NO-CARRIER" not in six.ip("k01", "link", "show", "dev", "nic1"), 10)
    assert find_steady() == {"k00": True, "k01": False}


def test_the_wait_for_a_process_that_was_killed_restores_the_nics(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, ["k00"])
    for process in processes_of("k00").split():
        os.kill(int(process), signal.SIGKILL)
    answer = six.run_module("k00", "fnn_links", state="wait", directory=str(tmp_path / "k00"))
    assert "no beacon process runs" in answer["msg"]
    assert not (tmp_path / "k00" / "session.json").exists()
    assert "UP" not in six.ip_json("k00", "link", "show", "dev", "nic0")[0]["flags"]
