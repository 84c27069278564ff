# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes with fnn-linkd on a real kernel: bridges that can be frozen, cables that can be cut or block one
direction, and flows whose interruption is measured."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import waiting
from namespaces import PREFIX, Cables
from programs import install_fnn_net
from six_pcs import SIX
from sixes import mac
from waiting import wait_until

SWITCHES = ["red", "blue", "green"]
SLACK = 0.5  # seconds that the daemons of all nodes on one quiet machine may add
HOLD = 1.0
KEY, NEW_KEY = "0123456789abcdef" * 4, "fedcba9876543210" * 4

# Sends a datagram every 5 ms to argv[1] until it is killed; the receiver prints when each arrived, by two clocks.
PULSE = """
import socket, sys, time
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    try:
        out.sendto(b"pulse", (sys.argv[1], 7001))
    except OSError:
        pass
    time.sleep(0.005)
"""
LISTEN = f"""
import socket, sys, time
sys.path.insert(0, {str(Path(waiting.__file__).parent)!r})
from waiting import read_clock
into = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
into.bind((sys.argv[1], 7001))
print("ready", flush=True)
while into.recv(200):
    print(time.monotonic(), read_clock(), flush=True)
"""
TCP_SERVER = LISTEN.replace("SOCK_DGRAM", "SOCK_STREAM").replace(
    'print("ready", flush=True)', 'into.listen()\nprint("ready", flush=True)\ninto, _ = into.accept()'
)
TCP_CLIENT = """
import socket, sys, time
out = socket.create_connection((sys.argv[1], 7001))
out.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while True:
    out.sendall(bytes(200))
    time.sleep(0.005)
"""


class Lab:
    """The six nodes with a daemon each."""

    def __init__(self, cables: Cables, directory: Path, detours: str = "") -> None:
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
            self.write_files(node, rank, detours)
            self.run(node, "fnn-net", "apply")

    def write_files(self, node: str, rank: int, detours: str) -> None:
        etc = self.directory / node
        (etc / "run").mkdir(parents=True)
        (etc / "node").write_text(
            f"cluster six\nnode {node}\nrank {rank}\nidentity fnn0 veth 10.78.0.{rank + 1}\nprotocol 196\n"
            + ("forwards on\n" if detours == "relay" else "")
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
            f"backup {'on' if detours == 'backup' else 'off'}",
            *(["relay on"] if detours == "relay" else []),
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
        self.daemons.pop(node).wait(timeout=60)

    def wait_until_ready(self) -> None:
        """Waits until each daemon hears all peers and has run long enough to suspect one."""
        wait_until(lambda: all(self.is_ready(node) for node in SIX), 20)

    def is_ready(self, node: str) -> bool:
        """Whether the daemon hears all three peers on both of its switches, and has run long enough to judge."""
        with contextlib.suppress(OSError):
            status = self.ask(node)
            return status["running_s"] > 2 and all(len(nic["hears"]) == 3 for nic in status["nics"])
        return False

    def close(self) -> None:
        for node in list(self.daemons):
            self.stop(node, signal.SIGKILL)

    def ask(self, node: str) -> dict[str, Any]:
        return ask_daemon(self.directory / node / "run")

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
        """The longest silence of a flow until a second after a fault, in seconds that a busy machine slows down."""
        address = f"10.78.0.{list(SIX).index(receiver) + 1}"
        listen, pulse = (TCP_SERVER, TCP_CLIENT) if tcp else (LISTEN, PULSE)
        log = self.directory / "flow"

        def arrivals() -> list[list[float]]:
            lines = log.read_text().splitlines(keepends=True)[1:]
            return [[float(word) for word in line.split()] for line in lines if line.endswith("\n")]

        with contextlib.ExitStack() as running, log.open("w") as output:

            def start(node: str, program: str) -> None:
                command = ["ip", "netns", "exec", PREFIX + node, sys.executable, "-IS", "-c", program, address]
                started = running.enter_context(subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL))
                running.callback(started.kill)

            start(receiver, listen)
            wait_until(lambda: log.read_text().startswith("ready\n"), 20)
            start(sender, pulse)
            wait_until(lambda: len(arrivals()) > 100, 20)
            harm()
            harmed = time.monotonic()
            wait_until(lambda: arrivals()[-1][0] > harmed + 1, 20)
        clock = [counted for _, counted in arrivals()]
        return max(after - before for before, after in zip(clock, clock[1:]))


def ask_daemon(run: Path) -> dict[str, Any]:
    """What `fnn-linkd status` prints, without the start of a program. Raises OSError while no daemon runs."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(10)
        client.connect(str(run / "linkd.sock"))
        answer: dict[str, Any] = json.loads(b"".join(iter(lambda: client.recv(1 << 16), b"")))
        return answer


@contextlib.contextmanager
def run_lab(cables: Cables, directory: Path, detours: str = "") -> Iterator[Lab]:
    """The lab with all daemons ready; they end with the block.

    detours: "backup" if pairs may use the uplink, "relay" if they may use a third node.
    """
    lab = Lab(cables, directory, detours)
    try:
        lab.start()
        lab.wait_until_ready()
        yield lab
    finally:
        lab.close()


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
