# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab on this machine's kernel: it starts, stays as it is, takes commands, and goes away without a trace.

The tests share one lab and run in order; each leaves it whole, and the last takes it down.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from labs import NAME, Lab, execute, plugged, run
from waiting import excusing

DESIGNED = {
    "k00:0": "red", "k00:1": "blue", "k01:0": "red", "k01:1": "green",
    "k02:0": "blue", "k02:1": "green", "k02:2": None,
}  # fmt: skip
KEPT = ("fnx-keep", f"{NAME}-keep")  # namespaces outside the lab

#: Sends 500 frames of 1514 octets over nic0, and prints the seconds until the last one has left its queue. The socket
#: holds few, so `send` waits for the cable.
SEND_FRAMES = """
import socket, time
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(("nic0", 0x88B5))
wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4608)
frame = b"\\xff" * 6 + b"\\x02" + bytes(5) + b"\\x88\\xb5" + bytes(1500)
began = time.monotonic()
for _ in range(500):
    wire.send(frame)
print(time.monotonic() - began)
"""


def test_everything_is_there(lab: Lab) -> None:
    document = lab.inspect()
    assert plugged(document) == DESIGNED
    assert all(node["answers"] and node["state"] == "running" for node in document["nodes"])
    assert all(uplink["plugged"] for uplink in document["uplinks"])
    bridges = json.loads(run("ip", "-n", f"{NAME}-sw", "-json", "link", "show", "type", "bridge"))
    assert {bridge["ifname"] for bridge in bridges} == {"red", "blue", "green", "uplink"}


def test_a_second_run_changes_nothing(lab: Lab) -> None:
    assert lab.play("lab") == 0


def test_a_lab_that_another_run_makes_is_not_taken_down(lab: Lab) -> None:
    handle = os.open(f"/run/fnn-lab/{NAME}", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        refused = lab.try_to_play("lab-down")
    finally:
        os.close(handle)
    assert refused.returncode == 75
    assert f"/run/fnn-lab/{NAME}: in use by root on " in refused.stderr
    assert plugged(lab.inspect()) == DESIGNED


def test_every_node_answers_ansible_over_ssh(lab: Lab) -> None:
    assert lab.ask("k00:k01:k02", "ansible.builtin.ping").count("pong") == 3


def test_a_node_runs_its_own_system_and_only_its_management_has_an_address(lab: Lab) -> None:
    assert lab.on("k02", "systemctl is-system-running --wait; hostname").split() == ["running", "k02"]
    addresses = lab.on("k02", "ip -brief -4 address")
    assert "10.79.0.3/16" in addresses
    assert "nic" not in addresses


@pytest.mark.long
def test_missing_parts_are_made_and_faults_stay_until_the_lab_is_recabled(lab: Lab) -> None:
    lab.cable("swap", "k00:0", "k02:1")
    lab.cable("pull", "k01:1")
    # A cable and a container are removed; another stops and loses its address, which its network manager sets again.
    run("ip", "-n", f"{NAME}-sw", "link", "delete", "k00.1")
    run("podman", "rm", "--force", "--time", "0", f"{NAME}-k01")
    run("podman", "stop", "--time", "0", f"{NAME}-k02")
    run("ip", "-n", f"{NAME}-k02", "address", "flush", "dev", "mg0")
    assert lab.play("lab") == 2
    document = lab.inspect()
    assert plugged(document) == DESIGNED | {"k00:0": "green", "k02:1": "red", "k01:1": None}
    assert all(node["answers"] for node in document["nodes"])
    assert lab.play("adhoc/lab-recable") == 1
    assert plugged(lab.inspect()) == DESIGNED


@pytest.mark.long
def test_a_node_whose_namespace_lost_its_name_boots_in_a_new_one(lab: Lab) -> None:
    run("ip", "netns", "delete", f"{NAME}-k01")
    lab.play("lab")
    assert lab.on("k01", "ls /sys/class/net").split() == ["lo", "mg0", "nic0", "nic1"]
    assert plugged(lab.inspect()) == DESIGNED


@pytest.mark.long
def test_a_lab_whose_directory_was_removed_boots_its_nodes_again(lab: Lab) -> None:
    """As by a fresh clone at the same path: its keys are others than those in the containers."""
    shutil.rmtree(lab.directory)
    lab.play("lab")
    assert all(node["answers"] for node in lab.inspect()["nodes"])


def test_cables_carry_a_percentage_of_their_speed_until_it_is_100_again(lab: Lab) -> None:
    """1 % of 1000 Mbit/s. The time of 500 frames of 1518 octets, of which the first two pass at once."""
    assert lab.play("lab", fnn_lab_speed_percent=1) == 1
    assert lab.play("lab", fnn_lab_speed_percent=1) == 0
    lab.on("k00", "ip link set nic0 up")
    with excusing() as excused:
        seconds = float(lab.on("k00", f"python3 -c '{SEND_FRAMES}'"))
    lab.on("k00", "ip link set nic0 down")
    planned = 500 * 1514 * 8 / 10e6
    assert 0.95 * planned < seconds < 1.3 * planned + excused()
    assert lab.play("lab") == 1
    shown = json.loads(run("tc", "-n", f"{NAME}-sw", "-json", "qdisc", "show"))
    assert "htb" not in {each["kind"] for each in shown}


def test_a_pulled_cable_costs_the_nic_its_carrier(lab: Lab) -> None:
    lab.on("k00", "ip link set nic0 up")
    for action, carrier in (("pull", "0"), ("plug", "1")):
        lab.cable(action, "k00:0")
        assert lab.on("k00", "cat /sys/class/net/nic0/carrier").strip() == carrier
    lab.on("k00", "ip link set nic0 down")


@pytest.fixture
def site(lab: Lab, tmp_path: Path) -> Path:
    """The site of these tests with the MACs of the lab's NICs."""
    nodes: dict[str, list[dict[str, Any]]] = {}
    for cable in lab.inspect()["cables"]:
        nic = {"nic": cable["nic"], "name": cable["device"], "mac": cable["mac"], "permanent": False}
        nodes.setdefault(cable["node"], []).append(nic)
    place = Path(shutil.copytree(lab.root / "tests" / "lab" / "site", tmp_path / "site"))
    cluster = json.loads((place / "design.json").read_text())["cluster"]
    macs = {"format": "fnn-macs", "version": 1, "cluster": cluster}
    (place / "macs.json").write_text(
        json.dumps({**macs, "nodes": [{"name": node, "nics": nics} for node, nics in nodes.items()]})
    )
    return place


@pytest.mark.long
def test_a_free_nic_that_is_plugged_in_is_reported(lab: Lab, site: Path) -> None:
    lab.play("adhoc/lab-fault", fnn_lab_fault="extra", fnn_lab_what=["k02:2", "red"])
    document = lab.verify(site)
    (finding,) = document["findings"]
    assert (finding["kind"], finding["node"], finding["nic"]) == ("extra", "k02", 2)
    assert finding["action"] == "k02: pull nic2 out of RED; the design leaves this NIC unused"
    (move,) = document["moves"]
    lab.cable("pull", f"{move['node']}:{move['nic']}")
    assert lab.verify(site)["verdict"] == "match"
    assert lab.play("adhoc/lab-repair") == 1  # the cable is in no switch, but it was unplugged by hand


@pytest.fixture
def addressed(lab: Lab) -> Iterator[None]:
    """k00 and k01 with addresses on red, k02 with one on blue."""
    nics = {"k00": "nic0", "k01": "nic0", "k02": "nic0"}
    for number, (node, nic) in enumerate(nics.items(), 1):
        lab.on(node, f"ip link set {nic} up && ip address add 192.0.2.{number}/24 dev {nic}")
    yield
    for node, nic in nics.items():
        lab.on(node, f"ip address flush dev {nic} && ip link set {nic} down")


def test_a_capture_shows_the_path_of_every_frame(lab: Lab, addressed: None) -> None:
    lab.capture("started")
    lab.on("k00", "ping -q -c 3 -i 0.2 192.0.2.2")  # red only
    lab.on("k00", "ping -q -c 1 192.0.2.3")  # over the uplink to blue
    lab.capture("stopped")
    capture = json.loads((lab.directory / "capture.json").read_text())
    ways = {(flow["src"], flow["dst"]): (flow["in"], flow["out"], flow["frames"]) for flow in capture["flows"]}
    assert ways["192.0.2.1", "192.0.2.2"] == (["k00.0"], ["k01.0"], 3)
    assert ways["192.0.2.2", "192.0.2.1"] == (["k01.0"], ["k00.0"], 3)
    assert ways["192.0.2.1", "192.0.2.3"] == (["blue.up", "k00.0", "up.red"], ["k02.0", "red.up", "up.blue"], 1)
    assert capture["arp"]["k00.0"] > 0
    assert (capture["dropped"], capture["ports"]["k00.0"], capture["ports"]["up.red"]) == (0, "red", "uplink")


def test_only_one_capture_is_stopped_once(lab: Lab) -> None:
    with pytest.raises(AssertionError, match="no capture of the lab lbt was started, or its process ended"):
        lab.capture("stopped")


#: Namespaces of the tests of the kernel, which run at the same time.
KERNEL_TESTS = os.environ.get("FNN_TEST_PREFIX", "fnt-")


def list_everything() -> dict[str, set[str]]:
    """Namespaces, containers and devices of this machine, except those of the tests of the kernel."""
    listed = run("ip", "netns", "list").split("\n")
    namespaces = {line.split(" ")[0] for line in listed if not line.startswith(KERNEL_TESTS)}
    containers = set(run("podman", "ps", "--all", "--format", "{{.Names}}").split())
    devices = {device["ifname"] for device in json.loads(run("ip", "-json", "link"))}
    return {"namespaces": namespaces, "containers": containers, "devices": devices}


@pytest.fixture
def bystanders(lab: Lab) -> Iterator[None]:
    """Namespaces and a container outside the lab, some of them with the lab's prefix."""
    image = run(str(lab.root / "scripts" / "lab-image.sh"), "--name").strip()
    runtime = (lab.root / "build" / "lab" / "runtime").read_text().strip()
    for name in KEPT:
        execute("ip", "netns", "delete", name)  # left by a killed run
        run("ip", "netns", "add", name)
    run("ip", "-n", f"{NAME}-keep", "link", "add", "red", "type", "bridge")
    run(
        "podman", "--runtime", runtime, "run", "--detach", "--replace", "--name", f"{NAME}-keep", "--network", "none",
        "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=10000:10000", image, "sleep", "600",
    )  # fmt: skip
    yield
    run("podman", "rm", "--force", "--time", "0", f"{NAME}-keep")
    for name in KEPT:
        run("ip", "netns", "delete", name)


def test_down_leaves_nothing_behind_and_everything_else_alone(lab: Lab, bystanders: None) -> None:
    before = list_everything()
    ours = {f"{NAME}-{name}" for name in ("sw", "mg", "k00", "k01", "k02")}
    assert ours <= before["namespaces"]
    assert lab.play("lab-down") > 0
    after = list_everything()
    assert before["namespaces"] - after["namespaces"] == ours
    assert before["containers"] - after["containers"] == ours - {f"{NAME}-sw", f"{NAME}-mg"}
    assert before["devices"] == after["devices"]
    assert not lab.directory.exists()
    assert lab.play("lab-down") == 0
