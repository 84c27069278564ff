# SPDX-License-Identifier: GPL-3.0-or-later
"""fnn-linkd on a real kernel: the six nodes, bridges that can be frozen, cables that can be cut or block one direction.

Promised times are medians of several tries. This machine has two cores, which six daemons, the tests and all other
processes share. SLACK bounds the delay of a busy machine.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.net.locks import KERNEL_LOCK, locked
from ansible.module_utils.fnn.node.net.place import Place
from namespaces import PREFIX, Cables
from programs import install_fnn_net
from six_pcs import SIX
from sixes import mac
from waiting import wait_until

SWITCHES = ["red", "blue", "green"]
SLACK = 0.5  # seconds that a loaded machine may add
HOLD = 1.0
KEY, NEW_KEY = "0123456789abcdef" * 4, "fedcba9876543210" * 4

# Sends a counted datagram every 5 ms to argv[1]; the receiver prints when each arrived. Both use this machine's clock.
PULSE = """
import socket, sys, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for number in range(int(float(sys.argv[2]) / 0.005)):
    try:
        out.sendto(b"%d" % number, (sys.argv[1], 7001))
    except OSError:
        pass
    time.sleep(0.005)
"""
LISTEN = """
import socket, sys, time
into = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
into.bind((sys.argv[1], 7001))
into.settimeout(0.2)
print("ready", flush=True)
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    try:
        into.recv(64)
    except TimeoutError:
        continue
    print(time.monotonic(), flush=True)
"""
TCP_SERVER = LISTEN.replace("SOCK_DGRAM", "SOCK_STREAM").replace(
    'into.settimeout(0.2)\nprint("ready", flush=True)',
    'into.listen()\nprint("ready", flush=True)\ninto, _ = into.accept()\ninto.settimeout(0.2)',
)
TCP_CLIENT = """
import socket, sys, time
out = socket.create_connection((sys.argv[1], 7001))
out.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    out.sendall(bytes(200))
    time.sleep(0.005)
"""


class Lab:
    """The six nodes with a daemon each."""

    def __init__(self, cables: Cables, directory: Path, backup: bool = False) -> None:
        self.cables, self.directory = cables, directory
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}
        self.program = install_fnn_net(directory)
        for switch in SWITCHES:
            cables.add_switch(switch)
        cables.join_switches()
        for node, wires in SIX.items():
            cables.add_node(node)
            for nic, switch in enumerate(wires):
                cables.add_nic(node, nic, mac(node, nic), switch)
        for rank, node in enumerate(SIX):
            self.write_files(node, rank, backup)
            self.run(node, "fnn-net", "apply")

    def write_files(self, node: str, rank: int, backup: bool) -> None:
        etc = self.directory / node
        (etc / "run").mkdir(parents=True)
        (etc / "node").write_text(
            f"cluster six\nnode {node}\nrank {rank}\nidentity fnn0 veth 10.78.0.{rank + 1}\nprotocol 196\n"
        )
        (etc / "sysctl").write_text(
            "net.ipv4.fib_multipath_hash_policy=1\nnet.ipv4.conf.all.ignore_routes_with_linkdown=1\n"
            "net.ipv4.conf.default.ignore_routes_with_linkdown=1\n"
        )
        links = [f"{sw} {mac(node, nic)} {self.address(sw, rank)}/24 1500" for nic, sw in enumerate(SIX[node])]
        neighbors, routes = [], []
        for other, (peer, wires) in enumerate(SIX.items()):
            shared = [switch for switch in wires if switch in SIX[node]] if peer != node else []
            neighbors += [f"{sw} {self.address(sw, other)} {mac(peer, wires.index(sw))} {peer}" for sw in shared]
            legs = " ".join(f"{switch}={self.address(switch, other)}" for switch in shared)
            routes += [f"10.78.0.{other + 1} {peer} {legs}"] if shared else []
        membership = [
            "interval 300",
            "misses 3",
            "successors 2",
            f"hold {HOLD} 10",
            f"backup {'on' if backup else 'off'}",
        ]
        membership.append(f"raised {' '.join(SWITCHES)}")
        for peer, wires in SIX.items():
            membership.append(f"node {peer} " + " ".join(f"{sw}={mac(peer, nic)}" for nic, sw in enumerate(wires)))
        self.write_key(node, f"sign {KEY}")
        for name, lines in (("links", links), ("neighbors", neighbors), ("routes", routes), ("linkd", membership)):
            (etc / name).write_text("\n".join(lines) + "\n")

    def write_key(self, node: str, *lines: str) -> None:
        (self.directory / node / "linkd.key").write_text("".join(f"{line}\n" for line in lines))

    @staticmethod
    def address(switch: str, rank: int) -> str:
        return f"10.77.{SWITCHES.index(switch)}.{rank + 1}"

    def options(self, node: str) -> list[str]:
        etc = self.directory / node
        return ["--etc", str(etc), "--sysctl", str(etc / "sysctl"), "--run", str(etc / "run")]

    def command(self, node: str, program: str, command: str) -> list[str]:
        return [sys.executable, str(self.program.with_name(program)), command, *self.options(node)]

    def run(self, node: str, program: str, command: str) -> str:
        return self.cables.inside(node, *self.command(node, program, command)).stdout

    def start(self, *nodes: str) -> None:
        for node in nodes or SIX:
            metrics = ["--metrics", str(self.directory / node / "linkd.prom")]
            inside = ["ip", "netns", "exec", PREFIX + node, *self.command(node, "fnn-linkd", "run"), *metrics]
            log = (self.directory / node / "log").open("ab")
            self.daemons[node] = subprocess.Popen(inside, stderr=log, stdin=subprocess.DEVNULL)
            log.close()

    def stop(self, node: str, number: int = signal.SIGTERM) -> None:
        self.daemons[node].send_signal(number)
        self.daemons.pop(node).wait(timeout=10)

    def close(self) -> None:
        for node in list(self.daemons):
            self.stop(node, signal.SIGKILL)

    def ask(self, node: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.run(node, "fnn-linkd", "status"))
        return answer

    def unusable(self, node: str) -> set[str]:
        return {f"{each['node']}-{each['switch']}" for each in self.ask(node)["unusable"]}

    def legs(self, node: str, peer: str) -> set[tuple[str, str]]:
        """(device, gateway) of each next hop of the route in the kernel."""
        (route,) = self.cables.ip_json(node, "route", "show", f"10.78.0.{list(SIX).index(peer) + 1}")
        return {(hop["dev"], hop["gateway"]) for hop in route.get("nexthops", [route])}

    def is_settled(self, node: str) -> bool:
        return json.loads(self.run(node, "fnn-net", "diff"))["changed"] is False

    def block(self, node: str, nic: int, *directions: str) -> None:
        """Blocks frames from the node into its switch port ("in") or out to it ("out"); the carrier stays.

        A token bucket of one octet passes no frame.
        """
        for direction in directions:
            place, device = (node, f"nic{nic}") if direction == "in" else ("sw", f"{node}.{nic}")
            bucket = ("root", "tbf", "rate", "8bit", "burst", "1", "limit", "1")
            self.cables.inside(place, "tc", "qdisc", "replace", "dev", device, *bucket)

    def unblock(self, node: str, nic: int) -> None:
        for place, device in ((node, f"nic{nic}"), ("sw", f"{node}.{nic}")):
            self.cables.inside(place, "tc", "qdisc", "del", "dev", device, "root", check=False)

    def measure_gap(self, sender: str, receiver: str, harm: Callable[[], None], tcp: bool = False) -> float:
        """The longest silence of a flow during a fault, in seconds."""
        address = f"10.78.0.{list(SIX).index(receiver) + 1}"
        listen, pulse = (TCP_SERVER, TCP_CLIENT) if tcp else (LISTEN, PULSE)
        seconds = "8"
        program = ["ip", "netns", "exec", PREFIX + receiver, sys.executable, "-IS", "-c", listen, address, seconds]
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            assert server.stdout.readline() == "ready\n"
            source = ["ip", "netns", "exec", PREFIX + sender, sys.executable, "-IS", "-c", pulse, address, "5"]
            with subprocess.Popen(source, stderr=subprocess.DEVNULL) as client:
                time.sleep(1)
                harm()
                harmed = time.monotonic()
                client.wait()
            got = [float(line) for line in server.stdout.read().split()]
        assert len(got) > 50
        assert got[0] < harmed < got[-1] - 1, "the flow did not come back"
        return max(after - before for before, after in zip(got, got[1:]))


@pytest.fixture
def lab(cables: Cables, tmp_path: Path) -> Iterator[Lab]:
    made = Lab(cables, tmp_path)
    try:
        made.start()
        wait_until(lambda: all(is_ready(made, node) for node in SIX), 20)
        yield made
    finally:
        made.close()


def is_ready(lab: Lab, node: str) -> bool:
    """Whether the daemon hears all three peers on both of its switches, and has run long enough to judge."""
    with contextlib.suppress(AssertionError):
        status = lab.ask(node)
        return status["running_s"] > 2 and all(len(nic["hears"]) == 3 for nic in status["nics"])
    return False


def test_a_lost_carrier_moves_traffic_on_both_sides_within_a_tenth_of_a_second(lab: Lab) -> None:
    gaps = []
    for sender, receiver in (("k00", "k01"), ("k01", "k00"), ("k00", "k01")):
        lost: list[int] = []

        def pull(sender: str = sender, lost: list[int] = lost) -> None:
            # The cable of k00 that carries the flow; NIC and switch port have the same number.
            lost.append(busiest_nic(lab, sender)[1])
            lab.cables.ip("sw", "link", "set", f"k00.{lost[0]}", "down")

        gaps.append(lab.measure_gap(sender, receiver, pull))
        left = 1 - lost[0]
        assert lab.legs("k00", "k01") == {(f"nic{left}", f"10.77.{left}.2")}
        assert lab.legs("k01", "k00") == {(f"nic{left}", f"10.77.{left}.1")}
        # The news reaches nodes without that switch, too.
        assert lab.unusable("k03") == lab.unusable("k05") == {f"k00-{SIX['k00'][lost[0]]}"}
        lab.cables.ip("sw", "link", "set", f"k00.{lost[0]}", "up")
        wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 12 * HOLD)
    assert statistics.median(gaps) <= 0.1 + SLACK / 5, gaps
    assert all(lab.is_settled(node) for node in SIX)


@pytest.mark.parametrize("directions", [("in", "out"), ("in",), ("out",)], ids=["dead", "mute", "deaf"])
def test_a_silent_fault_moves_a_pair_in_time_and_heals_back(lab: Lab, directions: tuple[str, ...]) -> None:
    lab.block("k00", 0, *directions)
    took = wait_until(lambda: len(lab.legs("k01", "k00")) == 1 == len(lab.legs("k00", "k01")), 1.2 + SLACK)
    assert lab.legs("k00", "k01") == {("nic1", "10.77.1.2")}
    assert took > 0.3, "one lost frame is no reason"
    assert {node: lab.unusable(node) for node in SIX} == {node: {"k00-red"} for node in SIX}
    # Pairs with this switch alone stay as planned: they have no alternative.
    assert lab.legs("k02", "k00") == {("nic0", "10.77.0.1")}
    lab.unblock("k00", 0)
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), HOLD + 2 + SLACK)
    wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 1)
    assert all(lab.is_settled(node) for node in SIX)


def test_a_tcp_flow_stalls_for_at_most_a_second_and_a_half(lab: Lab) -> None:
    gaps = []
    for _ in range(3):
        # The hash of the flow chose one of the two links; the fault hits that one.
        gaps.append(lab.measure_gap("k00", "k01", lambda: lab.block(*busiest_nic(lab, "k00"), "in", "out"), tcp=True))
        for nic in (0, 1):
            lab.unblock("k00", nic)
        wait_until(lambda: len(lab.legs("k01", "k00")) == 2 == len(lab.legs("k00", "k01")), 12 * HOLD)
    assert all(gap > 0.3 for gap in gaps), gaps
    assert statistics.median(gaps) <= 1.5, gaps


def busiest_nic(lab: Lab, node: str) -> tuple[str, int]:
    def count() -> list[int]:
        links = [lab.cables.ip_json(node, "-s", "link", "show", f"nic{nic}")[0] for nic in (0, 1)]
        return [int(link["stats64"]["tx"]["packets"]) for link in links]

    before = count()
    time.sleep(0.2)
    grown = [after - start for start, after in zip(before, count())]
    return node, grown.index(max(grown))


def test_a_frozen_switch_is_left_by_all_and_found_again(lab: Lab) -> None:
    """A bridge that is down forwards no frames, and its ports keep their carrier."""
    lab.cables.ip("sw", "link", "set", "red", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1 == len(lab.legs("k02", "k03")), 1.2 + SLACK)
    assert lab.legs("k01", "k00") == {("nic1", "10.77.1.1")}
    assert lab.legs("k02", "k03") == {("nic1", "10.77.2.4")}
    assert lab.unusable("k05") == {f"{node}-red" for node, wires in SIX.items() if "red" in wires}
    lab.cables.ip("sw", "link", "set", "red", "up")
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), HOLD + 2 + SLACK)
    wait_until(lambda: all(lab.is_settled(node) for node in SIX), 1)


def test_no_frame_crosses_an_uplink_while_all_is_well(lab: Lab) -> None:
    with watch(lab, [f"{switch}.up" for switch in SWITCHES]) as seen:
        time.sleep(3)
    assert seen == []
    for node in SIX:
        assert lab.ask(node)["frames"]["foreign"] == 0


@contextlib.contextmanager
def watch(lab: Lab, ports: list[str]) -> Iterator[list[str]]:
    """Every frame on these ports, in both directions."""
    seen: list[str] = []
    program = (
        "import socket\n"
        "tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))\n"
        "print('ready', flush=True)\n"
        f"ports = {ports!r}\n"
        "while True:\n"
        "    frame, address = tap.recvfrom(64)\n"
        "    if address[0] in ports:\n"
        "        print(address[0], frame.hex(), flush=True)\n"
    )
    inside = ["ip", "netns", "exec", f"{PREFIX}sw", sys.executable, "-IS", "-c", program]
    with subprocess.Popen(inside, stdout=subprocess.PIPE, text=True) as tap:
        assert tap.stdout
        assert tap.stdout.readline() == "ready\n"
        yield seen
        tap.terminate()
        seen += tap.stdout.read().splitlines()


def test_planned_tables_are_restored_when_the_daemon_ends(lab: Lab) -> None:
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    status = json.loads(lab.run("k01", "fnn-net", "status"))
    assert [(each["node"], each["switch"]) for each in status["avoided"]] == [("k00", "red")]
    lab.stop("k01", signal.SIGKILL)
    assert len(lab.legs("k01", "k00")) == 1, "nobody has tidied up yet"
    lab.run("k01", "fnn-linkd", "release")
    assert lab.legs("k01", "k00") == {("nic0", "10.77.0.1"), ("nic1", "10.77.1.1")}
    assert lab.is_settled("k01")
    # The other nodes use a node whose daemon alone has stopped.
    time.sleep(1.5)
    assert lab.legs("k05", "k01") == {("nic0", "10.77.1.2")}
    assert lab.cables.ping("k05", "10.78.0.2")
    lab.start("k01")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 3)


def test_unusable_nics_of_a_stopped_daemon_are_dropped_by_the_next(lab: Lab) -> None:
    """fnn-net forgets it as well; it reads a file that outlives the daemon."""
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    lab.stop("k01")
    lab.run("k01", "fnn-linkd", "release")
    lab.cables.ip("sw", "link", "set", "k00.0", "up")
    wait_until(lambda: lab.unusable("k02") == set(), HOLD + 6)
    lab.start("k01")
    wait_until(lambda: is_ready(lab, "k01"), 10)
    assert lab.unusable("k01") == set()
    assert json.loads(lab.run("k01", "fnn-net", "status"))["avoided"] == []
    assert json.loads(lab.run("k01", "fnn-net", "apply"))["commands"] == []
    assert len(lab.legs("k01", "k00")) == 2


def test_an_apply_in_between_undoes_nothing(lab: Lab) -> None:
    lab.cables.ip("sw", "link", "set", "k00.0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    assert json.loads(lab.run("k01", "fnn-net", "apply"))["commands"] == []
    assert len(lab.legs("k01", "k00")) == 1


def test_a_restart_of_a_daemon_moves_no_route(lab: Lab) -> None:
    lab.stop("k02")
    lab.start("k02")
    wait_until(lambda: is_ready(lab, "k02"), 10)
    for node in SIX:
        assert "is not used" not in (lab.directory / node / "log").read_text()


def test_a_nic_that_was_set_down_gets_its_tables_back(lab: Lab) -> None:
    lab.cables.ip("k00", "link", "set", "nic0", "down")
    wait_until(lambda: len(lab.legs("k01", "k00")) == 1, 1 + SLACK)
    wait_until(lambda: lab.cables.ip_json("k00", "link", "show", "nic0")[0]["flags"].count("UP") == 1, 5)
    wait_until(lambda: len(lab.legs("k00", "k01")) == 2 == len(lab.legs("k01", "k00")), HOLD + 4)
    assert all(lab.is_settled(node) for node in SIX)


def test_status_and_textfile_report_a_fault(lab: Lab) -> None:
    lab.block("k00", 0, "in", "out")
    wait_until(lambda: lab.unusable("k01") == {"k00-red"}, 2 + SLACK)
    (nic, other) = lab.ask("k00")["nics"]
    assert (nic["switch"], nic["used"], nic["carrier"], nic["hears"]) == ("red", False, True, [])
    assert nic["why"] in ("no frames arrive", "suspected by its peers")
    assert (other["used"], other["hears"]) == (True, ["k01", "k04", "k05"])
    assert lab.ask("k01")["detours"] == 1
    path = lab.directory / "k01" / "linkd.prom"
    wait_until(lambda: "fnn_linkd_unusable_nics 1\n" in path.read_text(), 2)
    assert 'fnn_linkd_nic_used{switch="red",device="nic0"} 1\n' in path.read_text()


def test_a_pair_without_a_switch_left_meets_over_the_uplink_where_that_is_permitted(
    cables: Cables, tmp_path: Path
) -> None:
    lab = Lab(cables, tmp_path, backup=True)
    try:
        lab.start()
        wait_until(lambda: all(is_ready(lab, node) for node in SIX), 20)
        lab.block("k00", 0, "in", "out")
        wait_until(lambda: lab.legs("k00", "k02") == {("nic1", "10.77.1.3")}, 1.5 + SLACK)
        # The NIC of k02 on red works, so k02 still sends over it, but to k00's NIC on blue.
        wait_until(lambda: find_neighbor(lab, "k02", "nic0", "10.77.0.1") == mac("k00", 1), 1)
        assert cables.ping("k00", "10.78.0.3")
        assert cables.ping("k02", "10.78.0.1")
        assert all(lab.is_settled(node) for node in ("k00", "k02"))
        lab.unblock("k00", 0)
        wait_until(lambda: lab.legs("k00", "k02") == {("nic0", "10.77.0.3")}, HOLD + 3)
        assert all(lab.is_settled(node) for node in ("k00", "k02"))
    finally:
        lab.close()


def test_a_flow_of_a_pair_with_one_switch_survives_ten_pulls_where_there_is_an_uplink(
    cables: Cables, tmp_path: Path
) -> None:
    """k00 and k02 share red alone. Without the uplink the flow would stall until the cable is back."""
    lab = Lab(cables, tmp_path, backup=True)
    try:
        lab.start()
        wait_until(lambda: all(is_ready(lab, node) for node in SIX), 20)
        gaps = []
        for pull in range(10):
            end = ("k00", "k02")[pull % 2]
            gaps.append(lab.measure_gap("k00", "k02", lambda end=end: set_cable(lab, end, "down"), tcp=True))  # type: ignore[misc]
            set_cable(lab, end, "up")
        assert max(gaps) <= 1.2, gaps
    finally:
        lab.close()


def set_cable(lab: Lab, node: str, state: str) -> None:
    """Sets the cable between red and the node's first NIC up or down."""
    lab.cables.ip("sw", "link", "set", f"{node}.0", state)


def find_neighbor(lab: Lab, node: str, device: str, address: str) -> str:
    (entry,) = lab.cables.ip_json(node, "neighbor", "show", "dev", device, "to", address)
    return str(entry["lladdr"])


def test_random_octets_with_our_ethertype_are_refused_and_change_nothing(lab: Lab) -> None:
    inside = ["ip", "netns", "exec", PREFIX + "k03", sys.executable, "-IS", "-c"]
    program = (
        "import socket, os\n"
        "wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)\n"
        "wire.bind(('nic0', 0))\n"
        f"head = bytes.fromhex('{mac('k00', 0).replace(':', '')}{mac('k03', 0).replace(':', '')}88b5')\n"
        "for _ in range(200):\n"
        "    wire.send(head + b'FNNl' + os.urandom(80))\n"
        "    wire.send(head + b'FNNb' + os.urandom(80))\n"
    )
    subprocess.run([*inside, program], check=True)
    time.sleep(0.5)
    frames = lab.ask("k00")["frames"]
    assert frames["refused"] >= 150
    assert all(not lab.unusable(node) for node in SIX)


FORGE = """
import socket, struct, sys
sys.path.insert(0, sys.argv[1])
from fnn.shared.mac import to_octets
from fnn.node.linkd.frame import Frame, identify_cluster, pack
source, targets, named = sys.argv[2], sys.argv[3].split(","), sys.argv[4].split(",")
cluster, key = identify_cluster(sys.argv[5]), bytes.fromhex(sys.argv[6])
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
wire.bind(("nic0", 0))
for sequence in (1, 2**32, 2**64 - 1):
    for state in (0, 1, 2):
        news = tuple((to_octets(each), 0xFFFFFFFF, state) for each in named)
        frame = Frame(to_octets(source), cluster, 1, 0, 0xFFFFFFFF, sequence, news=news)
        for target in targets:
            wire.send(to_octets(target) + pack(frame, key))
"""
FORGED = 9  # frames that each target gets
ON_RED = [node for node, wires in SIX.items() if "red" in wires]


def forge(lab: Lab, source: str, targets: list[str], cluster: str, key: str) -> None:
    """k03 sends well-formed frames on red to these nodes, with news about all NICs. source: their MAC; key: or ""."""
    addresses = ",".join(mac(node, SIX[node].index("red")) for node in targets)
    named = ",".join(mac(node, nic) for node, wires in SIX.items() for nic in range(len(wires)))
    arguments = [str(lab.directory / "usr/local/lib/fnn"), source, addresses, named, cluster, key]
    inside = ["ip", "netns", "exec", PREFIX + "k03", sys.executable, "-IS", "-c", FORGE, *arguments]
    subprocess.run(inside, check=True)
    time.sleep(1)


@pytest.mark.parametrize(("key", "count"), [("5e" * 32, "refused"), (KEY, "foreign")], ids=["its own key", "our key"])
def test_valid_frames_of_another_cluster_are_counted_and_change_nothing(lab: Lab, key: str, count: str) -> None:
    """Two clusters on the same switches: with keys of their own, and with the same one."""
    others = [node for node in ON_RED if node != "k03"]
    before = {node: lab.ask(node)["frames"][count] for node in others}
    forge(lab, mac("k03", SIX["k03"].index("red")), others, "seven", key)
    for node in others:
        assert lab.ask(node)["frames"][count] >= before[node] + FORGED
    for node in SIX:
        assert not lab.unusable(node)
        assert lab.ask(node)["frames"]["errors"] == 0


def test_frames_without_the_key_that_name_all_nics_end_no_daemon_and_move_no_route(lab: Lab) -> None:
    """k03 sends them on red, with the MAC of k00, to all others there."""
    before = {node: lab.ask(node)["running_s"] for node in SIX}
    forge(lab, mac("k00", 0), ON_RED, "six", "")
    assert sum(lab.ask(node)["frames"]["refused"] for node in SIX) >= FORGED
    for node in SIX:
        assert lab.daemons[node].poll() is None
        assert lab.ask(node)["running_s"] > before[node]
        assert not lab.unusable(node)
        assert lab.ask(node)["frames"]["errors"] == 0


def have_keys(lab: Lab, number: int) -> bool:
    return all(len(lab.ask(node)["keys"]) == number for node in SIX)


def test_a_key_rotation_moves_no_route(lab: Lab) -> None:
    for lines in (
        (f"sign {KEY}", f"next {NEW_KEY}"),
        (f"sign {NEW_KEY}", f"old {KEY}"),
        (f"sign {NEW_KEY}",),
    ):
        for node in SIX:
            lab.write_key(node, *lines)
            lab.daemons[node].send_signal(signal.SIGHUP)
            time.sleep(0.3)
        wait_until(partial(have_keys, lab, len(lines)), 3)
    assert len({tuple(lab.ask(node)["keys"]) for node in SIX}) == 1
    time.sleep(1.5)
    for node in SIX:
        assert lab.ask(node)["frames"]["refused"] == 0
        assert "is not used" not in (lab.directory / node / "log").read_text()


def test_missing_membership_and_a_second_daemon_are_reported(lab: Lab) -> None:
    command = ["ip", "netns", "exec", PREFIX + "k00", *lab.command("k00", "fnn-linkd", "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    lock = re.escape(str(lab.directory / "k00" / "run" / "linkd.lock"))
    assert re.fullmatch(rf"fnn-linkd: {lock} is locked by process \d+ \(.+\)\n", done.stderr)
    (lab.directory / "k00" / "linkd").unlink()
    lab.stop("k00")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 2
    assert "linkd: does not exist" in done.stderr


def test_fnn_net_that_a_daemon_started_does_not_lock_out_the_next_daemon(lab: Lab) -> None:
    daemon = lab.daemons["k00"]
    children = Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children")
    with locked(Place(Path("/")), KERNEL_LOCK):  # fnn-net waits for this lock
        daemon.send_signal(signal.SIGHUP)
        wait_until(lambda: stays(children), 5 + SLACK)
        (fnn_net,) = map(int, children.read_text().split())
        lab.stop("k00")
        lab.start("k00")
        wait_until(lambda: is_ready(lab, "k00"), 3 + SLACK)
        assert Path(f"/proc/{fnn_net}").is_dir(), "fnn-net ended before the next daemon started"


def stays(children: Path) -> bool:
    """Whether there is a child that does not end within 0.5 s, as one does that was about to end."""
    before = children.read_text()
    time.sleep(0.5)
    return bool(before.strip()) and children.read_text() == before


def cut_off(lab: Lab, node: str) -> None:
    """Simulates a power failure, except that the ports keep their carrier."""
    for nic in (0, 1):
        lab.block(node, nic, "in", "out")


def is_unreachable(lab: Lab, node: str, peer: str) -> bool:
    (route,) = lab.cables.ip_json(node, "route", "show", f"10.78.0.{list(SIX).index(peer) + 1}")
    return bool(route.get("type") == "unreachable")


SEND = """
import errno, socket, sys
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    out.sendto(b"x", (sys.argv[1], 7001))
    print("sent")
except OSError as error:
    print(errno.errorcode[error.errno])
"""


def test_a_dead_node_is_unreachable_at_once_and_floods_nothing(lab: Lab) -> None:
    """Until the node is heard again. Switches that have forgotten its MACs would flood frames to it."""
    others = [node for node in SIX if node != "k02"]
    cut_off(lab, "k02")
    lab.stop("k02", signal.SIGKILL)
    took = wait_until(lambda: all(is_unreachable(lab, node, "k02") for node in others), 2.5 + 3 * SLACK)
    assert took > 0.6, "a node is asked before it is called dead"
    assert lab.ask("k00")["dead"] == ["k02"]
    for switch in SWITCHES:
        lab.cables.ip("sw", "link", "set", switch, "type", "bridge", "fdb_flush")
    with watch(lab, [f"{switch}.up" for switch in SWITCHES]) as seen:
        for node in others:
            shared = [f"10.77.{SWITCHES.index(color)}.3" for color in SIX[node] if color in SIX["k02"]]
            for address in ("10.78.0.3", *shared):
                done = lab.cables.inside(node, sys.executable, "-IS", "-c", SEND, address)
                assert done.stdout == "EHOSTUNREACH\n", (node, address)
    macs = [mac("k02", nic).replace(":", "") for nic in (0, 1)]
    to_it = [line for line in seen if any(each in line for each in macs) and "0800" in line[:60]]
    asked = b"fnn-linkd".hex()  # the daemons probe a dead node again after 1, 2, 4 ... 60 s
    assert [line for line in to_it if asked not in line] == []
    assert all(lab.is_settled(node) for node in others)
    assert json.loads(lab.run("k00", "fnn-net", "apply"))["changed"] is False
    assert lab.legs("k00", "k03") == {("nic0", "10.77.0.4")}, "the others stay as planned"
    for nic in (0, 1):
        lab.unblock("k02", nic)
    lab.start("k02")
    wait_until(lambda: not any(is_unreachable(lab, node, "k02") for node in others), 12 * HOLD)
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), 12 * HOLD)
    assert lab.cables.ping("k00", "10.78.0.3")
    assert all(lab.is_settled(node) for node in SIX)


def test_a_dead_node_that_is_up_again_without_its_daemon_is_reached(lab: Lab) -> None:
    cut_off(lab, "k02")
    lab.stop("k02", signal.SIGKILL)
    wait_until(lambda: is_unreachable(lab, "k00", "k02"), 2.5 + 3 * SLACK)
    for nic in (0, 1):
        lab.unblock("k02", nic)
    wait_until(lambda: not is_unreachable(lab, "k00", "k02"), 10)
    assert lab.cables.ping("k00", "10.78.0.3")


def test_a_node_that_was_shut_down_is_unreachable_and_one_without_its_daemon_is_not(lab: Lab) -> None:
    """fnn-linkd announces its end in both cases."""
    lab.stop("k02")
    time.sleep(3)
    assert lab.cables.ping("k00", "10.78.0.3")
    assert not any(is_unreachable(lab, node, "k02") for node in SIX if node != "k02")
    cut_off(lab, "k02")
    wait_until(lambda: all(is_unreachable(lab, node, "k02") for node in SIX if node != "k02"), 8 + 3 * SLACK)
    known = json.loads((lab.directory / "k00" / "run" / "linkd.known").read_text())
    assert known.keys() >= {mac("k02", nic) for nic in (0, 1)}, "after a minute no node tells it any more"
    lab.stop("k00", signal.SIGKILL)  # as in a restart, which keeps the known NICs and the routes
    lab.start("k00")
    log = lab.directory / "k00" / "log"
    wait_until(lambda: log.read_text().count("k02 is dead") == 2, 5)
    for nic in (0, 1):
        lab.unblock("k02", nic)
    lab.start("k02")
    wait_until(lambda: not any(is_unreachable(lab, node, "k02") for node in SIX if node != "k02"), 12 * HOLD)
    assert lab.cables.ping("k00", "10.78.0.3")


def test_unreachable_routes_of_a_dead_node_are_removed_with_the_daemon(lab: Lab) -> None:
    cut_off(lab, "k02")
    wait_until(lambda: is_unreachable(lab, "k00", "k02"), 2.5 + 3 * SLACK)
    lab.stop("k00", signal.SIGKILL)
    lab.run("k00", "fnn-linkd", "release")
    assert lab.legs("k00", "k02") == {("nic0", "10.77.0.3")}
    assert lab.is_settled("k00")


def test_nodes_that_took_each_other_for_dead_are_reached_again(lab: Lab) -> None:
    """Two groups with different keys hear no beacons of each other. While the switches are split, each group takes the
    other for dead, and no kernel has a route for an answer."""
    groups = ("k00", "k02", "k04"), ("k01", "k03", "k05")
    pairs = [(one, other) for one in groups[0] for other in groups[1] if set(SIX[one]) & set(SIX[other])]
    pairs += [(other, one) for one, other in pairs]
    for node in groups[1]:
        lab.write_key(node, f"sign {NEW_KEY}")
        lab.daemons[node].send_signal(signal.SIGHUP)
    wait_until(lambda: all(lab.unusable(node) for node in SIX), 12 * HOLD)
    time.sleep(1)
    assert not any(is_unreachable(lab, one, other) for one, other in pairs), "their kernels answer"
    for switch in SWITCHES:
        lab.cables.add_switch(f"{switch}2")
    for node in groups[1]:
        for nic, switch in enumerate(SIX[node]):
            lab.cables.plug(node, nic, f"{switch}2")
    wait_until(lambda: all(is_unreachable(lab, one, other) for one, other in pairs), 20)
    for node in groups[1]:
        for nic, switch in enumerate(SIX[node]):
            lab.cables.plug(node, nic, switch)
    wait_until(lambda: not any(is_unreachable(lab, one, other) for one, other in pairs), 40)
    assert all(lab.cables.ping(one, f"10.78.0.{list(SIX).index(other) + 1}") for one, other in pairs)


def test_a_nic_that_was_renamed_is_used_by_its_new_name(lab: Lab) -> None:
    """udev renames a NIC when its driver comes back. A route over the former device name fails as a whole."""
    for line in ("set nic0 down", "set nic0 name renamed0", "set renamed0 up"):
        lab.cables.ip("k00", "link", *line.split())
    wait_until(lambda: all(not lab.unusable(node) for node in SIX), 12 * HOLD)
    lab.run("k00", "fnn-net", "apply")
    lab.cables.ip("sw", "link", "set", "k01.1", "down")
    wait_until(lambda: lab.legs("k00", "k01") == {("renamed0", "10.77.0.2")}, 1.2 + SLACK)
