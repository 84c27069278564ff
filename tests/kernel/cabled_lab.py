# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that are joined by cables, as namespaces: designed by the engine, planned, rendered, applied, with fnn-linkd.

A cable is a bridge with the two NICs as its ports. So a NIC keeps its carrier if the other end is pulled, and the
failure is silent, which is the harder case.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import waiting
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.plan.render import Renderer
from linkd_lab import ask_daemon
from namespaces import IDENTITY, PREFIX, ROOT, Cables
from plan_settings import plan_with
from programs import install_fnn_net
from waiting import wait_until

#: Echo requests every 20 ms to argv[1] until the end of standard input; prints the longest silence, in seconds that a
#: busy machine slows down.
PROBE = f"""
import select, socket, struct, sys, time
sys.path.insert(0, {str(Path(waiting.__file__).parent)!r})
from waiting import read_clock
echo = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
echo.settimeout(0.02)
head, data = struct.pack("!BBHHH", 8, 0, 0, 0xF00, 1), b"fnn-test"
total = sum(struct.unpack("!8H", head + data))
total = (total & 0xFFFF) + (total >> 16)
packet = struct.pack("!BBHHH", 8, 0, ~total & 0xFFFF, 0xF00, 1) + data
print("ready", flush=True)
last, longest = read_clock(), 0.0
while not select.select([sys.stdin], [], [], 0)[0]:
    try:
        echo.sendto(packet, (sys.argv[1], 0))
        if echo.recvfrom(200)[1][0] == sys.argv[1]:
            longest, last = max(longest, read_clock() - last), read_clock()
        time.sleep(0.02)
    except OSError:
        pass
print(max(longest, read_clock() - last))
"""


class CabledLab:
    """names: in rank order. The NIC I of a node is `nicI`; the far end of its cable is a port of the cable's bridge."""

    def __init__(self, cables: Cables, directory: Path, designer: Path, spec: dict[str, Any]) -> None:
        self.cables, self.directory = cables, directory
        self.names = [node["name"] for node in spec["nodes"]]
        (directory / "spec.json").write_text(dumps(spec))
        command = [str(designer), "design", str(directory / "spec.json"), "-o", str(directory / "design.json")]
        subprocess.run(command, check=True, capture_output=True)
        self.design = Documents(ROOT / "schemas").read(directory / "design.json", "fnn-design")
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}
        self.program = install_fnn_net(directory)
        for switch in self.design["switches"]:
            cables.add_switch(switch["name"], "ageing_time", "0")  # a cable learns no MACs
        for rank, node in enumerate(self.design["nodes"]):
            cables.add_node(node["name"])
            for link in node["links"]:
                cables.add_nic(node["name"], link["nic"], mac(rank, link["nic"]), link["switch"])
        self._apply()

    def _apply(self) -> None:
        nodes = [
            {
                "name": node["name"],
                "nics": [
                    {"nic": each["nic"], "name": f"nic{each['nic']}", "mac": mac(rank, each["nic"]), "permanent": True}
                    for each in node["links"]
                ],
            }
            for rank, node in enumerate(self.design["nodes"])
        ]
        macs = {"format": "fnn-macs", "version": 1, "cluster": "cabled", "nodes": nodes}
        facts = {"identity_kind": dict.fromkeys(self.names, IDENTITY)}
        self.plan = plan_with(self.design, macs, facts, fnn_linkd=True, fnn_linkd_hold=1, fnn_linkd_hold_most=10)
        for each in Renderer(ROOT).render(self.plan):
            place = self.directory / "build" / each.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.content)
        for node in self.names:
            (self.directory / node / "run").mkdir(parents=True)
            for part in (f"nodes/{node}", "common"):
                for path in (self.directory / "build" / part / "etc/fnn").iterdir():
                    (self.directory / node / path.name).write_bytes(path.read_bytes())
            self.run(node, "fnn-net", "apply")

    def options(self, node: str) -> list[str]:
        sysctl = self.directory / "build/common/etc/sysctl.d/90-fnn.conf"
        return [
            "--etc",
            str(self.directory / node),
            "--sysctl",
            str(sysctl),
            "--run",
            str(self.directory / node / "run"),
        ]

    def command(self, node: str, program: str, command: str) -> list[str]:
        return [sys.executable, str(self.program.with_name(program)), command, *self.options(node)]

    def run(self, node: str, program: str, command: str) -> str:
        return self.cables.inside(node, *self.command(node, program, command)).stdout

    def start(self, *nodes: str) -> None:
        """Starts daemons, of all nodes if none is named; returns when each hears the other end of all its cables."""
        for node in nodes or self.names:
            inside = ["ip", "netns", "exec", PREFIX + node, *self.command(node, "fnn-linkd", "run")]
            with (self.directory / node / "log").open("ab") as log:
                self.daemons[node] = subprocess.Popen(inside, stderr=log, stdin=subprocess.DEVNULL)
        wait_until(lambda: all(self._is_ready(node) for node in self.names), 20)

    def _is_ready(self, node: str) -> bool:
        with contextlib.suppress(OSError):
            status = ask_daemon(self.directory / node / "run")
            return status["running_s"] > 2 and all(len(nic["hears"]) == 1 for nic in status["nics"])
        return False

    def kill(self, node: str) -> None:
        """Ends the daemon without a message."""
        self.daemons[node].send_signal(signal.SIGKILL)
        self.daemons.pop(node).wait(timeout=60)

    def stop(self, node: str) -> None:
        """Ends the daemon, which sends leave messages."""
        self.daemons[node].terminate()
        self.daemons.pop(node).wait(timeout=60)

    def close(self) -> None:
        for node in list(self.daemons):
            self.kill(node)

    def address(self, node: str) -> str:
        return f"10.78.0.{self.names.index(node) + 1}"

    def devices_to(self, node: str, peer: str) -> set[str]:
        """The devices of the next hops of a route in the kernel."""
        (route,) = self.cables.ip_json(node, "route", "show", self.address(peer))
        return {hop["dev"] for hop in route.get("nexthops", [route])}

    def count_hops(self, node: str, peer: str) -> int:
        """The nodes that forward a packet on its way, from the lifetime with which it arrives."""
        for hops in range(len(self.names)):
            program = (
                f"import socket; s = socket.socket(2, 3, 1); s.setsockopt(0, 2, {hops + 1}); s.settimeout(5)\n" + _ECHO
            )
            done = self.cables.inside(node, sys.executable, "-IS", "-c", program, self.address(peer), check=False)
            if done.returncode == 0:
                return hops
        raise AssertionError(f"{node} does not reach {peer}")

    def count_bridges(self, node: str, peer: str) -> int:
        """The bridges of other nodes that forward a frame on its way, by their forwarding tables, once it was sent."""
        assert self.cables.ping(node, self.address(peer)), f"{node} does not reach {peer}"
        mac, at, between = self.plan.views[peer]["links"][0]["mac"], node, -1
        while at != peer:
            device = self._find_port(at, mac)
            cable = next(
                link["switch"]
                for each in self.design["nodes"]
                for link in each["links"]
                if (each["name"], f"nic{link['nic']}") == (at, device)
            )
            members = next(each["nodes"] for each in self.design["switches"] if each["name"] == cable)
            at, between = next(each for each in members if each != at), between + 1
        return between

    def _find_port(self, node: str, mac: str) -> str:
        """The NIC over which a node reaches a MAC. A node without a bridge has one."""
        if "upper" not in self.plan.views[node]:
            return "nic0"
        shown = self.cables.inside(node, "bridge", "-j", "fdb", "show", "br", "fnn-bridge").stdout
        return next(
            each["ifname"] for each in json.loads(shown) if each["mac"] == mac and each.get("state") != "permanent"
        )

    def measure_silence(self, node: str, peer: str, harm: Any, seconds: float = 2.0) -> float:
        """The longest silence of an echo every 20 ms, in seconds, if `harm` happens meanwhile."""
        command = ["ip", "netns", "exec", PREFIX + node, sys.executable, "-IS", "-c", PROBE, self.address(peer)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as probe:
            assert probe.stdin and probe.stdout and probe.stdout.readline() == "ready\n"
            time.sleep(0.5)
            harm()
            time.sleep(seconds)
            probe.stdin.write("\n")
            return float(probe.communicate()[0])


_ECHO = """
import struct, sys
head, data = struct.pack("!BBHHH", 8, 0, 0, 0xF01, 1), b"fnn-hops"
total = sum(struct.unpack("!8H", head + data))
total = (total & 0xFFFF) + (total >> 16)
total = (total & 0xFFFF) + (total >> 16)
s.sendto(struct.pack("!BBHHH", 8, 0, ~total & 0xFFFF, 0xF01, 1) + data, (sys.argv[1], 0))
while True:
    packet, (sender, _) = s.recvfrom(200)
    if packet[20] == 11:
        sys.exit(1)
    if packet[20] == 0 and packet[24:26] == bytes([0xF, 1]) and sender == sys.argv[1]:
        break
"""


def mac(rank: int, nic: int) -> str:
    return f"02:f0:00:00:{rank:02x}:{nic:02x}"


def make_spec(topology: str, *nics: int, mode: str | None = None) -> dict[str, Any]:
    """A spec of nodes with these numbers of NICs."""
    nodes = [{"name": f"k{rank:02}", "nics": count} for rank, count in enumerate(nics)]
    return {
        "format": "fnn-spec", "version": 1, "cluster": "cabled", "topology": topology, "nodes": nodes, "switches": [],
        **({"mode": mode} if mode else {}),
    }  # fmt: skip
