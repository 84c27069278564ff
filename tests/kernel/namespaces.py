# SPDX-License-Identifier: GPL-3.0-or-later
"""Real network namespaces for tests that need a real kernel; root only. All names begin with `fnt-`.

FNN_TEST_PREFIX sets another prefix, for two clones that run these tests at the same time. Parallel tests add the name
of their worker. A process locks its prefix and removes the namespaces that a killed run left under it: with /run on a
disk, their files survive a reboot. FNN_TEST_IDENTITY=dummy puts the address of a node on a dummy device, which not
every kernel has, instead of a veth pair.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from module_server import NAMESPACES, RunningModule, start_server

PREFIX = f"{os.environ.get('FNN_TEST_PREFIX', 'fnt-')}{os.environ.get('PYTEST_XDIST_WORKER', 'only')}-"
IDENTITY = os.environ.get("FNN_TEST_IDENTITY", "veth")

# One echo request to argv[1] (from argv[2]); exit 0 when the answer comes. The machine may have no ping.
PING = """
import socket, struct, sys
echo = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
echo.settimeout(2)
if len(sys.argv) > 2:
    echo.bind((sys.argv[2], 0))
head, data = struct.pack("!BBHHH", 8, 0, 0, 0xF00, 1), b"fnn-test"
total = sum(struct.unpack("!8H", head + data))
total = (total & 0xFFFF) + (total >> 16)
echo.sendto(struct.pack("!BBHHH", 8, 0, ~total & 0xFFFF, 0xF00, 1) + data, (sys.argv[1], 0))
while True:
    packet, (sender, _) = echo.recvfrom(200)
    if packet[20] == 0 and packet[24:26] == bytes([0xF, 0]) and sender == sys.argv[1]:
        break
"""

ROOT = Path(__file__).resolve().parents[2]


class Cables:
    """Namespaces as nodes, bridges in one more namespace as switches, veth pairs as cables.

    As in the lab, NIC I of a node is `nicI`, and the switch end of its cable is `<node>.I`.
    """

    def __init__(self) -> None:
        self.ssh_connection = ""  # SSH_CONNECTION for modules
        self.nodes: list[str] = []
        self.runs: dict[str, Path] = {}  # node -> its own /run
        self.switches: list[str] = []
        lock_prefix()
        for left in NAMESPACES.glob(f"{PREFIX}*"):
            remove_namespace(left.name)
        run("ip", "netns", "add", f"{PREFIX}sw")
        # The switches send no frames of their own.
        for which in ("all", "default"):
            self.inside("sw", "sh", "-c", f"echo 1 > /proc/sys/net/ipv6/conf/{which}/disable_ipv6")

    def add_node(self, name: str) -> None:
        run("ip", "netns", "add", PREFIX + name)
        self.nodes.append(name)
        self.ip(name, "link", "set", "lo", "up")

    def keep_run(self, node: str, directory: Path) -> None:
        """Gives a node its own /run, for locks and for what fnn-linkd writes for fnn-net."""
        directory.mkdir(parents=True, exist_ok=True)
        self.runs[node] = directory

    def command(self, node: str, *command: str) -> list[str]:
        """The command line that runs a command in the namespace of a node."""
        script = f'mount --bind "{self.runs[node]}" /run && exec "$@"' if node in self.runs else ""
        return ["ip", "netns", "exec", PREFIX + node, *(["sh", "-c", script, "sh"] if script else []), *command]

    def add_switch(self, name: str, *options: str) -> None:
        self.ip("sw", "link", "add", name, "type", "bridge", "mcast_snooping", "0", *options)
        self.ip("sw", "link", "set", name, "up")
        self.switches.append(name)

    def add_nic(self, node: str, nic: int, mac: str, switch: str | None = None, device: str | None = None) -> None:
        inner, outer = device or f"nic{nic}", f"{node}.{nic}"
        outside = ["link", "add", outer, "type", "veth", "peer", "name", inner, "netns", PREFIX + node]
        self.ip("sw", *outside)
        self.ip(node, "link", "set", inner, "address", mac)
        if switch:
            self.plug(node, nic, switch)

    def plug(self, node: str, nic: int, switch: str) -> None:
        """Plugs the far end of a cable into a switch, and out of the switch where it was."""
        self.ip("sw", "link", "set", f"{node}.{nic}", "up", "master", switch)

    def unplug(self, node: str, nic: int) -> None:
        self.ip("sw", "link", "set", f"{node}.{nic}", "nomaster", "down")

    def join_switches(self) -> None:
        """Adds an uplink switch that joins all others."""
        self.add_switch("uplink")
        for switch in self.switches[:-1]:
            self.ip("sw", "link", "add", f"{switch}.up", "type", "veth", "peer", "name", f"up.{switch}")
            self.ip("sw", "link", "set", f"{switch}.up", "up", "master", switch)
            self.ip("sw", "link", "set", f"up.{switch}", "up", "master", "uplink")

    def ip(self, node: str, *arguments: str) -> str:
        return run("ip", "-n", PREFIX + node, *arguments).stdout

    def ip_json(self, node: str, *arguments: str) -> Any:
        return json.loads(run("ip", "-n", PREFIX + node, "-j", *arguments).stdout or "[]")

    def inside(
        self, node: str, *command: str, check: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command in a node's namespace."""
        clean = {key: value for key, value in os.environ.items() if key != "SSH_CONNECTION"}
        return run(*self.command(node, *command), check=check, env={**clean, **environment})

    def ping(self, node: str, *addresses: str) -> bool:
        """Whether `addresses[0]` answers (asked from `addresses[1]`, if given)."""
        return self.inside(node, sys.executable, "-IS", "-c", PING, *addresses, check=False).returncode == 0

    def start_module(self, node: str, module: str, /, **options: Any) -> RunningModule:
        """Starts a module of library/ in a node's namespace."""
        return start_server().start(PREFIX + node, self.runs.get(node), module, options, self.ssh_connection)

    def run_module(self, node: str, module: str, /, **options: Any) -> dict[str, Any]:
        """Runs a module in the namespace of a node; returns its result."""
        return self.start_module(node, module, **options).finish()

    def remove(self) -> None:
        for name in [*self.nodes, "sw"]:
            remove_namespace(PREFIX + name)


@functools.cache
def lock_prefix() -> int:
    """Locks PREFIX until this process ends; another process that holds it is an error."""
    handle = os.open(f"/run/lock/{PREFIX}tests", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise AssertionError(f"another run uses the namespaces {PREFIX}*: set FNN_TEST_PREFIX") from None
    return handle


def remove_namespace(name: str) -> None:
    """Removes a namespace and its processes. After a reboot only its file is left, without processes."""
    for process in run("ip", "netns", "pids", name, check=False).stdout.split():
        # The process may end just now.
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    run("ip", "netns", "del", name)


def run(*command: str, check: bool = True, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=env)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(command)} gave {done.returncode}: {done.stderr}{done.stdout}")
    return done
