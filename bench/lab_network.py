# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole cluster as network namespaces with shaped cables, and the agents on its nodes (root only).

Nodes are plain namespaces without systemd: 64 containers take minutes to boot on two cores. Files and kernel are those
of the toolkit: its plan, rendered, and `fnn-net apply` in each namespace. There is no fnn-linkd, whose 64 daemons would
take half a core; instead switches do not age out the MACs that each NIC announces once.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.cases_linkd import PREFIX, inside, ip, make_mac, run_program

AGENT = Path(__file__).with_name("lab_agent.py")
#: The namespace of the switches, and the bridge that is the uplink switch there.
SWITCHES, ROOT = "sw", "root"
AGEING = 30 * 60 * 100  # hundredths of a second
#: Octets of a bucket: two frames, so that a short message does not pass faster than the rate.
BURST = 3028
#: Octets that wait at a port, as many as a small switch stores. With a queue shorter than a message, the end of each
#: message is lost, which TCP notices by a timeout alone.
QUEUE = 262144
FRAME = 1514  # octets of a full frame
#: Of TCP in all namespaces (RFC 5681), whatever this machine has for itself. With BBR, rounds of messages are about
#: a fifth slower.
CONGESTION_CONTROL = "reno"
AT_ONCE = 8  # programs that run at the same time
ANSWER = 120  # seconds until an agent that is silent fails the run

Document = dict[str, Any]
#: Port of a switch or of the uplink switch -> (octets, frames) that left and arrived there.
Counts = Mapping[str, tuple[int, int]]


class Lab:
    """A cluster whose namespaces exist. home: with the files of its plans, see `bench.cases_linkd.render`."""

    def __init__(self, home: Path, design: Document, mbps: int) -> None:
        self.home, self.design, self.mbps = home, design, mbps
        self.names = [node["name"] for node in design["nodes"]]
        self.addresses = {name: f"10.78.0.{rank + 1}" for rank, name in enumerate(self.names)}
        self.uplinked = [each["name"] for each in design["spec"]["switches"] if each["reserved"]]
        self._agents: dict[str, socket.socket] = {}
        self._lines: dict[str, Any] = {}

    def build(self) -> None:
        """Makes switches, cables and uplinks, and shapes each end of each cable."""
        bridges = [*(each["name"] for each in self.design["switches"]), ROOT]
        ip(SWITCHES, *(f"link add {each} type bridge mcast_snooping 0 ageing_time {AGEING}" for each in bridges))
        for which in ("all", "default"):
            set_kernel(SWITCHES, f"ipv6/conf/{which}/disable_ipv6", "1")
        for name in self.names:
            set_kernel(name, "ipv4/tcp_congestion_control", CONGESTION_CONTROL)
        ip(SWITCHES, *(f"link set {each} up" for each in bridges))
        self._plug_nodes()
        ip(
            SWITCHES,
            *(f"link add {each}.up type veth peer name up.{each}" for each in self.uplinked),
            *(f"link set {each}.up up master {each}" for each in self.uplinked),
            *(f"link set up.{each} up master {ROOT}" for each in self.uplinked),
        )
        self._shape()

    def _plug_nodes(self) -> None:
        links = [
            (rank, node["name"], link["nic"], link["switch"])
            for rank, node in enumerate(self.design["nodes"])
            for link in node["links"]
        ]
        ip(
            SWITCHES,
            *(
                f"link add {name}.{nic} type veth peer name nic{nic} address {make_mac(rank, nic)} netns {PREFIX}{name}"
                for rank, name, nic, _ in links
            ),
            *(f"link set {name}.{nic} up master {switch}" for _, name, nic, switch in links),
        )

    def _shape(self) -> None:
        ports = [f"{node['name']}.{link['nic']}" for node in self.design["nodes"] for link in node["links"]]
        ports += [port for each in self.uplinked for port in (f"{each}.up", f"up.{each}")]
        shape(SWITCHES, ports, self.mbps)
        for node in self.design["nodes"]:
            shape(node["name"], [f"nic{link['nic']}" for link in node["links"]], self.mbps)

    def separate_flows(self, neighbors: Mapping[str, Iterable[str]]) -> None:
        """Gives each flow between a node and its neighbors a queue of its own, at both ends of the node's cables.

        Each end of a cable then shares its rate fairly, by deficit round robin, in place of one queue in order of
        arrival.
        """
        for node in self.design["nodes"]:
            addresses = [self.addresses[each] for each in neighbors[node["name"]]]
            nics = [f"nic{link['nic']}" for link in node["links"]]
            ports = [f"{node['name']}.{link['nic']}" for link in node["links"]]
            shape_by_flow(node["name"], nics, self.mbps, "dst", addresses)
            shape_by_flow(SWITCHES, ports, self.mbps, "src", addresses)

    def apply(self, plan: str) -> None:
        """Applies the files of a plan on all nodes. plan: a directory below home."""
        home = self.home / plan
        waiting = list(self.names)
        running: list[tuple[str, subprocess.Popen[bytes]]] = []
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                node = waiting.pop()
                running.append((node, run_program(home, node, "fnn-net", "apply")))
            node, program = running.pop(0)
            if program.wait():
                raise RuntimeError(f"{node}: {(home / 'run' / node / 'log').read_text()}")

    @contextlib.contextmanager
    def agents(self) -> Iterator[None]:
        """Runs an agent on every node."""
        path = self.home / "agents.sock"
        running = []
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(len(self.names))
            listener.settimeout(ANSWER)
            try:
                for node in self.design["nodes"]:
                    running.append(self._start_agent(node, path))
                for _ in self.names:
                    wire, _ = listener.accept()
                    wire.settimeout(ANSWER)
                    lines = wire.makefile("r", encoding="utf-8")
                    name = json.loads(lines.readline())["node"]
                    self._agents[name], self._lines[name] = wire, lines
                yield
            finally:
                for wire in self._agents.values():
                    wire.close()
                for each in running:
                    each.kill()
                    each.wait()

    def _start_agent(self, node: Document, path: Path) -> subprocess.Popen[bytes]:
        rank = self.names.index(node["name"])
        nics = [f"{make_mac(rank, link['nic'])}=nic{link['nic']}" for link in node["links"]]
        words = [path, node["name"], self.addresses[node["name"]], *nics]
        return subprocess.Popen([*inside(node["name"]), sys.executable, "-IS", str(AGENT), *map(str, words)])

    def order(self, orders: Mapping[str, Document], answers: bool = True) -> dict[str, Document]:
        """Sends an order to each of these nodes; returns their answers."""
        for name, order in orders.items():
            self._agents[name].sendall(json.dumps(order).encode() + b"\n")
        return {name: json.loads(self._lines[name].readline()) for name in orders} if answers else {}

    def order_all(self, names: Iterable[str], what: str, answers: bool = True) -> dict[str, Document]:
        """Sends the same order to each of these nodes; returns their answers."""
        return self.order({name: {"do": what} for name in names}, answers)

    def read_uplinks(self) -> dict[str, tuple[int, int]]:
        """(octets, frames) that each port of an uplink has sent so far: `red.up` upwards, `up.red` downwards."""
        shown = subprocess.run(
            ["ip", "-n", PREFIX + SWITCHES, "-s", "-j", "link", "show", "type", "veth"],
            capture_output=True,
            check=True,
        )
        ports = {port for each in self.uplinked for port in (f"{each}.up", f"up.{each}")}
        return {
            each["ifname"]: (each["stats64"]["tx"]["bytes"], each["stats64"]["tx"]["packets"])
            for each in json.loads(shown.stdout)
            if each["ifname"] in ports
        }


def set_kernel(name: str, setting: str, value: str) -> None:
    """Sets a file below /proc/sys/net of a namespace."""
    subprocess.run([*inside(name), "sh", "-c", f"echo {value} > /proc/sys/net/{setting}"], check=True)


def shape(name: str, devices: Iterable[str], mbps: int) -> None:
    """Limits what devices of a namespace send."""
    lines = "".join(
        f"qdisc replace dev {each} root tbf rate {mbps}mbit burst {BURST} limit {QUEUE}\n" for each in devices
    )
    subprocess.run(["tc", "-n", PREFIX + name, "-batch", "-"], input=lines, text=True, check=True)


def shape_by_flow(name: str, devices: Iterable[str], mbps: int, field: str, addresses: Sequence[str]) -> None:
    """Limits what devices of a namespace send, with a queue for each address (tc-htb(8)).

    field: the field of the IP header with the address, `src` or `dst`. Other frames have a queue without a share.
    """
    limits = f"burst {BURST} cburst {BURST} quantum {FRAME}"
    lines = []
    for each in devices:
        lines += [
            f"qdisc delete dev {each} root",  # htb cannot be replaced by itself
            f"qdisc add dev {each} root handle 1: htb default 1",
            f"class add dev {each} parent 1: classid 1:ff htb rate {mbps}mbit {limits}",
            f"class add dev {each} parent 1:ff classid 1:1 htb rate 1kbit ceil {mbps}mbit {limits}",
        ]
        for number, address in enumerate(addresses, start=2):
            lines += [
                f"class add dev {each} parent 1:ff classid 1:{number:x} htb rate 1kbit ceil {mbps}mbit {limits}",
                f"filter add dev {each} parent 1: protocol ip prio 1 u32 match ip {field} {address}/32 "
                f"flowid 1:{number:x}",
            ]
    subprocess.run(["tc", "-n", PREFIX + name, "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True)


def subtract(after: Counts, before: Counts) -> dict[str, tuple[int, int]]:
    return {port: (after[port][0] - before[port][0], after[port][1] - before[port][1]) for port in after}


class Idle:
    """The share of time in which this machine's processors had nothing to do, since it was made."""

    def __init__(self) -> None:
        self._before = self._read()

    def measure(self) -> float:
        total, idle = (after - before for after, before in zip(self._read(), self._before))
        return idle / max(total, 1)

    @staticmethod
    def _read() -> tuple[int, int]:
        """user nice system idle iowait ... of proc(5), in ticks."""
        ticks = [int(each) for each in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return sum(ticks[:8]), ticks[3] + ticks[4]
